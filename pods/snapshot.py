"""One pod as one listing showed it, and the listing itself. Neither knows anything of history."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pods.phase import Phase, Status, phase_of
from pods.status_text import says_terminated


@dataclass(frozen=True, slots=True)
class SshEndpoint:
    """Where a pod's port 22 is reached directly."""

    host: str
    port: int


@dataclass(frozen=True, slots=True)
class Mounts:
    """What a pod has mounted: a volume disk dies with the pod, a network volume stays."""

    persistent_gb: int | None = None
    persistent_path: str | None = None
    network_volumes: tuple[str, ...] = ()
    network_path: str | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One pod as one answer of RunPod showed it. `None` means unknown, never "none" and never zero."""

    pod_id: str
    name: str
    status: Status
    shows_life: bool
    """A runtime with uptime > 0, a port or a GPU, or a direct SSH endpoint was in the answer."""
    created_at: datetime | None
    started_at: datetime | None
    gpu_type: str | None
    gpu_count: int | None
    usd_per_hour: float | None
    """`Pod.cost`; zero, negative and missing are unknown."""
    data_center: str | None
    cloud: str | None
    image: str | None
    mounts: Mounts | None
    container_disk_gb: int | None
    ssh: SshEndpoint | None
    locked: bool
    """Not known to be unlocked: anything but a plain `false` counts as locked."""
    cluster_member: bool
    """Known or suspected to belong to a cluster."""
    provision_mark: str | None
    """PODKEEPER_PROVISION in the pod's environment: a key to look up in the ledger, never proof."""
    create_mark: str | None
    """PODKEEPER_CREATE in the pod's environment: the token of one create call."""
    actions: tuple[str, ...] = ()
    """What RunPod says can be done now: start, stop, restart, terminate."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An entry of a listing of which nothing but its id could be read."""

    pod_id: str
    why: str


def phase_seen(seen: Snapshot | Unreadable, text: str | None) -> Phase | None:
    """The phase for the verdict, `text` being RunPod's status text of now, if it could be had; None: nothing
    can be said."""
    if not isinstance(seen, Snapshot):
        return None
    return phase_of(seen.status, shows_life=seen.shows_life, text_says_terminated=says_terminated(text))


@dataclass(frozen=True, slots=True)
class Absent:
    """RunPod's own 404 to a question for this very id. One such answer alone proves nothing: a new pod
    may be answered so for some seconds, and so may every pod of a team that the key cannot see."""

    pod_id: str
    at: datetime
    """Our clock when the answer had arrived."""


@dataclass(frozen=True, slots=True)
class Listing:
    """One answer of RunPod to "which pods are there"."""

    at: datetime
    """Our clock when the answer had arrived."""
    pods: Mapping[str, Snapshot | Unreadable]
    whole: bool
    """Answered 200 with cluster pods asked for, and every entry had a readable id. Whether a pod that
    is missing is explained is not known here."""
    provider_at: datetime | None = None
    """The answer's `Date` header."""
    why_not_whole: str | None = None
