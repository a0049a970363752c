"""What came of the clocks' ends, and which end is not confirmed."""

from datetime import datetime

from sqlmodel import Session

from bot.alerts.pods import called, had_cost
from bot.alerts.states import for_owner
from bot.text import mention, money, when
from jobs.outbox.kinds import Message
from pods.guards import Path
from pods.words import span_in_words
from storage.columns import JsonObject
from storage.deed import DeedState, deed

_WHY = {
    Path.NEVER_RAN: "nothing ever ran on it",
    Path.STALE: "it had been stopped for so long and nobody kept it",
    Path.FENCE: "its time was over, as ordered",
}


def ended_by_clock(session: Session, refs: JsonObject, now: datetime) -> Message | None:
    """To the owner: what, why, when, and what it had cost."""
    act = deed(session, str(refs["deed"]))
    if act is None or act.state is not DeedState.DONE:
        return None
    at = act.answered_at or act.finished_at or now
    because = f", because {_WHY[Path(act.path)]}" if act.path in _WHY else ""
    return for_owner(
        refs,
        f"{called(session, act.pod_id)} was ended at {when(at)}{because}.{had_cost(session, act.pod_id, at)} "
        f"`/pod why {act.pod_id}` shows what I saw.",
    )


def end_not_confirmed(session: Session, refs: JsonObject, now: datetime) -> Message | None:
    """An end was ordered and has not taken, and costs money."""
    act = deed(session, str(refs["subject"]))
    if act is None or act.state not in (DeedState.ACTING, DeedState.CONFIRMING):
        return None
    waited = now - (act.attempted_at or act.created_at)
    rate = act.usd_per_hour
    lost = None if rate is None else rate * waited.total_seconds() / 3600
    cost = f"it has cost about {money(lost)}" if lost is not None else "nobody knows what it costs"
    owner = str(refs.get("owner") or "")
    whose = f"{mention(owner)}: " if owner[:1] in ("U", "W") else ""
    tried = f"I have been trying to end {called(session, act.pod_id)} for {span_in_words(waited)}"
    return for_owner(
        refs,
        f":warning: {whose}{tried}, and RunPod has not confirmed it. Meanwhile {cost}. I go on trying.",
    )
