"""Opening questions: one for each state of a pod, and none again for a while after nobody answered."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlmodel import Session

from jobs.house import House
from jobs.judgement.acting import present_fingerprint
from pods.facts import PodFacts
from pods.verdict import Reason
from storage.columns import JsonObject
from storage.keys import new_key
from storage.outbox import Letter, send
from storage.question import Question, QuestionState, ask, questions_about, shown_in
from storage.trail import Event, record

CARD = "card"


def open_card(
    session: Session,
    house: House,
    facts: PodFacts,
    reason: Reason,
    people: Sequence[str],
    now: datetime,
    *,
    urgent: bool = False,
    not_before: datetime | None = None,
) -> bool:
    """Ask these people, the first of whom is the owner, what should happen to a pod in its present state.

    False if that is asked already, was decided just now, or stayed without an answer not long ago.
    """
    present = present_fingerprint(session, facts)
    if _withheld(questions_about(session, facts.pod_id), present, house, now):
        return False
    question = Question(
        id=new_key(),
        kind=CARD,
        pod_id=facts.pod_id,
        fingerprint=present,
        reason=reason,
        asked=people[0],
        opened_at=now,
        expires_at=now + house.answers.expires,
    )
    if not ask(session, question):
        return False
    for person in dict.fromkeys(people):
        first = person == people[0]
        name = f"card/{question.id}" if first else f"card/{question.id}/{person}"
        refs: JsonObject = {"question": question.id} if first else {"question": question.id, "to": person}
        message = send(session, Letter(name, person, CARD, refs, urgent=urgent), now, not_before)
        shown_in(session, question.id, message)
    told: JsonObject = {"question": question.id, "about": reason, "asked": [*dict.fromkeys(people)]}
    record(session, Event(now, "podkeeper", "question.asked", facts.pod_id, told))
    return True


def _withheld(asked: Iterable[Question], present: str, house: House, now: datetime) -> bool:
    return any(_holds_back(question, house, now) for question in asked if question.fingerprint == present)


def _holds_back(question: Question, house: House, now: datetime) -> bool:
    match question.state:
        case QuestionState.OPEN:
            return True
        case QuestionState.EXPIRED:
            return question.closed_at is None or now - question.closed_at < house.policy.ask_again
        case QuestionState.DECIDED:
            return question.decided_at is None or now - question.decided_at < house.answers.execute_by
        case QuestionState.VOID:
            return False
