import random
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from pods.line_order import FINAL, faults_of
from pods.lines import read
from pods.provision.decide import decide
from pods.provision.decision import Advance, Do, Finish, Wait
from pods.provision.effects import (
    Create,
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
from pods.provision.seen import (
    Branch,
    CleanUp,
    Created,
    Ended,
    EndedBy,
    Lost,
    Missing,
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
)
from pods.provision.value import Checkout, Fence, Provision, from_json, to_json
from tests.pods.provision_world import DOOR, MIN, ORDER, POLICY, RIGHT, SEC, T0

STEPS = [SEC, 5 * SEC, MIN, 2 * MIN, 4 * MIN, 9 * MIN, 70 * MIN]
CALM_STEPS = [MIN, 2 * MIN, 4 * MIN]
ANSWERED = {Probe.BANNER, Probe.REJECTED, Probe.HOST_KEY_CHANGED, Probe.LOGGED_IN}


@dataclass
class Chaos:
    """A world without sense: every pass sees anything at all. It remembers what a teardown would break."""

    luck: random.Random
    kept: bool
    now: datetime = T0
    answered: bool = False
    timed_out: bool = False
    looks: list[datetime] = field(default_factory=list)
    torn_down: list[str] = field(default_factory=list)
    creates: list[tuple[int, datetime]] = field(default_factory=list)
    outcomes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.calm = self.luck.random() < 0.5
        self.provision: Provision = begin(
            "ab12cd34", replace(ORDER, keep_on_bootstrap_failure=self.kept), T0, POLICY
        )

    def live(self, passes: int) -> None:
        for _ in range(passes):
            self.one_pass()
            self.step()

    def step(self) -> None:
        self.now += self.luck.choice(CALM_STEPS if self.calm else STEPS)

    def one_pass(self) -> None:
        seen = self.look()
        self.provision = from_json(to_json(self.provision))
        for _ in range(40):
            decision = decide(self.provision, seen, self.now, POLICY)
            self.provision = decision.provision
            match decision.act:
                case Do(Teardown(pod_id)):
                    self.torn_down.append(pod_id)
                    self.must_be_harmless()
                    seen = replace(seen, clean_up=CleanUp.WORKING)
                case Do(effect):
                    seen = self.answer(effect, seen)
                case Advance():
                    continue
                case Finish(outcome):
                    self.outcomes.append(outcome)
                    return
                case Wait(until):
                    assert until > self.now
                    return
        raise AssertionError("one pass does not end")

    def must_be_harmless(self) -> None:
        assert not self.answered, "a pod that answered was torn down"
        assert not self.timed_out, "a pod that only timed out was torn down"
        gaps = [later - earlier for earlier, later in pairwise(self.looks)]
        assert all(gap <= POLICY.max_gap for gap in gaps), "a pod that was not watched was torn down"
        assert self.looks[-1] == self.now or self.provision.cleaning, "torn down without a fresh look"

    def look(self) -> Seen:
        ended = Ended(self.luck.choice(list(EndedBy)))
        weights = [0, 0, 20, 2, 0] if self.calm else [2, 1, 8, 4, 0.1]
        pod = self.luck.choices([None, Missing(), Present(None), Present(DOOR), ended], weights)[0]
        doubtful = not self.calm and self.luck.random() < 0.03
        if isinstance(pod, Present) and self.provision.pod and not doubtful:
            self.looks.append(self.now)
        return Seen(
            pod=pod if self.provision.pod else None,
            candidates=self.luck.choice([None, (), ()]),
            clean_up=self.luck.choice([None, *CleanUp]) if self.torn_down else None,
            permit=self.luck.choice([*Permit, Permit.ALLOWED, Permit.ALLOWED, Permit.ALLOWED]),
            cancel=self.luck.random() < 0.01,
            retry=self.luck.random() < 0.2,
            owner_says=self.luck.choice([None, *OwnerSays]),
            clock_doubtful=doubtful,
            token=f"t{self.now.timestamp()}",
        )

    def answer(self, effect: object, seen: Seen) -> Seen:
        match effect:
            case Create(call):
                self.creates.append((call, self.now))
                return replace(seen, create=self.created(call))
            case SetFence(_, at):
                return replace(seen, fence=Fence(at))
            case ProbeSsh():
                weights = [60, 1, 1, 1, 1, 3] if self.calm else [9, 1, 1, 1, 1, 3]
                probe = self.luck.choices(list(Probe), weights)[0]
                self.answered |= probe in ANSWERED
                self.timed_out |= probe is Probe.TIMED_OUT
                return replace(seen, probe=probe)
            case ReadSystemLog():
                return replace(seen, system_log=SystemLog(self.luck.choice([None, self.now - 2 * MIN])))
            case Start(work, run):
                return replace(seen, started=Started(work, run, self.luck.random() < 0.7))
            case Poll(work, run):
                state = self.luck.choices(list(RemoteState), [0.2, 5, 2, 0.2, 3])[0]
                rc = self.luck.choice([0, 0, 0, 2]) if state is RemoteState.EXITED else None
                return replace(seen, remote=Remote(work, run, state, rc))
            case ReadBranch():
                return replace(
                    seen, branch=Branch(self.luck.choice([None, RIGHT, RIGHT, Checkout("main", "c")]))
                )
            case StopWork():
                return replace(seen, work_stopped=self.luck.random() < 0.5)
            case _:
                return seen

    def created(self, call: int) -> Created | Refused | NotSent | Lost:
        made = Created(call, f"pod{call}", self.luck.choice([None, self.now]), 2.0)
        if self.luck.random() < 0.6:
            self.looks.append(self.now)
            return made
        others: list[Refused | NotSent | Lost] = [
            Refused(call, 400, "no longer any instances available"),
            Refused(call, 500, "oops"),
            NotSent(call, "connection refused"),
            Lost(call, "timed out"),
        ]
        return self.luck.choice(others)


HEAD = frozenset({"PROVISION", "WAIT", "POD", "FENCE"})
BEGINS_AGAIN = FINAL | {"PREFLIGHT", "BRANCH"}


def attempts(lines: list[str]) -> list[list[str]]:
    """The lines of each attempt; a retry begins a new one, which shares the provision's first lines."""
    tokens = {line: one.token if (one := read(line)) else line for line in lines}
    head = [line for line in lines if tokens[line] in HEAD]
    parts: list[list[str]] = [[]]
    for line in lines[len(head) :]:
        ended = any(tokens[said] in FINAL for said in parts[-1])
        if ended and tokens[line] in BEGINS_AGAIN:
            parts.append([])
        parts[-1].append(line)
    return [[*head, *part] for part in parts]


@settings(max_examples=150)
@given(st.integers(min_value=0, max_value=2**32), st.booleans())
def test_whatever_is_seen_nothing_is_torn_down_that_may_hold_work(seed: int, kept: bool) -> None:
    Chaos(random.Random(seed), kept).live(40)


@settings(max_examples=150)
@given(st.integers(min_value=0, max_value=2**32), st.booleans())
def test_whatever_is_seen_every_line_is_legal(seed: int, kept: bool) -> None:
    chaos = Chaos(random.Random(seed), kept)
    chaos.live(40)
    for lines in attempts([said.line for said in chaos.provision.lines]):
        assert faults_of(lines) == [], lines


@settings(max_examples=80)
@given(st.integers(min_value=0, max_value=2**32))
def test_whatever_is_seen_no_call_is_made_while_another_may_have_made_a_pod(seed: int) -> None:
    chaos = Chaos(random.Random(seed), kept=False)
    lost: list[datetime] = []
    for _ in range(40):
        before = len(chaos.creates)
        settled = all(chaos.now - at >= POLICY.create_settle for at in lost)
        had_pod = chaos.provision.pod is not None
        chaos.one_pass()
        assert len(chaos.creates) == before or (settled and not had_pod)
        lost = [call.ended_at or call.asked_at for call in chaos.provision.unresolved]
        chaos.step()


@settings(max_examples=80)
@given(st.integers(min_value=0, max_value=2**32))
def test_a_settled_provision_keeps_its_outcome_unless_it_is_retried(seed: int) -> None:
    chaos = Chaos(random.Random(seed), kept=False)
    chaos.live(60)
    for _ in range(5):
        before = chaos.provision
        seen = replace(chaos.look(), retry=False)
        after = decide(before, seen, chaos.now, POLICY)
        if before.outcome is not None:
            assert after.act == Finish(before.outcome)
            assert after.provision == before
        chaos.now += timedelta(hours=1)


def test_the_properties_see_every_kind_of_ending() -> None:
    seen: set[str] = set()
    torn_down = 0
    for seed in range(150):
        chaos = Chaos(random.Random(seed), kept=seed % 4 == 0)
        chaos.live(40)
        seen |= set(chaos.outcomes)
        torn_down += len(chaos.torn_down)
    assert torn_down > 0
    assert {"ready", "never_reached", "not_logged_in", "blind", "called_off", "bootstrap_failed"} <= seen
