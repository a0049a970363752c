"""Questions to people about one pod in one state, the messages that show them, and what was said of what."""

from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import StrEnum

from sqlalchemy import ColumnElement, Index, text
from sqlmodel import Field, Session, SQLModel, col, select

from storage.columns import Json, JsonObject, MaybeTime, Time
from storage.outbox import Letter, send
from storage.rows import change, insert_new, read, read_one

OPEN = text("state = 'open'")
IS_GONE = "the pod is gone"
"""The outcome of a question that is void because nothing is left to decide about."""
CAME_OF = "came_of_asking"
PERSON = ("U", "W")
"""How Slack's ids of people begin."""


class QuestionState(StrEnum):
    """All but `open` are final."""

    OPEN = "open"
    DECIDED = "decided"
    VOID = "void"
    """The pod is no longer what was asked about."""
    EXPIRED = "expired"
    """Nobody answered in time. That is no yes."""


class QuestionRow(SQLModel, table=True):
    """A card or a notice. There is at most one open one for each fingerprint."""

    __tablename__ = "question"
    __table_args__ = (
        Index("uq_question_open", "fingerprint", unique=True, sqlite_where=OPEN, postgresql_where=OPEN),
    )

    id: str = Field(primary_key=True)
    kind: str
    pod_id: str = Field(index=True)
    fingerprint: str = Field(index=True)
    reason: str
    asked: str
    asked_by: str | None = None
    state: str = "open"
    facts: Json
    opened_at: Time
    expires_at: MaybeTime = None
    ends_at: MaybeTime = None
    delivered_at: MaybeTime = None
    decided_by: str | None = None
    decided_at: MaybeTime = None
    decision: str | None = None
    execute_by: MaybeTime = None
    deed_id: str | None = None
    outcome: str | None = None
    closed_at: MaybeTime = None


class QuestionCopyRow(SQLModel, table=True):
    """A message of the outbox that shows a question, to be redrawn when it changes."""

    __tablename__ = "question_copy"

    question_id: str = Field(primary_key=True, foreign_key="question.id")
    message_id: str = Field(primary_key=True)


@dataclass(frozen=True, slots=True)
class Question:
    """A question to `asked`, a user or a channel. `kind`: card, notice.

    `delivered_at`: when Slack took it. `ends_at`, of a notice: when the pod ends by itself, if at all.
    """

    id: str
    kind: str
    pod_id: str
    fingerprint: str
    reason: str
    asked: str
    opened_at: datetime
    expires_at: datetime | None
    asked_by: str | None = None
    ends_at: datetime | None = None
    facts: JsonObject = field(default_factory=dict)
    state: QuestionState = QuestionState.OPEN
    delivered_at: datetime | None = None
    decided_by: str | None = None
    decided_at: datetime | None = None
    decision: str | None = None
    execute_by: datetime | None = None
    deed_id: str | None = None
    outcome: str | None = None
    closed_at: datetime | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "state", QuestionState(self.state))


def ask(session: Session, question: Question) -> bool:
    """Open a question. False if one is open about the very same state of the pod."""
    return insert_new(session, QuestionRow, asdict(question))


def decide(
    session: Session, question_id: str, by: str, decision: str, at: datetime, execute_by: datetime | None
) -> bool:
    """The first decision wins. False if it is decided, void or expired already, or its time is up."""
    answerable = col(QuestionRow.expires_at).is_(None) | (col(QuestionRow.expires_at) > at)
    decided = {"decided_by": by, "decided_at": at, "decision": decision, "execute_by": execute_by}
    return _close(session, question_id, QuestionState.DECIDED, at, answerable, **decided)


def void(session: Session, question_id: str, at: datetime, why: str) -> bool:
    """The pod changed. False if the question is closed already."""
    return _close(session, question_id, QuestionState.VOID, at, outcome=why)


def expire(session: Session, question_id: str, at: datetime) -> bool:
    """Its time is up. False if it is not, or the question is closed already."""
    return _close(session, question_id, QuestionState.EXPIRED, at, col(QuestionRow.expires_at) <= at)


def note_delivery(session: Session, question_id: str, at: datetime) -> None:
    """Slack took it. Only the first time counts."""
    first = (col(QuestionRow.id) == question_id) & col(QuestionRow.delivered_at).is_(None)
    change(session, QuestionRow, first, delivered_at=at)


def note_outcome(session: Session, question_id: str, outcome: str, deed_id: str | None = None) -> None:
    """What came of the decision."""
    values = {"outcome": outcome} if deed_id is None else {"outcome": outcome, "deed_id": deed_id}
    change(session, QuestionRow, col(QuestionRow.id) == question_id, **values)


def question(session: Session, question_id: str) -> Question | None:
    return read_one(session, Question, QuestionRow, col(QuestionRow.id) == question_id)


def open_questions(session: Session, asked: str | None = None, *, kind: str | None = None) -> list[Question]:
    """Every open question, or those to one person or channel, or of one kind, the oldest first."""
    where = [col(QuestionRow.state) == QuestionState.OPEN]
    if asked is not None:
        where.append(col(QuestionRow.asked) == asked)
    if kind is not None:
        where.append(col(QuestionRow.kind) == kind)
    return read(session, Question, QuestionRow, *where, order_by=[col(QuestionRow.opened_at)])


def questions_about(session: Session, pod_id: str) -> list[Question]:
    """Every question about a pod, the newest first."""
    newest = col(QuestionRow.opened_at).desc()
    return read(session, Question, QuestionRow, col(QuestionRow.pod_id) == pod_id, order_by=[newest])


def shown_in(session: Session, question_id: str, message_id: str) -> None:
    """A message shows this question."""
    insert_new(session, QuestionCopyRow, {"question_id": question_id, "message_id": message_id})


def copies(session: Session, question_id: str) -> list[str]:
    """The ids of the messages that show this question."""
    shown = select(QuestionCopyRow.message_id).where(QuestionCopyRow.question_id == question_id)
    return list(session.exec(shown.order_by(col(QuestionCopyRow.message_id))))


def _close(
    session: Session,
    question_id: str,
    state: QuestionState,
    at: datetime,
    *also: ColumnElement[bool],
    **values: object,
) -> bool:
    still_open = (col(QuestionRow.id) == question_id) & (col(QuestionRow.state) == QuestionState.OPEN)
    if change(session, QuestionRow, still_open, *also, state=state, closed_at=at, **values) == 0:
        return False
    _tell_who_asked(session, question_id, at)
    return True


def _tell_who_asked(session: Session, question_id: str, at: datetime) -> None:
    """A person who had somebody else asked hears what came of it. An agent looks for itself."""
    asker = session.exec(select(QuestionRow.asked_by).where(QuestionRow.id == question_id)).one()
    if asker is not None and asker.startswith(PERSON):
        letter = Letter(f"came of/{question_id}", asker, CAME_OF, {"question": question_id})
        shown_in(session, question_id, send(session, letter, at))
