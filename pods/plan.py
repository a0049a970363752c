"""The plan of one pass: the verdicts with the limits applied. The dry run prints it, the real run executes
the same object."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from pods.facts import PodFacts
from pods.ids import PodId, UserId
from pods.verdict import Verdict


class Limit(StrEnum):
    """Which limit on harm was exceeded."""

    STALE_PER_PASS = "stale_per_pass"
    STALE_PER_OWNER = "stale_per_owner"
    STALE_PER_DAY = "stale_per_day"
    STALE_SHARE = "stale_share"
    NEVER_RAN_PER_PASS = "never_ran_per_pass"
    NEVER_RAN_PER_DAY = "never_ran_per_day"


@dataclass(frozen=True, slots=True)
class Exceeded:
    """A limit that this pass would have exceeded. It is told to the ops channel."""

    limit: Limit
    wanted: int
    allowed: int
    owner: UserId | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """One pod, the facts that were used and what they came to."""

    facts: PodFacts
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Plan:
    """What a pass would do, whole. Nothing is left to choose."""

    at: datetime
    judged: tuple[Judged, ...]
    ends: tuple[PodId, ...]
    """To be ended now: reaps that nothing holds, in this order."""
    notices: tuple[PodId, ...]
    """Reaps that wait for nothing but a notice that has not been delivered yet."""
    questions: tuple[PodId, ...]
    """To be put to a person: asks, and reaps held by disarming or by a limit."""
    urgent: frozenset[PodId]
    """Questions that no quiet hours delay because a limit cut them off."""
    exceeded: tuple[Exceeded, ...]


@dataclass(frozen=True, slots=True)
class Spent:
    """What clocks have ended within the last 24 hours."""

    stale: int = 0
    never_ran: int = 0
