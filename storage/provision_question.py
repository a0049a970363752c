"""Questions of a provision to its owner: go on after a long gap, a second pod, a moved or copied pod."""

from datetime import datetime

from sqlmodel import Session, col

from pods.provision.effects import Question as About
from pods.provision.seen import OwnerSays
from storage.question import Question, QuestionRow, QuestionState, ask
from storage.rows import read

GO_ON = "go_on"
"""The kind of a question that stands for no pod but for the provision itself."""


def ask_owner(session: Session, question: Question) -> bool:
    """Open it. False if the very same is open."""
    return ask(session, question)


def go_on_fingerprint(provision_id: str, asked_at: datetime) -> str:
    """One question for each time that a provision has to ask whether to go on."""
    return f"{About.GO_ON_AFTER_GAP}:{provision_id}:{asked_at.isoformat()}"


def owner_says(
    session: Session, provision_id: str, asked_at: datetime | None, go_on_at: datetime | None
) -> OwnerSays | None:
    """What came of the question whether to go on, if it was put. None: nothing yet."""
    if asked_at is None:
        return None
    if go_on_at is not None and go_on_at >= asked_at:
        return OwnerSays.GO_ON
    fingerprint = go_on_fingerprint(provision_id, asked_at)
    found = read(session, Question, QuestionRow, col(QuestionRow.fingerprint) == fingerprint)
    for question in found:
        match question.state:
            case QuestionState.DECIDED:
                return OwnerSays.GO_ON if question.decision == GO_ON else OwnerSays.EXPIRED
            case QuestionState.EXPIRED | QuestionState.VOID:
                return OwnerSays.EXPIRED
            case QuestionState.OPEN:
                return None
    return None
