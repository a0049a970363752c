"""One provision as its row holds it: everything the decision needs to remember between two looks."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from pydantic import TypeAdapter

from pods.order import Order
from pods.provision.outcomes import Outcome
from pods.provision.refusals import Refusal
from pods.provision.stages import Stage
from pods.snapshot import SshEndpoint


class CallState(StrEnum):
    OPEN = "open"
    """The intent is written; no answer has been seen."""
    LOST = "lost"
    """The answer was lost, late or a 5xx: a pod may exist. Looked for as long as the row is open."""
    BOUND = "bound"
    """A pod id is bound to this call, for ever."""


@dataclass(frozen=True, slots=True)
class CreateCall:
    """One create call that made a pod, or may have. Calls that were refused are only counted."""

    number: int
    token: str
    gpu: str
    data_centers: tuple[str, ...]
    asked_at: datetime
    state: CallState = CallState.OPEN
    ended_at: datetime | None = None
    """When the answer, or the end of waiting for it, was seen; unknown if we died during the call."""
    pod_id: str | None = None


@dataclass(frozen=True, slots=True)
class Capacity:
    """How far the search for a free machine has come."""

    calls_made: int = 0
    next_gpu: int = 0
    """Index into the order's GPU types of the one to try next."""
    rounds: int = 0
    """How often every GPU type was tried in vain."""
    put_off: int = 0
    """How often in a row a call could not be sent or was told to come back later."""
    retry_at: datetime | None = None
    first_call_at: datetime | None = None
    last_refusal: Refusal | None = None
    last_text: str | None = None


@dataclass(frozen=True, slots=True)
class Pod:
    """The pod that is bound to the provision."""

    pod_id: str
    call: int
    gpu: str
    created_at: datetime
    """The provider's time if it was readable, else the start of the call."""
    usd_per_hour: float | None
    data_center: str | None = None


@dataclass(frozen=True, slots=True)
class Reach:
    """What our attempts to connect have met so far. Nothing here is ever taken back."""

    banner: bool = False
    """An SSH server answered: the pod was reached."""
    unanswered: bool = False
    """An attempt got no answer at all, which may be our own network."""
    refused: bool = False
    logged_in: bool = False
    trouble: str | None = None
    """Why a server that answered did not let us in."""


@dataclass(frozen=True, slots=True)
class Fence:
    """The fence in force, as read back from what enforces it."""

    terminates_at: datetime | None


@dataclass(frozen=True, slots=True)
class Checkout:
    """What is checked out on the pod. `None`: could not be read, or detached."""

    branch: str | None
    head: str | None
    detached: bool = False
    remote_commit: str | None = None
    """What the asked-for name resolves to at the remote."""


@dataclass(frozen=True, slots=True)
class Said:
    """A line of the provision, and when it was said."""

    at: datetime
    line: str


@dataclass(frozen=True, slots=True)
class Provision:
    """The row. `id` is the provision's key for ever; times are aware UTC."""

    id: str
    order: Order
    wished_at: datetime
    stage: Stage
    stage_since: datetime
    looked_at: datetime
    """The last look that counted. Once work runs on the pod, only an answer from the pod counts."""
    deadline: datetime | None = None
    """When the present wait runs out; a stored time, judged only after a fresh look."""
    blind: bool = False
    """There was a gap between two looks while a pod may have existed."""
    long_gap_at: datetime | None = None
    """A gap of over an hour ended then, and the owner has not yet said to go on."""
    asked_owner_at: datetime | None = None
    calls: tuple[CreateCall, ...] = ()
    capacity: Capacity = field(default_factory=Capacity)
    pod: Pod | None = None
    extra_pods: tuple[str, ...] = ()
    """Further pods that our own calls made and that are handed to the executor or asked about already."""
    copies: tuple[str, ...] = ()
    """Pods that bear our marks without being adopted: moved or copied, and asked about already."""
    fence: Fence | None = None
    endpoint: SshEndpoint | None = None
    reach: Reach = field(default_factory=Reach)
    run: int = 0
    """Number of the present bootstrap run; counts from 1."""
    started_at: datetime | None = None
    """When the pod confirmed that the present stage's work was started on it."""
    tries: int = 0
    """Attempts made in the present stage; makes the pauses grow."""
    silent_since: datetime | None = None
    """Since when the pod, which runs work for us, answers none of our connections."""
    missing_since: datetime | None = None
    """Since when RunPod's fresh answers lack the pod, and nothing explains it."""
    bootstrap_rc: int | None = None
    preflight_rc: int | None = None
    checkout: Checkout | None = None
    branch_rc: int | None = None
    cancelled_at: datetime | None = None
    cleaning: str | None = None
    """The pod that is being torn down because nobody ever reached it."""
    outcome: Outcome | None = None
    lines: tuple[Said, ...] = ()

    @property
    def runpod_name(self) -> str:
        """The pod's name at RunPod."""
        return f"{self.order.name}-{self.id}"

    @property
    def unresolved(self) -> tuple[CreateCall, ...]:
        """The calls of which we do not know whether they made a pod."""
        return tuple(call for call in self.calls if call.state is not CallState.BOUND)

    @property
    def never_reached(self) -> bool:
        """Nothing ever answered, every mapped port refused, and we watched all the time."""
        return not (self.reach.banner or self.reach.unanswered or self.blind)


_ROW = TypeAdapter(Provision)


def to_json(provision: Provision) -> str:
    """The provision as its row stores it."""
    return _ROW.dump_json(provision).decode()


def from_json(text: str) -> Provision:
    """The provision that `to_json` stored. Raises `pydantic.ValidationError` if the row is damaged."""
    return _ROW.validate_json(text)
