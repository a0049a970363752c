"""Questions to people about one pod in one state, where their cards are, and what was said of what."""

from sqlalchemy import Index, text
from sqlmodel import Field, SQLModel

from storage.columns import Instant, Json, MaybeTime, Time

OPEN = text("state = 'open'")


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
    state: str = "open"
    facts: Json
    opened_at: Time
    expires_at: Time
    delivered_at: MaybeTime = None
    decided_by: str | None = None
    decided_at: MaybeTime = None
    decision: str | None = None
    execute_by: MaybeTime = None
    deed_id: str | None = None
    outcome: str | None = None
    closed_at: MaybeTime = None


class QuestionCopyRow(SQLModel, table=True):
    """A message of Slack that shows a question, to be redrawn when it changes."""

    __tablename__ = "question_copy"

    question_id: str = Field(primary_key=True, foreign_key="question.id")
    channel: str = Field(primary_key=True)
    ts: str = Field(primary_key=True)


class SaidRow(SQLModel, table=True):
    """That a state of something, counted from `since`, was said for the n-th time."""

    __tablename__ = "said"

    subject: str = Field(primary_key=True)
    state: str = Field(primary_key=True)
    since: Time = Field(primary_key=True, sa_type=Instant)
    n: int = Field(primary_key=True)
    at: Time
