"""What people can say to keep pods, for the tables of the bot."""

from collections.abc import Mapping

from bot.keep.command import run_keep, run_unkeep
from bot.keep.pressing import CALLBACK, check, press_keep, submit
from bot.table import Form, Press, Verb

_KEEP = Verb(
    usage="keep POD DURATION [reason]",
    does="protects a pod for a time, and moves its end later, never earlier; also `extend`",
    example="keep train-7b 2d long evaluation",
    run=run_keep,
)
KEEP_VERBS: Mapping[str, Verb] = {
    "keep": _KEEP,
    "extend": _KEEP,
    "unkeep": Verb(
        usage="unkeep POD",
        does="takes the protection away",
        example="unkeep train-7b",
        run=run_unkeep,
    ),
}
KEEP_CLICKS: Mapping[str, Press] = {"pod_keep": press_keep}
KEEP_FORMS: Mapping[str, Form] = {CALLBACK: Form(check=check, submit=submit)}
