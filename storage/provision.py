"""The ledger: every provision, each of its create calls, and the pod that came of it."""

from sqlalchemy import Index, text
from sqlmodel import Field, SQLModel

from storage.columns import Instant, Json, MaybeTime, Time, Words


class ProvisionRow(SQLModel, table=True):
    """One wish for a pod, for ever. The database refuses to delete it or to move it to another pod."""

    __tablename__ = "provision"
    __table_args__ = (
        Index(
            "uq_provision_live_name",
            "name",
            unique=True,
            sqlite_where=text("name_freed_at IS NULL"),
            postgresql_where=text("name_freed_at IS NULL"),
        ),
    )

    id: str = Field(primary_key=True)
    name: Words
    name_freed_at: MaybeTime = None
    owner: str = Field(index=True)
    asker: str
    agent: str | None = Field(default=None, index=True)
    door: str
    notify: str | None = None
    order: Json
    stage: str = Field(index=True)
    run: Json
    stage_entered_at: Time
    due_at: MaybeTime = Field(default=None, sa_type=Instant, index=True)
    lease_until: MaybeTime = None
    fencing: int = 0
    pod_id: str | None = Field(default=None, unique=True)
    reached_at: MaybeTime = None
    logged_in_at: MaybeTime = None
    outcome: str | None = None
    exit_code: int | None = None
    cancelled_by: str | None = None
    cancelled_at: MaybeTime = None
    channel: str | None = None
    thread_ts: str | None = None
    message_ts: str | None = None
    created_at: Time
    finished_at: MaybeTime = None
    fence_at: MaybeTime = None
    gpu: str | None = None
    usd_per_hour: float | None = None


class CreateCallRow(SQLModel, table=True):
    """One create call, written before it is made. Its pod id is what makes a pod `proved`."""

    __tablename__ = "create_call"

    provision_id: str = Field(primary_key=True, foreign_key="provision.id")
    n: int = Field(primary_key=True)
    token: str = Field(unique=True)
    started_at: Time
    ended_at: MaybeTime = None
    result: str | None = None
    pod_id: str | None = Field(default=None, unique=True)


class ProvisionLineRow(SQLModel, table=True):
    """One line that was told of a provision."""

    __tablename__ = "provision_line"

    provision_id: str = Field(primary_key=True, foreign_key="provision.id")
    n: int = Field(primary_key=True)
    at: Time
    line: Words
