"""Any life that people, faults and outages may lead an account into: nothing is ended that must not be."""

import asyncio
import shutil
import tempfile
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path as File

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from structlog.testing import capture_logs

from pods.guards import Path
from storage.database import Database
from storage.switches import ARMED_NEVER_RAN, ARMED_STALE, PAUSED
from tests import people
from tests.life import ADMINS, HOUR, Life
from tests.oracle import Oracle
from tests.people import Fate
from tests.wireless import ALICE

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
