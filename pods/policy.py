"""The settings that the judgement depends on, with the defaults of the contract."""

from dataclasses import dataclass
from datetime import timedelta

PROVISION_MARGIN = timedelta(minutes=2)
"""How long after its own deadline a provision is still left to itself."""

CLOCK_TOLERANCE = timedelta(minutes=2)
"""How far two honest clocks may be apart: a creation time within it is not yet "in the future"."""

PROGRESS_COUNTS_FOR = timedelta(minutes=5)
"""How long a new line of the system log counts as progress."""

LOST_RUNTIME_NULLS = 5
LOST_RUNTIME_AFTER = timedelta(minutes=30)
"""A pod has lost its runtime after at least this many counting nulls over at least this time."""

ERROR_ASKED_AFTER = timedelta(minutes=30)
"""How long a pod may be in error before its owner is asked."""

KNOWING_KEEP_LASTS = timedelta(hours=24)
"""A keep given in the knowledge that the pod never ran lasts this long unless said otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What an installation has set. A limit of 0 allows none; it is never "no limit"."""

    max_gap: timedelta = timedelta(minutes=5)
    stale_after: timedelta = timedelta(hours=24)
    stale_notice: timedelta = timedelta(hours=24)
    fence_notice: timedelta = timedelta(minutes=30)
    never_ran_grace: timedelta = timedelta(minutes=20)
    never_ran_hard_cap: timedelta = timedelta(minutes=60)
    never_ran_min_observations: int = 5
    never_ran_reaps_kept: bool = True
    heartbeat_ttl: timedelta = timedelta(minutes=15)
    claim_settle: timedelta = timedelta(hours=24)
    min_listing_share: float = 0.7
    max_reaps_per_pass: int = 5
    max_reaps_per_owner: int = 3
    max_reaps_per_day: int = 10
    max_reaps_share: float = 0.2
    max_reaps_share_floor: int = 2
    never_ran_max_per_pass: int = 10
    never_ran_max_per_day: int = 30
    agent_ends_per_day: int = 20
    ask_again: timedelta = timedelta(days=30)
