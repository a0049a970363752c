"""Every pod that was ever seen: its last snapshot, what history says of it, its episodes."""

from sqlmodel import Field, SQLModel

from storage.columns import Instant, JsonList, MaybeJson, MaybeTime, MaybeWords, Time, Words


class PodRow(SQLModel, table=True):
    """One pod id. The snapshot of the last listing that had it, as columns, and the history in short."""

    __tablename__ = "pod"

    pod_id: str = Field(primary_key=True)
    name: Words
    status: str
    phase: str
    shows_life: bool
    created_at: MaybeTime = None
    started_at: MaybeTime = None
    gpu_type: str | None = None
    gpu_count: int | None = None
    usd_per_hour: float | None = None
    data_center: str | None = None
    cloud: str | None = None
    image: MaybeWords = None
    mounts: MaybeJson = None
    container_disk_gb: int | None = None
    ssh_host: str | None = None
    ssh_port: int | None = None
    locked: bool = False
    cluster_member: bool = False
    provision_mark: str | None = None
    create_mark: str | None = None
    actions: JsonList
    unreadable: MaybeWords = None
    first_seen_at: Time
    seen_at: Time
    missing_since: MaybeTime = None
    not_found_at: MaybeTime = None
    gone_at: MaybeTime = Field(default=None, sa_type=Instant, index=True)
    gone_why: str | None = None


class EpisodeRow(SQLModel, table=True):
    """A stretch of time in which a pod stayed in one phase. Polls extend it; only changes add one."""

    __tablename__ = "episode"

    pod_id: str = Field(primary_key=True)
    n: int = Field(primary_key=True)
    phase: str
    from_at: Time
    to_at: Time
    observations: int
    longest_gap_s: float
