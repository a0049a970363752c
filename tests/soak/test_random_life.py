"""Any life that people, faults and outages may lead an account into: nothing is ended that must not be."""

import asyncio
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from jobs.executor import facts as executors_facts
from jobs.executor import last_look
from jobs.judgement import loading
from pods.facts import PodFacts
from pods.ids import UserId
from pods.ownership import Grade, Ownership
from storage.database import Database
from storage.fleet import FleetPod
from storage.switches import ARMED_NEVER_RAN, ARMED_STALE, PAUSED
from tests.life import HOUR, Life
from tests.living import begin
from tests.wireless import ALICE

CHOICE = st.integers(0, 30)


class AnyLife(RuleBasedStateMachine):
    """One account, lived through step by step."""

    template: Path

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="life-"))
        file = shutil.copy(self.template, self.folder / "life.db")
        self.loop = asyncio.Runner()
        self.database = Database(f"sqlite:///{file}")
        self.life = Life(self.database)

    @initialize(armed=st.booleans())
    def begins(self, armed: bool) -> None:
        self.loop.run(self.life.switch(ARMED_NEVER_RAN, on=armed))
        self.loop.run(self.life.switch(ARMED_STALE, on=armed))
        self.polls(2)

    @rule(stuck=st.booleans(), fence=st.booleans(), keep=st.booleans(), dies=st.sampled_from([None, 900.0]))
    def ours(self, stuck: bool, fence: bool, keep: bool, dies: float | None) -> None:
        self.loop.run(self.life.rent_ours(stuck=stuck, fence=fence, keep=keep, dies_after_s=dies))
        self.polls(1)

    @rule(stuck=st.booleans())
    def somebodys(self, stuck: bool) -> None:
        self.life.rent_somebodys(stuck=stuck)

    @rule(choice=CHOICE, what=st.sampled_from(["stop", "stop", "start", "terminate"]))
    def console(self, choice: int, what: str) -> None:
        self.life.act(choice, what)

    @rule(choice=CHOICE)
    def owner_says_yes(self, choice: int) -> None:
        self.loop.run(self.life.say_yes(choice))

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

    @rule(up=st.booleans())
    def slack(self, up: bool) -> None:
        self.life.slack_up = up

    @rule()
    def restart(self) -> None:
        self.life.restart()

    @rule(hours=st.sampled_from([1, -1, 5]))
    def the_clock_jumps(self, hours: int) -> None:
        self.loop.run(self.life.clock.jump(hours * HOUR))

    @rule(polls=st.sampled_from([1, 3, 6]), audit=st.booleans())
    def time_passes(self, polls: int, audit: bool) -> None:
        self.polls(polls, audit=audit)

    @rule(hours=st.sampled_from([3, 7]), audit=st.booleans())
    def a_long_time_passes(self, hours: int, audit: bool) -> None:
        for _ in range(hours * 2):
            self.loop.run(self.life.clock.pass_by(HOUR / 2 - HOUR / 12))
            self.polls(1, audit=audit)

    @invariant()
    def every_end_was_rightful(self) -> None:
        self.life.check()

    def polls(self, number: int, *, audit: bool = False) -> None:
        for n in range(number):
            self.loop.run(self.life.poll(audit=audit and n == 0))

    def teardown(self) -> None:
        self.loop.close()
        self.database.close()
        shutil.rmtree(self.folder)


@pytest.mark.timeout(120)
def test_whatever_happens_nothing_is_ended_that_must_not_be(migrated_sqlite: Path) -> None:
    lives = type("Lives", (AnyLife,), {"template": migrated_sqlite})
    few = settings(
        max_examples=15,
        stateful_step_count=25,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    run_state_machine_as_test(lives, settings=few)


@pytest.fixture
def engine_name() -> str:
    """What is decided is the same on either database."""
    return "sqlite"


@pytest.fixture
async def life(database: Database) -> Life:
    led = Life(database)
    await begin(led)
    return led


async def polls(life: Life, number: int) -> None:
    for _ in range(number):
        await life.poll()
        life.check()


async def test_a_life_has_rightful_ends(life: Life) -> None:
    await life.rent_ours(stuck=True, fence=False, keep=True, dies_after_s=None)

    await polls(life, 6)

    assert life.ends == {"never_ran": 1}


async def test_the_oracle_sees_the_end_of_a_pod_of_somebody_else(
    life: Life, monkeypatch: pytest.MonkeyPatch
) -> None:
    def everybodys_is_ours(pod: FleetPod, *_: object) -> Ownership:
        alice = UserId(ALICE)
        return Ownership(Grade.PROVED, alice, True, alice, None, (alice,), True, None)

    monkeypatch.setattr(loading, "owned", everybodys_is_ours)
    monkeypatch.setattr(executors_facts, "owned", everybodys_is_ours)
    life.rent_somebodys(stuck=True)

    with pytest.raises(AssertionError, match="somebody else's, and was ended by never_ran"):
        await polls(life, 8)


async def test_the_oracle_sees_the_end_of_a_pod_that_ran(life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    truly = loading.facts_of

    def forgets_that_it_ran(*given: object) -> PodFacts:
        return truly(*given)._replace(has_run=False)  # type: ignore[arg-type]

    monkeypatch.setattr(loading, "facts_of", forgets_that_it_ran)
    monkeypatch.setattr(executors_facts, "facts_of", forgets_that_it_ran)
    monkeypatch.setattr(last_look, "_container_wrote", _wrote_nothing)
    await life.rent_ours(stuck=False, fence=False, keep=False, dies_after_s=400.0)

    with pytest.raises(AssertionError, match="ran, and was ended as never run"):
        await polls(life, 10)


async def _wrote_nothing(*_: object) -> bool:
    return False
