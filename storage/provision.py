"""The ledger's tables: every provision, each of its create calls, each line that was told of it."""

from sqlalchemy import Index, text
from sqlmodel import Field, SQLModel

from storage.columns import Instant, MaybeTime, Time, Words

LIVE = text("name_freed_at IS NULL")


class ProvisionRow(SQLModel, table=True):
    """One wish for a pod, for ever. The database refuses to delete it or to move it to another pod.

    `run` is the whole provision as the state machine writes it; what queries need of it stands beside it.
    """

    __tablename__ = "provision"
    __table_args__ = (
        Index("uq_provision_live_name", "name", unique=True, sqlite_where=LIVE, postgresql_where=LIVE),
    )

    id: str = Field(primary_key=True)
    name: Words
    name_freed_at: MaybeTime = None
    owner: str = Field(index=True)
    asker: str
    agent: str | None = Field(default=None, index=True)
    door: str
    notify: str | None = None
    channel: str | None = None
    head_message: str | None = None
    created_at: Time
    run: Words
    stage: str = Field(index=True)
    stage_since: Time
    deadline_at: MaybeTime = None
    keep_on_failure: bool
    pod_id: str | None = Field(default=None, unique=True)
    gpu: str | None = None
    usd_per_hour: float | None = None
    reached_at: MaybeTime = None
    logged_in_at: MaybeTime = None
    fence_at: MaybeTime = None
    outcome: str | None = None
    exit_code: int | None = None
    finished_at: MaybeTime = Field(default=None, sa_type=Instant, index=True)
    cancelled_by: str | None = None
    cancelled_at: MaybeTime = None
    retry_by: str | None = None
    retry_at: MaybeTime = None
    go_on_by: str | None = None
    go_on_at: MaybeTime = None
    decided_by: str | None = None
    decided_at: MaybeTime = None
    asks: int = 0
    updated_at: Time
    due_at: MaybeTime = Field(default=None, sa_type=Instant, index=True)
    lease_until: MaybeTime = None
    fencing: int = 0


class CreateCallRow(SQLModel, table=True):
    """One create call, written before it is made. Its pod id is what makes a pod `proved`."""

    __tablename__ = "create_call"

    provision_id: str = Field(primary_key=True, foreign_key="provision.id")
    n: int = Field(primary_key=True)
    token: str = Field(unique=True)
    started_at: Time
    ended_at: MaybeTime = None
    state: str
    pod_id: str | None = Field(default=None, unique=True)


class ProvisionLineRow(SQLModel, table=True):
    """One line that was told of a provision."""

    __tablename__ = "provision_line"

    provision_id: str = Field(primary_key=True, foreign_key="provision.id")
    n: int = Field(primary_key=True)
    at: Time
    line: Words
