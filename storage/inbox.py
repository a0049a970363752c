"""What came in: one row before the acknowledgement, handled once after it."""

from sqlmodel import Field, SQLModel

from storage.columns import Instant, Json, MaybeTime, Time


class InboxRow(SQLModel, table=True):
    """One thing that came in. Its id is the sender's own key for it, so that a second delivery is known."""

    __tablename__ = "inbox"

    id: str = Field(primary_key=True)
    kind: str
    payload: Json
    received_at: Time
    due_at: MaybeTime = Field(default=None, sa_type=Instant, index=True)
    lease_until: MaybeTime = None
    fencing: int = 0
    attempts: int = 0
    done_at: MaybeTime = Field(default=None, sa_type=Instant, index=True)
    outcome: str | None = None
