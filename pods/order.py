"""One order for one pod, with every choice made. What it does not say comes from `OrderDefaults`."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

VOLUME_PATH = "/workspace"
"""Where an ordered volume is mounted. Scripts on the pod are told; none of them assumes it."""


class Cloud(StrEnum):
    SECURE = "secure"
    COMMUNITY = "community"


@dataclass(frozen=True, slots=True)
class OrderDefaults:
    """What an order means that does not say, and its bounds. Plain values taken from the settings."""

    image: str
    gpu: str | None = None
    disk_gb: int = 50
    repo: str | None = None
    overlay_venv: bool = False
    longest_lifetime: timedelta = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Order:
    """One order. `None` means "not asked for"; sizes are in GB."""

    name: str
    gpus: tuple[str, ...]
    """As typed, or catalogue ids once matched. The first is tried first."""
    count: int = 1
    image: str | None = None
    template: str | None = None
    repo: str | None = None
    branch: str | None = None
    task: str | None = None
    lifetime: timedelta | None = None
    """`--for`: the pod ends this long after its creation."""
    disk_gb: int | None = None
    volume_gb: int | None = None
    network_volume: str | None = None
    data_centers: tuple[str, ...] = ()
    """Empty: anywhere."""
    cloud: Cloud = Cloud.SECURE
    env: tuple[tuple[str, str], ...] = ()
    ports: tuple[str, ...] = ()
    """Beside 22/tcp, which every pod has."""
    wait_capacity: timedelta | None = None
    overlay_venv: bool = False
    keep_on_bootstrap_failure: bool = False

    @property
    def volume_path(self) -> str | None:
        """Where the ordered volume is mounted, if one was ordered."""
        return VOLUME_PATH if self.volume_gb is not None or self.network_volume is not None else None
