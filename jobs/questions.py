"""Questions that are over without an answer: too old, about a pod that has changed, never carried out."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col

from jobs.house import House
from jobs.judgement.acting import present_fingerprint
from jobs.judgement.loading import load
from jobs.ticker import Pass
from pods.facts import PodFacts, Sight
from pods.ids import PodId
from pods.phase import Phase
from storage.columns import JsonObject
from storage.question import (
    IS_GONE,
    Question,
    QuestionRow,
    QuestionState,
    expire,
    note_outcome,
    open_questions,
    void,
)
from storage.question_group import redraw_copies
from storage.rows import read
from storage.trail import Event, record

ABOUT_A_STATE = frozenset({"card", "notice"})
"""The kinds of questions that hold only as long as the pod is what was asked about."""
HAS_CHANGED = "the pod has changed since"
NOT_BEGUN = "the decision was not carried out in time"


@dataclass(frozen=True, slots=True)
class Questions:
    """Closes what nobody can answer any more. Silence is no yes."""

    house: House

    async def run(self) -> Pass:
        """Close them, each once, and have every message that shows one drawn anew."""
        closed = await self.house.db.run(self._close)
        if closed:
            self.house.wakes.wake("outbox")
            self.house.wakes.wake("provisions")
        return Pass(sentence=f"{closed} questions closed" if closed else None)

    def _close(self, session: Session) -> int:
        now = self.house.clock.now()
        return sum(
            (
                sum(_expire(session, question, now) for question in _too_old(session, now)),
                self._void_changed(session, now),
                sum(_lapse(session, question, now) for question in _not_begun(session, now)),
            )
        )

    def _void_changed(self, session: Session, now: datetime) -> int:
        asked = [one for one in open_questions(session) if one.kind in ABOUT_A_STATE]
        if not asked:
            return 0
        pods = {facts.pod_id: facts for facts in load(session, now, self.house.policy).pods}
        return sum(_void(session, question, pods.get(PodId(question.pod_id)), now) for question in asked)


def set_aside(session: Session, questions: Iterable[Question], why: str, now: datetime) -> None:
    """What was asked or announced does not hold any more: `why`, as people read it. It is not to be believed
    later either, when the reason is over."""
    for question in questions:
        if void(session, question.id, now, why):
            _note(session, question, "question.void", now, why)


def _void(session: Session, question: Question, facts: PodFacts | None, now: datetime) -> bool:
    why = _changed(session, question, facts)
    if why is None or not void(session, question.id, now, why):
        return False
    _note(session, question, "question.void", now, why)
    return True


def _changed(session: Session, question: Question, facts: PodFacts | None) -> str | None:
    """None: it holds, or the pod cannot be seen, or could not be when it was asked, well enough to say."""
    if facts is None or ":" in question.fingerprint:
        return None
    if facts.phase is Phase.GONE:
        return IS_GONE
    if facts.sight is not Sight.SEEN or facts.phase is None or facts.ending:
        return None
    return None if present_fingerprint(session, facts) == question.fingerprint else HAS_CHANGED


def _too_old(session: Session, now: datetime) -> Iterable[Question]:
    return [one for one in open_questions(session) if one.expires_at is not None and one.expires_at <= now]


def _not_begun(session: Session, now: datetime) -> Iterable[Question]:
    """Decided, but the decision never became a deed."""
    waiting = (col(QuestionRow.state) == QuestionState.DECIDED) & (col(QuestionRow.execute_by) <= now)
    no_deed = col(QuestionRow.deed_id).is_(None) & col(QuestionRow.outcome).is_(None)
    return read(session, Question, QuestionRow, waiting, no_deed)


def _expire(session: Session, question: Question, now: datetime) -> bool:
    if not expire(session, question.id, now):
        return False
    _note(session, question, "question.expired", now, None)
    return True


def _lapse(session: Session, question: Question, now: datetime) -> bool:
    note_outcome(session, question.id, NOT_BEGUN)
    _note(session, question, "question.lapsed", now, NOT_BEGUN)
    return True


def _note(session: Session, question: Question, kind: str, now: datetime, why: str | None) -> None:
    told: JsonObject = {"question": question.id, "asked": question.asked, "why": why}
    record(session, Event(now, "podkeeper", kind, question.pod_id, told))
    redraw_copies(session, question, now)
