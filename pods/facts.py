"""Everything that the judgement may know. No name, no note, no money: what is not here cannot decide.

No field has a default, so that a fact which somebody forgot to load is a type error and not a "no".
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from pods.ids import PodId, UserId
from pods.ownership import Grade
from pods.phase import Phase
from pods.policy import Policy


class Sight(StrEnum):
    """How the pod appeared in the listing that is being judged."""

    SEEN = "seen"
    UNREADABLE = "unreadable"
    """Listed, but nothing but its id could be read."""
    MISSING = "missing"
    """Not listed, and its absence is not explained."""


class PodFacts(NamedTuple):
    """One pod, as the listing, our history of it and our own records show it. `None` means unknown.

    A named tuple, because a hundred thousand are made in a large pass: a frozen dataclass of this width
    takes ten times as long to make. Name every field where you make one.
    """

    pod_id: PodId
    sight: Sight
    phase: Phase | None
    """None unless seen; `gone` also when it is missing and that is explained."""
    created_at: datetime | None
    """RunPod's creation time. Never used for staleness."""
    cluster_member: bool
    locked: bool

    grade: Grade
    owner: UserId | None
    in_ledger: bool
    """Our ledger made this very pod id; true also while claims on it conflict."""

    create_called_at: datetime | None
    """When our create call that made it was started."""
    provision_deadline: datetime | None
    """The deadline of the stage its provision is in; None unless that provision is under way."""
    failed_alive: bool
    """Its provision failed and left it alive, and nobody has decided since."""
    moved_or_copied: bool
    """It carries the marks of a provision of ours that has another pod, and the owner has not said."""
    keep_on_failure: bool
    """Ordered with --keep-on-bootstrap-failure."""
    heartbeat_at: datetime | None
    """The last sign of life of the pod's own agent; None also after that agent said it had finished."""
    progress_at: datetime | None
    """When its system log last had a new line."""
    fence_at: datetime | None
    """When it ends by itself, as enforced by us."""

    first_seen_at: datetime | None
    at_first_listing: bool
    """It was there at our very first listing."""
    watched_from_birth: bool
    """First listed at most `max_gap` after its birth, and without a gap since."""
    counting: int
    """Counting observations so far."""
    has_run: bool
    """One sign of the design's "has run" was seen at any time."""
    nulls: int
    """Counting observations without a runtime since it last showed one."""
    nulls_since: datetime | None
    error_since: datetime | None
    exited_since: datetime | None
    """The latest moment at which it can have exited, by our own observations."""
    first_seen_exited: bool
    """We never saw it as anything but exited, so that this moment is only our first sight of it."""
    provider_exited_at: datetime | None
    """When RunPod's status text says that it exited, if that text is valid."""

    kept_until: datetime | None
    """The end of the longest keep that could be read, passed or not."""
    keep_unreadable: bool
    knowing_until: datetime | None
    """The end of the last keep given in the knowledge that the pod never ran, passed or not."""

    ending: bool
    """An end of it by us is under way."""
    deed_in_episode: bool
    """The never-ran watcher has already had its one deed in this episode."""
    stale_notice_at: datetime | None
    """When Slack took the notice about this very exit; None: not delivered."""
    fence_notice_at: datetime | None
    """When Slack took the notice about this very fence; None: not delivered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassFacts:
    """What holds for a whole pass."""

    now: datetime
    listing_complete: bool
    """Every pod that is missing is explained. Otherwise this pass ends nothing and announces nothing."""
    clock_doubtful: bool
    witness_out: bool
    armed_never_ran: bool
    armed_stale: bool
    paused: bool
    policy: Policy
