"""What came of an end, a stop or a start: to whoever asked, to the owner, and loudly where it went wrong."""

from datetime import datetime
from typing import assert_never

from sqlmodel import Session

from bot.alerts.pods import called, had_cost
from bot.alerts.states import for_owner
from bot.text import code, mention, money, when, word
from jobs.outbox.kinds import Message
from pods.guards import Path
from pods.words import span_in_words
from storage.columns import JsonObject
from storage.deed import Deed, DeedState, deed

_WHY = {
    Path.NEVER_RAN: "nothing ever ran on it",
    Path.STALE: "it had been stopped for so long and nobody kept it",
    Path.FENCE: "its time was over, as ordered",
}
_DONE = {Path.STOP: "stopped", "start": "started"}
_DOING = {Path.STOP: "stop", "start": "start"}


def deed_told(session: Session, refs: JsonObject, now: datetime) -> Message | None:
    """The outcome."""
    act = deed(session, str(refs["deed"]))
    if act is None:
        return None
    pod = called(session, act.pod_id)
    match act.state:
        case DeedState.DONE:
            return for_owner(refs, _done(session, act, pod, now))
        case DeedState.REFUSED:
            why = word(act.outcome or "that is not allowed", 300)
            return for_owner(refs, f"{pod} was not {_done_word(act)}: {why}.")
        case DeedState.FAILED:
            why = word(act.outcome or "RunPod says that it cannot be done", 300)
            verb = _DOING.get(act.path, "end")
            return for_owner(
                refs, f":warning: *I cannot {verb} {pod}.* {why}. It is still there, and costs money."
            )
        case DeedState.DUE | DeedState.ACTING | DeedState.CONFIRMING | DeedState.UNDONE:
            return None
        case _:
            assert_never(act.state)


def end_not_confirmed(session: Session, refs: JsonObject, now: datetime) -> Message | None:
    """An end was ordered and has not taken, and costs money."""
    act = deed(session, str(refs["subject"]))
    if act is None or act.state not in (DeedState.ACTING, DeedState.CONFIRMING):
        return None
    waited = now - (act.attempted_at or act.created_at)
    rate = act.usd_per_hour
    lost = money(None if rate is None else rate * waited.total_seconds() / 3600)
    owner = str(refs.get("owner") or "")
    whose = f"{mention(owner)}: " if owner[:1] in ("U", "W") else ""
    tried = f"I have been trying to end {called(session, act.pod_id)} for {span_in_words(waited)}"
    return for_owner(
        refs,
        f":warning: {whose}{tried}, and RunPod has not confirmed it. Meanwhile it has cost about {lost}. "
        "I go on trying.",
    )


def _done(session: Session, act: Deed, pod: str, now: datetime) -> str:
    at = act.answered_at or act.finished_at or now
    if act.path in _DONE:
        return f"{pod} was {_done_word(act)} at {when(at)}."
    spent = had_cost(session, act.pod_id, at)
    if act.path in _WHY:
        why = f"`/pod why {act.pod_id}` shows what I saw."
        return f"{pod} was ended at {when(at)}, because {_WHY[Path(act.path)]}.{spent} {why}"
    by = f" by {mention(act.actor)}" if act.actor[:1] in "UW" else ""
    by = f" by the agent {code(act.agent)}" if act.agent else by
    reason = f", who gave as the reason: {word(act.reason, 300)}" if act.reason and by else ""
    return f"{pod} was ended at {when(at)}{by}{reason}.{spent}"


def _done_word(act: Deed) -> str:
    return _DONE.get(act.path, "ended")
