"""The oracle of random lives sees what must not be and what was not said: each rule has failed once."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest
from structlog.testing import capture_logs

from jobs.executor import evidence, last_look, waiting
from jobs.executor import facts as executors_facts
from jobs.judgement import loading
from pods.facts import PodFacts
from pods.guards import Path
from pods.hearing import HEARING, Row, State
from pods.ids import UserId
from pods.ownership import Grade, Ownership
from simulator.runpod import Request, RestApi
from storage.database import Database
from storage.fleet import FleetPod
from storage.outbox import Delivered
from storage.switches import ARMED_NEVER_RAN
from tests import people
from tests.heard import Heard
from tests.life import ADMINS, HOUR, Life
from tests.living import begin
from tests.oracle import Oracle
from tests.people import Fate
from tests.simulator.runpod.client import ORDER
from tests.wireless import ALICE
from tests.world import MONDAY_NOON

SOON = timedelta(minutes=10)


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


async def lives_on(life: Life, polls: int) -> tuple[Oracle, Heard]:
    """Nothing happens but time; all of it is held against the truth."""
    oracle, heard = Oracle(life), Heard(life)
    for _ in range(polls):
        await life.poll()
        oracle.check()
        for pod_id, at in oracle.refused:
            heard.after_refused_end(pod_id, at)
        heard.look()
        heard.check()
    return oracle, heard


async def test_a_life_has_rightful_ends(life: Life) -> None:
    await people.rent_ours(life, [Fate(stuck=True, kept=True)])

    oracle, _ = await lives_on(life, 7)

    assert oracle.ends == {Path.NEVER_RAN: 1}


async def test_a_provision_whose_pod_nobody_reached_is_torn_down(life: Life) -> None:
    await people.order(life, ALICE)

    oracle, _ = await lives_on(life, 5)

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


async def test_the_oracle_sees_a_second_pod_of_one_order(life: Life) -> None:
    provision = await people.order(life, ALICE)
    await life.poll()
    marks = {"PODKEEPER_PROVISION": provision, "PODKEEPER_CREATE": "another"}
    again = {**ORDER, "name": f"stuck-{provision}", "env": marks}
    RestApi(life.fleet).handle(Request.by(life.fleet.account.first_key(), "POST", "/v2/pods", again))

    with pytest.raises(AssertionError, match="was created twice"):
        await lives_on(life, 1)


async def never_runs(life: Life) -> None:
    await life.switch(ARMED_NEVER_RAN, on=False)
    await people.rent_ours(life, [Fate(stuck=True)])


async def errs(life: Life) -> None:
    await people.rent_ours(life, [Fate(errs_after=SOON)])


async def loses_its_runtime(life: Life) -> None:
    await people.rent_ours(life, [Fate(), Fate(), Fate(), Fate(dies_after=2 * SOON)])


async def fails(life: Life) -> None:
    await people.rent_ours(life, [Fate(failed=True)])


async def loses_a_create(life: Life) -> None:
    await people.lose_a_create(life, ALICE)


async def will_not_end(life: Life) -> None:
    await people.rent_ours(life, [Fate()])
    await life.poll()
    [pod_id] = life.ours
    people.be_stubborn(life, pod_id, stubborn=True)
    await people.say(life, pod_id, Path.OWNER, ALICE)


TROUBLES = {
    State.NEVER_RAN: never_runs,
    State.ERROR: errs,
    State.LOST_RUNTIME: loses_its_runtime,
    State.PROVISION_FAILED: fails,
    State.CREATE_UNKNOWN: loses_a_create,
    State.END_NOT_CONFIRMED: will_not_end,
}


@pytest.mark.parametrize("state", TROUBLES)
async def test_the_oracle_sees_what_nobody_heard_of(
    life: Life, monkeypatch: pytest.MonkeyPatch, state: State
) -> None:
    monkeypatch.setattr("pods.hearing.HEARING", {**HEARING, state: Row(None, None)})
    await TROUBLES[state](life)

    with pytest.raises(AssertionError, match=f"nobody heard of .*{state}.* said=0"):
        await lives_on(life, 16)


@pytest.mark.parametrize("state", TROUBLES)
async def test_the_oracle_sees_what_was_not_said_again(
    life: Life, monkeypatch: pytest.MonkeyPatch, state: State
) -> None:
    times = HEARING[state].owner_known
    assert times is not None
    once = Row(replace(times, again=(), every=None, doubling=False), None)
    monkeypatch.setattr("pods.hearing.HEARING", {**HEARING, state: once})
    await TROUBLES[state](life)

    with pytest.raises(AssertionError, match=f"nobody heard of .*{state}.* said=1"):
        await lives_on(life, 26)


async def _wrote_nothing(*_: object) -> bool:
    return False


def _delivered_long_ago(*_: object) -> Delivered:
    return Delivered("warning", "C1", "1", MONDAY_NOON - HOUR, None)


def _breaks(*_: object) -> Delivered:
    raise ValueError("broken")
