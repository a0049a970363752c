"""Who says that a pod is theirs, and who hands one over. Structured only: no words are read here."""

from sqlalchemy import Index, text
from sqlmodel import Field, SQLModel

from storage.columns import MaybeTime, Time

STANDING = text("withdrawn_at IS NULL AND ended_at IS NULL")


class ClaimRow(SQLModel, table=True):
    """A claim by a person, by a confirmed agent for its owner, or by us for a pod moved or copied."""

    __tablename__ = "claim"
    __table_args__ = (
        Index(
            "uq_claim_standing",
            "pod_id",
            "owner",
            unique=True,
            sqlite_where=STANDING,
            postgresql_where=STANDING,
        ),
    )

    id: str = Field(primary_key=True)
    pod_id: str
    owner: str = Field(index=True)
    made_by: str
    made_by_kind: str
    at: Time
    objected_by: str | None = None
    objected_at: MaybeTime = None
    confirmed_by: str | None = None
    confirmed_at: MaybeTime = None
    withdrawn_by: str | None = None
    withdrawn_at: MaybeTime = None
    ended_at: MaybeTime = None


class HandOverRow(SQLModel, table=True):
    """An owner's gift of a pod to somebody else, in force once accepted."""

    __tablename__ = "hand_over"

    id: str = Field(primary_key=True)
    pod_id: str = Field(index=True)
    from_owner: str
    to_owner: str
    given_by: str
    at: Time
    accepted_at: MaybeTime = None
    ended_at: MaybeTime = None
