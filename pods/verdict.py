"""What the judgement can say of a pod: a closed union of frozen values."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Reason(StrEnum):
    """Why. These codes are part of the contract (`audit --json`)."""

    UNREADABLE = "unreadable"
    LISTING_INCOMPLETE = "listing_incomplete"
    ALREADY_GONE = "already_gone"
    CLUSTER_MEMBER = "cluster_member"
    LOCKED = "locked"
    ENDING = "ending"
    FENCE_PASSED = "fence_passed"
    CLOCK_DOUBTFUL = "clock_doubtful"
    WITNESS_OUT = "witness_out"
    BOOTSTRAPPING = "bootstrapping"
    OWNER_ALIVE = "owner_alive"
    STARTING = "starting"
    NOT_OURS = "not_ours"
    NEVER_RAN_UNWATCHED = "never_ran_unwatched"
    NEVER_RAN_UNPROVED = "never_ran_unproved"
    NEVER_RAN = "never_ran"
    NEVER_RAN_KEPT = "never_ran_kept"
    CONFLICTING_CLAIMS = "conflicting_claims"
    KEEP_UNREADABLE = "keep_unreadable"
    KEPT = "kept"
    PROVISION_FAILED = "provision_failed"
    MOVED_OR_COPIED = "moved_or_copied"
    RUNNING = "running"
    LOST_RUNTIME = "lost_runtime"
    ERROR_STATE = "error_state"
    EXITED_RECENTLY = "exited_recently"
    EXIT_TIME_UNKNOWN = "exit_time_unknown"
    STALE = "stale"


class Held(StrEnum):
    """What keeps a reap from happening now, the widest obstacle first: the first that fits is named."""

    PAUSED = "paused"
    DISARMED = "disarmed"
    LIMIT = "limit"
    NOTICE = "notice"


@dataclass(frozen=True, slots=True)
class Keep:
    """Leave it alone."""

    reason: Reason
    rule: int
    """The line of the contract's decision table that decided."""
    changes_at: datetime | None = None
    """When this could change by the passing of time alone; None: only by something happening."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Put it to a person."""

    reason: Reason
    rule: int
    changes_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Reap:
    """End it, unless something holds it."""

    reason: Reason
    rule: int
    held: Held | None
    changes_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class CannotTell:
    """Do nothing, and tell somebody."""

    reason: Reason
    rule: int
    changes_at: datetime | None = None


Verdict = Keep | Ask | Reap | CannotTell
