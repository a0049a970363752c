"""A small truth that a provision is driven through: one pod, its SSH server, its scripts, and time."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from pods.adoption import Candidate
from pods.exit_codes import ExitCode
from pods.line_order import faults_of
from pods.order import Order
from pods.provision.decide import decide
from pods.provision.decision import Advance, Do, Finish, Policy, Wait
from pods.provision.effects import (
    AskOwner,
    Create,
    Effect,
    Poll,
    ProbeSsh,
    ReadBranch,
    ReadSystemLog,
    SetFence,
    Start,
    StopWork,
    Teardown,
)
from pods.provision.entering import begin
from pods.provision.outcomes import ENDINGS
from pods.provision.seen import (
    Branch,
    CleanUp,
    Created,
    Ended,
    EndedBy,
    Lost,
    NotSent,
    OwnerSays,
    Permit,
    Present,
    Probe,
    Refused,
    Remote,
    RemoteState,
    Seen,
    Started,
    SystemLog,
    Work,
)
from pods.provision.value import Checkout, Fence, Provision, from_json, to_json
from pods.snapshot import SshEndpoint

T0 = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
MIN = timedelta(minutes=1)
SEC = timedelta(seconds=1)
DOOR = SshEndpoint("203.0.113.7", 22022)
ORDER = Order(name="train", gpus=("H100",), count=2, repo="https://h/x", branch="issue-1689")
RIGHT = Checkout("issue-1689", "c0ffee")
POLICY = Policy()
Span = tuple[timedelta, timedelta]
CreateAnswer = Created | Refused | NotSent | Lost


def made(create: Create, at: datetime) -> Created:
    return Created(create.call, f"pod{create.call}", at, 4.78)


@dataclass
class World:
    """What is true, and what was done. Times are offsets from `T0`."""

    order: Order = ORDER
    permit: Permit = Permit.ALLOWED
    answer_create: Callable[[Create, datetime], CreateAnswer] = made
    makes_pod: Callable[[Create], bool] = lambda create: True
    door_after: timedelta | None = 2 * MIN
    ssh: Callable[[timedelta], Probe] = lambda age: Probe.LOGGED_IN
    takes: dict[Work, timedelta] = field(
        default_factory=lambda: {Work.BOOTSTRAP: 5 * MIN, Work.PREFLIGHT: MIN}
    )
    rc: dict[Work, int] = field(default_factory=lambda: {Work.BOOTSTRAP: 0, Work.PREFLIGHT: 0})
    checkout: Checkout | None = RIGHT
    ended: tuple[timedelta, EndedBy] | None = None
    cancel_at: timedelta | None = None
    provider_down: tuple[Span, ...] = ()
    ssh_down: tuple[Span, ...] = ()
    bot_down: tuple[Span, ...] = ()
    owner_says: OwnerSays | None = None
    clean_up: CleanUp = CleanUp.CONFIRMED
    log_line_until: timedelta | None = None
    token: int = 0

    def __post_init__(self) -> None:
        self.now = T0
        self.provision: Provision = begin("ab12cd34", self.order, self.now, POLICY)
        self.pods: dict[str, Candidate] = {}
        self.torn_down: list[str] = []
        self.done: list[Effect] = []
        self.started: dict[tuple[Work, int], datetime] = {}

    def run(self, limit: timedelta = timedelta(days=3)) -> Provision:
        """Passes until the outcome is final or time is up."""
        while self.now < T0 + limit:
            if self.one_pass():
                break
        return self.provision

    def step(self) -> None:
        """One pass that dies as soon as a new stage is written."""
        self.one_pass(dies_after_advance=True)

    def one_pass(self, *, dies_after_advance: bool = False) -> bool:
        """One pass of the reconciler; true if the provision has its outcome."""
        seen = self.look()
        self.provision = from_json(to_json(self.provision))
        for _ in range(60):
            decision = decide(self.provision, seen, self.now, POLICY)
            self.provision = decision.provision
            match decision.act:
                case Do(effect):
                    self.done.append(effect)
                    seen = self.perform(effect, seen)
                case Advance():
                    if dies_after_advance:
                        return False
                case Finish():
                    return True
                case Wait(until, _, pause):
                    step = min(until - self.now, pause or until - self.now)
                    self.now = self._awake(self.now + max(step, SEC))
                    return False
        raise AssertionError(f"one pass does not end: {self.done[-5:]}")

    def _awake(self, at: datetime) -> datetime:
        for start, end in self.bot_down:
            if T0 + start <= at < T0 + end:
                return T0 + end
        return at

    def _during(self, spans: tuple[Span, ...]) -> bool:
        return any(T0 + start <= self.now < T0 + end for start, end in spans)

    def look(self) -> Seen:
        seen = Seen(
            permit=self.permit,
            cancel=self.cancel_at is not None and self.now >= T0 + self.cancel_at,
            owner_says=self.owner_says if self.provision.asked_owner_at else None,
            clean_up=self.clean_up if self.torn_down else None,
            token=self._token(),
        )
        if self._during(self.provider_down):
            return seen
        seen = replace(seen, candidates=tuple(self.pods.values()))
        pod = self.provision.pod
        if pod is None or pod.pod_id not in self.pods:
            return seen
        if self.ended and self.now >= T0 + self.ended[0]:
            return replace(seen, pod=Ended(self.ended[1]))
        return replace(seen, pod=Present(self._door(pod.created_at)))

    def _token(self) -> str:
        self.token += 1
        return f"token{self.token}"

    def _door(self, created_at: datetime) -> SshEndpoint | None:
        open_ = self.door_after is not None and self.now >= created_at + self.door_after
        return DOOR if open_ else None

    def perform(self, effect: Effect, seen: Seen) -> Seen:
        cut = self._during(self.ssh_down)
        match effect:
            case Create():
                return replace(seen, create=self._create(effect))
            case SetFence(_, at):
                return replace(seen, fence=Fence(at))
            case ProbeSsh():
                pod = self.provision.pod
                assert pod is not None
                return replace(seen, probe=Probe.TIMED_OUT if cut else self.ssh(self.now - pod.created_at))
            case ReadSystemLog():
                until = self.log_line_until
                return replace(seen, system_log=SystemLog(min(self.now, T0 + until) if until else None))
            case Start(work, run):
                if not cut:
                    self.started.setdefault((work, run), self.now)
                return replace(seen, started=Started(work, run, not cut))
            case Poll(work, run):
                return replace(seen, remote=self._poll(work, run, cut))
            case ReadBranch():
                return replace(seen, branch=Branch(None if cut else self.checkout))
            case StopWork():
                return replace(seen, work_stopped=not cut)
            case Teardown(pod_id):
                self.torn_down.append(pod_id)
                return replace(seen, clean_up=self.clean_up)
            case AskOwner():
                return seen

    def _create(self, create: Create) -> CreateAnswer:
        if self._during(self.provider_down):
            return NotSent(create.call, "connection refused")
        if self.makes_pod(create):
            made_pod = Candidate(
                f"pod{create.call}", self.provision.runpod_name, create.token, self.now, 4.78
            )
            self.pods[made_pod.pod_id] = made_pod
        return self.answer_create(create, self.now)

    def _poll(self, work: Work, run: int, cut: bool) -> Remote:
        if cut:
            return Remote(work, run, RemoteState.UNKNOWN)
        if (work, run) not in self.started:
            return Remote(work, run, RemoteState.ABSENT)
        if self.now < self.started[work, run] + self.takes[work]:
            return Remote(work, run, RemoteState.RUNNING)
        return Remote(work, run, RemoteState.EXITED, self.rc[work])

    @property
    def lines(self) -> list[str]:
        return [said.line for said in self.provision.lines]


def exit_code(world: World) -> ExitCode:
    outcome = world.run().outcome
    assert outcome is not None, world.provision
    assert faults_of(world.lines) == []
    return ENDINGS[outcome].exit_code
