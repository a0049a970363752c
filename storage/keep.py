"""Keeps: time-boxed protections of a pod; and the heartbeats of agents."""

from sqlmodel import Field, SQLModel

from storage.columns import MaybeTime, MaybeWords, Time


class KeepRow(SQLModel, table=True):
    """A keep without a readable `until` counts as a keep."""

    __tablename__ = "keep"

    id: str = Field(primary_key=True)
    pod_id: str = Field(index=True)
    until: MaybeTime
    by: str
    kind: str
    knowingly: bool = False
    reason: MaybeWords = None
    at: Time
    lifted_by: str | None = None
    lifted_at: MaybeTime = None


class HeartbeatRow(SQLModel, table=True):
    """The last sign of life of an agent about a pod. It says nothing about the pod."""

    __tablename__ = "heartbeat"

    pod_id: str = Field(primary_key=True)
    agent: str = Field(primary_key=True)
    at: Time
    finished_at: MaybeTime = None
