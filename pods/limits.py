"""Limits on harm. They count what a clock decided; zero means zero.

*Stale*: when one is exceeded, nothing of the pass is executed (of the per-owner limit: nothing of that
owner), for then it is our judgement that is in doubt. *Never-ran*: above its limits the oldest are ended
and the rest asked about, for a surge there means that a launch went wrong.
"""

import math
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from pods.facts import PodFacts
from pods.ids import PodId, UserId
from pods.policy import Policy


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
    """A limit that this pass would have exceeded."""

    limit: Limit
    wanted: int
    allowed: int
    owner: UserId | None = None


@dataclass(frozen=True, slots=True)
class Spent:
    """What clocks have ended within the last 24 hours."""

    stale: int = 0
    never_ran: int = 0


@dataclass(frozen=True, slots=True)
class Limited:
    """What the limits make of a pass."""

    held: frozenset[PodId]
    exceeded: tuple[Exceeded, ...]


def over_stale_limits(wanted: list[PodFacts], proved: int, spent: Spent, policy: Policy) -> Limited:
    """Of the pods that this pass would end, or announce the end of, those that a limit holds.

    `proved`: how many pods of our ledger there are.
    """
    number = len(wanted)
    whole_pass = [
        Exceeded(limit, number, allowed)
        for limit, allowed in (
            (Limit.STALE_PER_PASS, policy.max_reaps_per_pass),
            (Limit.STALE_PER_DAY, max(0, policy.max_reaps_per_day - spent.stale)),
            (Limit.STALE_SHARE, share_allowed(proved, policy)),
        )
        if number > allowed
    ]
    of_owner = Counter(pod.owner for pod in wanted)
    owners = [
        Exceeded(Limit.STALE_PER_OWNER, count, policy.max_reaps_per_owner, owner)
        for owner, count in of_owner.items()
        if count > policy.max_reaps_per_owner
    ]
    greedy = {exceeded.owner for exceeded in owners}
    held = frozenset(pod.pod_id for pod in wanted if whole_pass or pod.owner in greedy)
    return Limited(held, (*whole_pass, *owners))


def share_allowed(proved: int, policy: Policy) -> int:
    """The share of the proved pods, rounded down, never under the floor; a share of zero allows none."""
    if policy.max_reaps_share <= 0:
        return 0
    # 0.29 x 100 is 28.999… in floating point, and means 29.
    return max(math.floor(round(policy.max_reaps_share * proved, 9)), policy.max_reaps_share_floor)


def over_never_ran_limits(wanted: list[PodFacts], spent: Spent, policy: Policy) -> Limited:
    """Of the pods that this pass would end because they never ran, those beyond the limits: the youngest."""
    left_today = max(0, policy.never_ran_max_per_day - spent.never_ran)
    exceeded = tuple(
        Exceeded(limit, len(wanted), allowed)
        for limit, allowed in (
            (Limit.NEVER_RAN_PER_PASS, policy.never_ran_max_per_pass),
            (Limit.NEVER_RAN_PER_DAY, left_today),
        )
        if len(wanted) > allowed
    )
    allowed = max(0, min(policy.never_ran_max_per_pass, left_today))
    # Whatever never ran by our judgement has a creation time.
    oldest_first = sorted(wanted, key=lambda pod: (pod.created_at is None, pod.created_at, pod.pod_id))
    return Limited(frozenset(pod.pod_id for pod in oldest_first[allowed:]), exceeded)
