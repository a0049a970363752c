"""A deed is over: what becomes of its row, of what hangs on the pod, and who is told."""

from datetime import datetime

from sqlmodel import Session

from jobs.executor.telling import tell
from jobs.house import House
from pods.ids import PodId
from storage.columns import JsonObject
from storage.deed import STOP, Deed, DeedState
from storage.deed_work import finish
from storage.ledger import record_of_pod
from storage.pod import mark_gone
from storage.provision_asks import free_name, note_decided
from storage.question import IS_GONE, note_outcome, questions_about, void
from storage.question import question as question_of
from storage.said import forget_said
from storage.trail import Event, record

PODKEEPER = "podkeeper"


def close(
    session: Session,
    house: House,
    taken: Deed,
    state: DeedState,
    now: datetime,
    outcome: str | None = None,
    evidence: JsonObject | None = None,
    **changes: object,
) -> Deed | None:
    """Write the outcome, with everything that follows from it. None if another has taken the deed since."""
    over = finish(session, taken, state, now, outcome, **changes)
    if over is None:
        return None
    told: JsonObject = {"deed": over.id, "path": over.path, "attempts": over.attempts, "outcome": outcome}
    record(session, Event(now, PODKEEPER, f"deed.{state}", over.pod_id, {**told, **(evidence or {})}))
    if state is DeedState.DONE:
        _settle(session, over, now)
    if over.question_id and question_of(session, over.question_id):
        note_outcome(session, over.question_id, outcome or state, over.id)
    forget_said(session, over.id)
    tell(session, house, over, now)
    return over


def _settle(session: Session, done: Deed, now: datetime) -> None:
    """What hung on the pod as it was is settled: its provision's question, and if it is gone, its record."""
    made_by = record_of_pod(session, done.pod_id)
    if made_by is not None:
        note_decided(session, made_by.id, done.actor, now)
    if done.path == STOP:
        return
    mark_gone(session, [PodId(done.pod_id)], now, "ended by us" if done.attempts else "found gone")
    forget_said(session, done.pod_id)
    if made_by is not None:
        free_name(session, made_by.id, now)
    for asked in questions_about(session, done.pod_id):
        void(session, asked.id, now, IS_GONE)
