"""What one pass over a provision has seen. `None` everywhere means: not looked at in this pass."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from pods.adoption import Candidate
from pods.provision.refusals import Refusal
from pods.provision.value import Checkout, Fence
from pods.snapshot import SshEndpoint


class EndedBy(StrEnum):
    """Who or what ended a pod before its provision did."""

    STOPPED = "stopped"
    TERMINATED_ELSEWHERE = "terminated_elsewhere"
    TAKEN = "taken"
    BALANCE = "balance"
    FENCE = "fence"


@dataclass(frozen=True, slots=True)
class Present:
    """The provider showed the pod, freshly, and it has not ended."""

    endpoint: SshEndpoint | None
    usd_per_hour: float | None = None


@dataclass(frozen=True, slots=True)
class Missing:
    """A fresh answer lacked the pod and nothing explains it. Says nothing."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The pod is stopped, or gone and its absence explained."""

    by: EndedBy


class Probe(StrEnum):
    """What one attempt to log in met."""

    REFUSED = "refused"
    TIMED_OUT = "timed_out"
    """No answer, no banner, no route: it may be our own network."""
    BANNER = "banner"
    """A server answered, and then the connection broke."""
    REJECTED = "rejected"
    """A server answered and did not accept our key."""
    HOST_KEY_CHANGED = "host_key_changed"
    LOGGED_IN = "logged_in"


class Work(StrEnum):
    """What is run on the pod, detached."""

    BOOTSTRAP = "bootstrap"
    PREFLIGHT = "preflight"


class RemoteState(StrEnum):
    ABSENT = "absent"
    RUNNING = "running"
    EXITED = "exited"
    DEAD = "dead"
    """Its process is gone and left no exit status: it was killed, or the container restarted."""
    UNKNOWN = "unknown"
    """The connection dropped, or the exit file is not whole."""


@dataclass(frozen=True, slots=True)
class Remote:
    """How one numbered run stands on the pod."""

    work: Work
    run: int
    state: RemoteState
    rc: int | None = None


@dataclass(frozen=True, slots=True)
class Started:
    """The pod said that this run is under way, whoever started it."""

    work: Work
    run: int
    confirmed: bool
    rc: int | None = None
    """The exit status of a run that cannot be started at all, as a shell says it."""


@dataclass(frozen=True, slots=True)
class Created:
    """A create call was answered with a pod."""

    call: int
    pod_id: str
    created_at: datetime | None
    usd_per_hour: float | None
    data_center: str | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """A create call was answered with an error."""

    call: int
    status: int
    text: str
    retry_after: timedelta | None = None
    meaning: Refusal | None = None
    """Where whoever read the answer knows it better than status and text can tell."""


@dataclass(frozen=True, slots=True)
class NotSent:
    """A create call certainly never reached the provider."""

    call: int
    why: str
    retry_after: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Lost:
    """A create call was sent and its answer never came."""

    call: int
    why: str


class Permit(StrEnum):
    """Whether this order may be sent out at all: rights, an owner's click."""

    UNDECIDED = "undecided"
    ALLOWED = "allowed"
    GO_ON = "go_on"
    """A person was asked and has just said yes."""
    ASKED = "asked"
    EXPIRED = "expired"
    NOT_ALLOWED = "not_allowed"


class CleanUp(StrEnum):
    """How the executor stands with the teardown that the provision asked for."""

    WORKING = "working"
    CONFIRMED = "confirmed"
    HELD = "held"
    """Put off, because everything is paused."""
    REFUSED = "refused"
    VETOED = "vetoed"
    """Its last look found a sign of life: the pod is left alone."""


class OwnerSays(StrEnum):
    GO_ON = "go_on"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Branch:
    """What reading the checkout gave; `None` if the pod could not be asked."""

    checkout: Checkout | None


@dataclass(frozen=True, slots=True)
class SystemLog:
    """The time of the newest line of the pod's system log; `None`: no line, or unreadable."""

    newest_at: datetime | None


@dataclass(frozen=True, slots=True)
class Seen:
    """The facts of one pass. What an effect answered is added to it and kept until the pass ends.

    Every effect has an answer; that it could not be done is one too (`Lost`, `TIMED_OUT`, `UNKNOWN`,
    `confirmed=False`, `checkout=None`).
    """

    pod: Present | Missing | Ended | None = None
    candidates: tuple[Candidate, ...] | None = None
    """Every pod of a fresh listing that bears this provision's key in name or environment."""
    create: Created | Refused | NotSent | Lost | None = None
    fence: Fence | None = None
    probe: Probe | None = None
    system_log: SystemLog | None = None
    started: Started | None = None
    remote: Remote | None = None
    branch: Branch | None = None
    work_stopped: bool | None = None
    """Whether stopping the work on the pod succeeded."""
    clean_up: CleanUp | None = None
    permit: Permit = Permit.UNDECIDED
    cancel: bool = False
    retry: bool = False
    owner_says: OwnerSays | None = None
    clock_doubtful: bool = False
    witness_out: bool = False
    """The provider's nulls count for nothing now."""
    token: str = ""
    """A fresh random token, for the next create call."""
    bad_places: frozenset[tuple[str, str]] = frozenset()
    """GPU type and data centre where a pod of ours did not come up during the last day."""
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The data centres that offer each GPU type, best stock first."""
