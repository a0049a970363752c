"""What people can say to end, stop and start pods, for the tables of the bot."""

from collections.abc import Mapping

from bot.table import Press, Verb
from bot.terminate.command import run_start, run_stop, run_terminate
from bot.terminate.doing import press_leave, press_stop, press_terminate, press_undo

END_VERBS: Mapping[str, Verb] = {
    "terminate": Verb(
        usage="terminate POD [reason]",
        does="ends your own pod, after you have confirmed it; for somebody else's I ask its owner",
        example="terminate train-7b",
        run=run_terminate,
    ),
    "stop": Verb(
        usage="stop POD",
        does="stops your own pod, once confirmed: the volume disk stays, the container disk is wiped",
        example="stop train-7b",
        run=run_stop,
    ),
    "start": Verb(
        usage="start POD",
        does="starts your own stopped pod",
        example="start train-7b",
        run=run_start,
    ),
}

END_CLICKS: Mapping[str, Press] = {
    "pod_terminate": press_terminate,
    "pod_stop": press_stop,
    "pod_leave": press_leave,
    "deed_undo": press_undo,
}
