"""What we have seen of a pod, folded up: polls extend a row, only changes add one."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from pods.has_run import Sign
from pods.ids import PodId
from pods.phase import Phase


@dataclass(frozen=True, slots=True)
class Observation:
    """One look at one pod."""

    pod_id: PodId
    at: datetime
    phase: Phase
    sign: Sign | None
    """A sign of "has run" in this very look."""
    started_at: datetime | None
    counts: bool
    """The listing was complete, the clock was sound and, for a look without a runtime, the witness
    was not out."""


@dataclass(frozen=True, slots=True)
class Episode:
    """A stretch of time in which a pod stayed in one phase since one start."""

    phase: Phase
    since: datetime
    until: datetime
    """The last observation in it."""
    observations: int
    counting: int
    longest_gap: timedelta
    """The longest time between two counting observations."""
    started_at: datetime | None


@dataclass(frozen=True, slots=True)
class PodHistory:
    """Exactly what is stored of one pod beside its episodes."""

    pod_id: PodId
    first_seen_at: datetime
    at_first_listing: bool
    last_seen_at: datetime
    last_counting_at: datetime | None
    gapless: bool
    """Never more than `max_gap` without a counting observation since the first."""
    counting: int
    has_run: Sign | None
    """The first sign of "has run". It never expires."""
    has_run_at: datetime | None
    started_at: datetime | None
    nulls: int
    nulls_since: datetime | None
    last_alive_at: datetime | None
    """The last observation of anything but `exited`: it cannot have exited before."""
    exited_since: datetime | None
    """The latest moment at which it can have exited."""
    episode: Episode
    """The open one."""
