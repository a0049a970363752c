"""What admins can say and press, for the tables of the bot."""

from collections.abc import Mapping

from bot.switches.command import press_arm, run_arm, run_disarm, run_pause, run_unpause
from bot.table import Press, Verb

SWITCH_VERBS: Mapping[str, Verb] = {
    "pause": Verb(
        usage="pause",
        does="lets nothing at all be ended or stopped from now on",
        example="pause",
        run=run_pause,
        admins_only=True,
    ),
    "unpause": Verb(
        usage="unpause",
        does="lets go on what a pause holds",
        example="unpause",
        run=run_unpause,
        admins_only=True,
    ),
    "arm": Verb(
        usage="arm never-ran|stale",
        does="shows what I would do by myself, and lets me do it once you have confirmed it",
        example="arm never-ran",
        run=run_arm,
        admins_only=True,
    ),
    "disarm": Verb(
        usage="disarm never-ran|stale",
        does="lets me do that no longer",
        example="disarm stale",
        run=run_disarm,
        admins_only=True,
    ),
}
SWITCH_CLICKS: Mapping[str, Press] = {"arm_confirm": press_arm}
