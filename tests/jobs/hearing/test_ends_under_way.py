"""Who hears of an end that is under way, and of a pod whose end is put off."""

from datetime import timedelta

import pytest
from sqlmodel import Session

from pods.guards import Path
from pods.policy import Policy
from simulator.runpod.pod import Pod
from storage.deed import Deed, DeedState, intend
from storage.switches import PAUSED
from tests.watching import HOUR, MINUTE, STEP, Watch, heard, rents_ours, turn, watched
from tests.world import World

QUICK = Policy(stale_after=HOUR, stale_notice=HOUR, max_gap=6 * HOUR, never_ran_min_observations=2)


@pytest.fixture
def world(world: World) -> World:
    """A world in which few looks are needed."""
    return world.with_settings(policy=QUICK)


@pytest.fixture
async def watch(world: World) -> Watch:
    return await watched(world)


@pytest.mark.parametrize(("minutes", "times"), [(4, 0), (8, 1), (12, 2), (44, 4)])
async def test_an_end_that_does_not_take_is_said_after_five_minutes_and_at_each_doubling(
    world: World, watch: Watch, minutes: int, times: int
) -> None:
    pod = await rents_ours(world)
    await watch.for_(STEP)
    await world.house.db.run(lambda session: begin_to_end(session, world, pod))

    await watch.for_(timedelta(minutes=minutes), every=STEP)

    told = heard(await watch.written("end_not_confirmed"), world)
    assert told.count(("end_not_confirmed", "alice")) == times
    assert told.count(("end_not_confirmed", "ops")) == max(times - 1, 0)


def begin_to_end(session: Session, world: World, pod: Pod) -> None:
    now, alice = world.clock.now(), world.slack.people.alice.id
    deed = Deed(
        id="deed1",
        path="owner",
        pod_id=pod.id,
        fingerprint="f",
        actor=alice,
        owner=alice,
        created_at=now,
        not_before=now,
        due_at=now,
        state=DeedState.ACTING,
        attempted_at=now,
    )
    assert intend(session, deed)


async def test_an_end_that_a_pause_puts_off_does_not_hide_a_pod_that_never_ran(
    world: World, watch: Watch
) -> None:
    pod = await rents_ours(world, stuck_in="RUNNING")
    await turn(world, PAUSED)
    now = world.clock.now()
    put_off = Deed("teardown", Path.PROVISION_TEARDOWN, pod.id, "", "podkeeper", now, now, now)
    await world.house.db.run(lambda session: intend(session, put_off))

    await watch.for_(24 * MINUTE)

    assert await watch.verdict(pod) == "keep ending"
    assert heard(await watch.written(), world) == [("card", "alice")]
