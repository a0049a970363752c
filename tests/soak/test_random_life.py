"""Any life that people, faults and outages may lead an account into: nothing is ended that must not be."""

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path as File

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from structlog.testing import capture_logs

from jobs.executor import evidence, last_look, waiting
from jobs.executor import facts as executors_facts
from jobs.judgement import loading
from pods.facts import PodFacts
from pods.guards import Path
from pods.hearing import HEARING, Row, State
from pods.ids import UserId
from pods.ownership import Grade, Ownership
from storage.database import Database
from storage.fleet import FleetPod
from storage.outbox import Delivered
from storage.switches import ARMED_NEVER_RAN, ARMED_STALE, PAUSED
from tests import people
from tests.heard import Heard
from tests.life import ADMINS, HOUR, Life
from tests.living import begin
from tests.oracle import Oracle
from tests.people import Fate
from tests.wireless import ALICE
from tests.world import MONDAY_NOON

CHOICE = st.integers(0, 30)
SOON = timedelta(minutes=10)
FATES = st.builds(
    Fate,
    stuck=st.booleans(),
    dies_after=st.sampled_from([None, None, SOON]),
    errs_after=st.sampled_from([None, None, SOON]),
    ends_after=st.sampled_from([None, 2 * HOUR]),
    kept=st.booleans(),
    failed=st.booleans(),
    agents=st.booleans(),
)


class AnyLife(RuleBasedStateMachine):
    """One account, lived through step by step."""

    template: File

    def __init__(self) -> None:
        super().__init__()
        self.folder = File(tempfile.mkdtemp(prefix="life-"))
        file = shutil.copy(self.template, self.folder / "life.db")
        self.loop = asyncio.Runner()
        self.database = Database(f"sqlite:///{file}")
        self.captured = ExitStack()
        self.life = Life(self.database, troubles=self.captured.enter_context(capture_logs()))
        self.oracle = Oracle(self.life)

    @initialize(armed=st.booleans())
    def begins(self, armed: bool) -> None:
        self.loop.run(self.life.switch(ARMED_NEVER_RAN, on=armed))
        self.loop.run(self.life.switch(ARMED_STALE, on=armed))
        self.polls(2)

    @rule(fate=FATES)
    def ours(self, fate: Fate) -> None:
        self.loop.run(people.rent_ours(self.life, [fate]))

    @rule(stuck=st.booleans())
    def somebodys(self, stuck: bool) -> None:
        people.rent_somebodys(self.life, stuck=stuck)

    @rule(off=st.booleans())
    def an_order(self, off: bool) -> None:
        provision = self.loop.run(people.order(self.life, ALICE))
        self.polls(1)
        if off:
            self.loop.run(people.call_it_off(self.life, provision))

    @rule(choice=CHOICE, what=st.sampled_from(["stop", "stop", "start", "terminate"]))
    def console(self, choice: int, what: str) -> None:
        people.act(self.life, choice, what)

    @rule(choice=CHOICE, path=st.sampled_from([Path.OWNER, Path.ADMIN, Path.AGENT, Path.STOP]))
    def somebody_wants_it_ended(self, choice: int, path: Path) -> None:
        living = [pod.id for pod in self.life.living() if pod.id in self.life.ours]
        if living:
            pod_id = living[choice % len(living)]
            actors = {Path.ADMIN: ADMINS[1], Path.AGENT: "agent:bot"}
            actor = actors.get(path, self.life.ours[pod_id].owner)
            self.loop.run(people.say(self.life, pod_id, path, actor))

    @rule(key=st.sampled_from([ARMED_NEVER_RAN, ARMED_STALE, PAUSED]), on=st.booleans())
    def admin(self, key: str, on: bool) -> None:
        self.loop.run(self.life.switch(key, on=on))

    @rule(listing=st.sampled_from(["ok", "ok", "empty", "null", "html"]))
    def listings(self, listing: str) -> None:
        self.life.fleet.account.switches.listing = listing  # type: ignore[assignment]

    @rule(nulls=st.booleans())
    def a_data_centre_full_of_nulls(self, nulls: bool) -> None:
        everywhere = frozenset({"*"}) if nulls else frozenset[str]()
        self.life.fleet.account.switches.null_runtime_data_centers = everywhere

    @rule(status=st.sampled_from([500, 502, 409]), ended=st.booleans())
    def the_next_end_is_answered_oddly(self, status: int, ended: bool) -> None:
        self.life.quirks.terminate_answers(status, ended=ended)

    @rule(created=st.booleans())
    def the_answer_to_the_next_create_is_lost(self, created: bool) -> None:
        self.life.quirks.create_answer_is_lost(created=created)

    @rule(up=st.booleans())
    def slack(self, up: bool) -> None:
        self.life.slack_up = up

    @rule()
    def restart(self) -> None:
        self.life.restart()

    @rule(hours=st.sampled_from([1, -1, 5]))
    def the_clock_jumps(self, hours: int) -> None:
        self.loop.run(self.life.jump(hours * HOUR))

    @rule(polls=st.sampled_from([1, 6]), audit=st.booleans())
    def time_passes(self, polls: int, audit: bool) -> None:
        self.polls(polls, audit=audit)

    @invariant()
    def everything_was_rightful(self) -> None:
        self.oracle.check()

    def polls(self, number: int, *, audit: bool = False) -> None:
        for n in range(number):
            self.loop.run(self.life.poll(audit=audit and n == 0))

    def teardown(self) -> None:
        self.captured.close()
        self.loop.close()
        self.database.close()
        shutil.rmtree(self.folder)


