"""Deeds: destructive acts, from the intent to the proof that they took."""

from sqlalchemy import Index, text
from sqlmodel import Field, SQLModel

from storage.columns import Instant, Json, MaybeTime, MaybeWords, Time

OPEN = text("finished_at IS NULL")


class DeedRow(SQLModel, table=True):
    """One act on one pod. A pod has at most one that is not finished."""

    __tablename__ = "deed"
    __table_args__ = (Index("uq_deed_open", "pod_id", unique=True, sqlite_where=OPEN, postgresql_where=OPEN),)

    id: str = Field(primary_key=True)
    path: str
    act: str
    pod_id: str = Field(index=True)
    fingerprint: str
    owner: str | None = None
    actor: str
    question_id: str | None = None
    provision_id: str | None = None
    reason: MaybeWords = None
    evidence: Json
    created_at: Time
    not_before: Time
    state: str
    attempts: int = 0
    due_at: MaybeTime = Field(default=None, sa_type=Instant, index=True)
    lease_until: MaybeTime = None
    fencing: int = 0
    delete_status: int | None = None
    delete_at: MaybeTime = None
    read_back_status: int | None = None
    read_back_at: MaybeTime = None
    absent_at: MaybeTime = None
    outcome: str | None = None
    finished_at: MaybeTime = Field(default=None, sa_type=Instant, index=True)
    usd_per_hour: float | None = None
