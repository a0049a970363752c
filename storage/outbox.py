"""Messages on their way out: a row first, then Slack."""

from sqlmodel import Field, SQLModel

from storage.columns import Instant, Json, MaybeTime, MaybeWords, Time


class OutboxRow(SQLModel, table=True):
    """One message: what it is about (a kind and ids, never its text), where it goes, whether it got there."""

    __tablename__ = "outbox"

    id: str = Field(primary_key=True)
    dedupe: str = Field(unique=True)
    target: str
    thread_ts: str | None = None
    kind: str
    refs: Json
    updates: str | None = Field(default=None, index=True)
    urgent: bool = False
    created_at: Time
    due_at: MaybeTime = Field(default=None, sa_type=Instant, index=True)
    lease_until: MaybeTime = None
    fencing: int = 0
    attempts: int = 0
    state: str = "waiting"
    error: MaybeWords = None
    channel: str | None = None
    ts: str | None = None
    delivered_at: MaybeTime = Field(default=None, sa_type=Instant, index=True)