@pytest.mark.timeout(120)
def test_whatever_happens_nothing_is_done_that_must_not_be(migrated_sqlite: File) -> None:
    lives = type("Lives", (AnyLife,), {"template": migrated_sqlite})
    few = settings(
        max_examples=5,
        stateful_step_count=10,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    run_state_machine_as_test(lives, settings=few)


@pytest.fixture
def engine_name() -> str:
    """What is decided is the same on either database."""
    return "sqlite"


@pytest.fixture
async def life(database: Database) -> AsyncIterator[Life]:
    with capture_logs() as troubles:
        led = Life(database, troubles=troubles)
        await begin(led)
        yield led


async def lives_on(life: Life, polls: int) -> Oracle:
    """Nothing happens but time; all of it is held against the truth."""
    oracle, heard = Oracle(life), Heard(life)
    for _ in range(polls):
        await life.poll()
        oracle.check()
        for pod_id, at in oracle.refused:
            heard.after_refused_end(pod_id, at)
        heard.look()
        heard.check()
    return oracle


async def test_a_life_has_rightful_ends(life: Life) -> None:
    await people.rent_ours(life, [Fate(stuck=True, kept=True)])

    oracle = await lives_on(life, 7)

    assert oracle.ends == {Path.NEVER_RAN: 1}


async def test_a_provision_whose_pod_nobody_reached_is_torn_down(life: Life) -> None:
    await people.order(life, ALICE)

    oracle = await lives_on(life, 5)

    assert oracle.ends == {Path.PROVISION_TEARDOWN: 1}


async def test_the_oracle_sees_what_breaks_inside(life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "warning", _breaks)
    await people.rent_ours(life, [Fate(stuck=True)])

    with pytest.raises(AssertionError, match="something broke"):
        await lives_on(life, 8)


async def test_the_oracle_sees_the_end_of_a_pod_of_somebody_else(
    life: Life, monkeypatch: pytest.MonkeyPatch
) -> None:
    def everybodys_is_ours(pod: FleetPod, *_: object) -> Ownership:
        alice = UserId(ALICE)
        return Ownership(Grade.PROVED, alice, True, alice, None, (alice,), True, None)

    monkeypatch.setattr(loading, "owned", everybodys_is_ours)
    monkeypatch.setattr(executors_facts, "owned", everybodys_is_ours)
    people.rent_somebodys(life, stuck=True)

    with pytest.raises(AssertionError, match="somebody else's, and was ended by never_ran"):
        await lives_on(life, 9)


async def test_the_oracle_sees_the_end_of_a_pod_that_ran(life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    truly = loading.facts_of

    def forgets_that_it_ran(*given: object) -> PodFacts:
        return truly(*given)._replace(has_run=False)  # type: ignore[arg-type]

    monkeypatch.setattr(loading, "facts_of", forgets_that_it_ran)
    monkeypatch.setattr(executors_facts, "facts_of", forgets_that_it_ran)
    monkeypatch.setattr(last_look, "_container_wrote", _wrote_nothing)
    await people.rent_ours(life, [Fate(dies_after=SOON)])

    with pytest.raises(AssertionError, match="ran, and was ended as never run"):
        await lives_on(life, 10)


async def test_the_oracle_sees_an_admin_who_does_not_wait(
    life: Life, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "warning", _delivered_long_ago)
    monkeypatch.setattr(evidence, "warning", _delivered_long_ago)
    await people.rent_ours(life, [Fate()])
    await life.poll()
    [pod_id] = life.ours
    life.slack_up = False
    await people.say(life, pod_id, Path.ADMIN, ADMINS[0])

    with pytest.raises(AssertionError, match="its owner not warned"):
        await lives_on(life, 3)


async def test_the_oracle_sees_what_nobody_heard_of(life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    nobody = {
        state: Row(None, None) if state is State.LOST_RUNTIME else row for state, row in HEARING.items()
    }
    monkeypatch.setattr("pods.hearing.HEARING", nobody)
    await people.rent_ours(life, [Fate(), Fate(), Fate(), Fate(dies_after=2 * SOON)])

    with pytest.raises(AssertionError, match=r"nobody heard of .*lost_runtime"):
        await lives_on(life, 12)


async def _wrote_nothing(*_: object) -> bool:
    return False


def _delivered_long_ago(*_: object) -> Delivered:
    return Delivered("warning", "C1", "1", MONDAY_NOON - HOUR, None)


def _breaks(*_: object) -> Delivered:
    raise ValueError("broken")
