"""What came of an act, told to whoever asked for it and to whomever it concerns."""

from datetime import datetime
from typing import assert_never

from sqlmodel import Session

from bot.alerts.pods import called, had_cost
from bot.text import actions, button, mention, per_hour, section, when, word
from gateways.slack.protocol import Block
from jobs.executor.words import CHANGED, KEPT_SINCE
from jobs.outbox.kinds import UNDELIVERABLE, Message
from pods.guards import Path
from storage.columns import JsonObject
from storage.deed import STOP, Deed, DeedState, deed

_LONGEST = 300


def deed_told(session: Session, refs: JsonObject, now: datetime) -> Message | None:
    """The outcome; nothing while there is none."""
    act = deed(session, str(refs["deed"]))
    if act is None:
        return None
    text = _text(session, act, now)
    if text is None:
        return None
    unreachable = refs.get(UNDELIVERABLE)
    said = f"{text}\nI could not reach {mention(str(unreachable))} about this." if unreachable else text
    return Message(said, [section(said), *_once_more(act)])


def _once_more(act: Deed) -> list[Block]:
    """Whoever wanted it ended may still want it, having seen what it is now."""
    if act.state is not DeedState.REFUSED or act.outcome not in (CHANGED, KEPT_SINCE):
        return []
    match act.path:
        case Path.OWNER:
            return [actions(button("Terminate", "pod_terminate", act.pod_id, "danger"))]
        case Path.STOP:
            return [actions(button("Stop", "pod_stop", act.pod_id))]
        case _:
            return []


def _text(session: Session, act: Deed, now: datetime) -> str | None:
    pod = called(session, act.pod_id)
    verb, done = ("stop", "stopped") if act.path == STOP else ("end", "ended")
    match act.state:
        case DeedState.DUE | DeedState.ACTING | DeedState.CONFIRMING:
            return None
        case DeedState.UNDONE:
            return f"{pod} is not {done}: {_called_off(act)}. Nothing was done to it."
        case DeedState.REFUSED:
            return f"I did not {verb} {pod}: {_outcome(act)}. Nothing was done to it."
        case DeedState.FAILED:
            return (
                f":warning: *{pod} could not be {done}.* {_outcome(act)}. It goes on costing "
                f"{per_hour(act.usd_per_hour)}; somebody has to look at it in RunPod's console."
            )
        case DeedState.DONE if act.path == STOP:
            return (
                f"{pod} is stopped{_by(act)}. What was on its container disk is gone; a volume disk stays, "
                "and goes on costing money."
            )
        case DeedState.DONE if act.attempts == 0:
            return f"{pod} was gone already; I had nothing to end."
        case DeedState.DONE:
            ended_at = act.answered_at or act.finished_at or now
            spent = had_cost(session, act.pod_id, ended_at)
            return f"{pod} is gone: ended{_by(act)} at {when(ended_at)}.{spent}"
        case _:
            assert_never(act.state)


def _called_off(act: Deed) -> str:
    said = act.outcome or "that was called off"
    by = said.removeprefix("undone by ")
    return f"{mention(by)} has called that off" if by != said else word(said, _LONGEST)


def _by(act: Deed) -> str:
    """Whoever decided, for those to whom that is news."""
    match act.path:
        case Path.ADMIN:
            reason = f" (“{word(act.reason, _LONGEST)}”)" if act.reason else ""
            return f" by {mention(act.actor)}{reason}"
        case Path.AGENT:
            return f" by your agent {word(act.agent or '')}"
        case _:
            return ""


def _outcome(act: Deed) -> str:
    return word(act.outcome or "for no reason that I know", _LONGEST).rstrip(".")
