"""Orders that need a person before anything is rented: the question, and what it has come to."""

from datetime import datetime
from typing import assert_never

from sqlmodel import Session

from pods.provision.seen import Permit
from storage.keys import new_key
from storage.outbox import Letter, send
from storage.question import Question, QuestionState, ask, questions_about, shown_in

KIND = "order"


def ask_about_order(
    session: Session, provision_id: str, person: str, by: str, why: str, now: datetime, expires_at: datetime
) -> str:
    """Ask a person to let an order go on. It is about no pod yet, so the provision stands in its place."""
    question = Question(
        id=new_key(),
        kind=KIND,
        pod_id=provision_id,
        fingerprint=f"{KIND}:{provision_id}",
        reason="order_go_on",
        asked=person,
        asked_by=by,
        opened_at=now,
        expires_at=expires_at,
        facts={"provision": provision_id, "why": why},
    )
    ask(session, question)
    letter = Letter(f"card/{question.id}", person, "order_question", {"question": question.id})
    shown_in(session, question.id, send(session, letter, now))
    return question.id


def open_question(session: Session, provision_id: str) -> Question | None:
    """The question that the order waits for."""
    question = _question(session, provision_id)
    return question if question is not None and question.state is QuestionState.OPEN else None


def permit(session: Session, provision_id: str) -> Permit:
    """Whether the order may be sent out: nobody had to be asked, or what the one who was has said."""
    question = _question(session, provision_id)
    if question is None:
        return Permit.ALLOWED
    match question.state:
        case QuestionState.OPEN:
            return Permit.ASKED
        case QuestionState.DECIDED:
            return Permit.GO_ON if question.decision == "go_on" else Permit.NOT_ALLOWED
        case QuestionState.EXPIRED:
            return Permit.EXPIRED
        case QuestionState.VOID:
            return Permit.NOT_ALLOWED
        case _:
            assert_never(question.state)


def _question(session: Session, provision_id: str) -> Question | None:
    return next((each for each in questions_about(session, provision_id) if each.kind == KIND), None)
