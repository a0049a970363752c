"""Which pods are there, which are gone, and whether a listing may be believed."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from pods.ids import PodId

ASKED_APART = timedelta(minutes=1)
"""Two answers of 404 explain an absence if they are at least this far apart."""


@dataclass(frozen=True, slots=True)
class Absence:
    """A pod that the last complete listing had, and what we have asked about it since."""

    pod_id: PodId
    ended_by_us: bool
    """A deed of ours on it succeeded: the delete was accepted and a later read said 404."""
    first_404_at: datetime | None = None
    last_404_at: datetime | None = None
    found_at: datetime | None = None
    """A read by id answered 200 although the listing lacks it: the listing lies."""


@dataclass(frozen=True, slots=True)
class Absences:
    """What is to be thought of a listing."""

    complete: bool
    gone: frozenset[PodId]
    """Explained: these are gone."""
    unexplained: frozenset[PodId]
    ask: frozenset[PodId]
    """To be read by id before the next listing."""
    blind: bool
    """Every pod is missing, or nothing was ever confirmed: no verdict may come from absence."""
    alarm: bool
    """So much is missing that the ops channel hears of it at once."""
    why: str | None
    """Why it is not complete, in one sentence."""
