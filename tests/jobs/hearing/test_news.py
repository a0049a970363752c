"""News that comes once: limits, ends by a clock, create calls without an answer."""

from datetime import datetime, timedelta

import pytest
from sqlmodel import Session

from pods.order import Order
from pods.policy import Policy
from pods.provision.stages import Stage
from pods.provision.value import CallState, CreateCall, Provision
from simulator.runpod.pod import Pod
from storage.deed import Deed, DeedState, intend
from storage.keys import new_key
from storage.ledger import Asked, take, wish, write
from storage.switches import ARMED_NEVER_RAN
from tests.watching import DAY, HOUR, MINUTE, STEP, Watch, rents_ours, turn, watched
from tests.world import World


@pytest.fixture
def world(world: World) -> World:
    """A world in which one pod may be ended for never having run, and few looks are needed."""
    policy = Policy(max_gap=6 * HOUR, never_ran_min_observations=2, never_ran_max_per_pass=0)
    return world.with_settings(policy=policy)


@pytest.fixture
async def watch(world: World) -> Watch:
    return await watched(world)


async def test_a_limit_that_holds_ends_is_told_once_a_day(world: World, watch: Watch) -> None:
    await turn(world, ARMED_NEVER_RAN)
    await rents_ours(world, stuck_in="RUNNING")

    await watch.for_(HOUR)
    first = await watch.written("limit_exceeded")
    await watch.for_(DAY, every=6 * HOUR)

    assert [one.target for one in first] == [world.house.ops_channel]
    assert len(await watch.written("limit_exceeded")) == 2


@pytest.mark.parametrize(("path", "told"), [("never_ran", 1), ("stale", 1), ("fence", 1), ("owner", 0)])
async def test_an_end_by_a_clock_is_told_to_its_owner_once_and_one_by_a_person_is_not(
    world: World, watch: Watch, path: str, told: int
) -> None:
    pod = await rents_ours(world)
    await watch.for_(STEP)

    await world.house.db.run(lambda session: has_ended(session, world, pod, path))
    await watch.for_(2 * STEP)

    alice = world.slack.people.alice.id
    assert [one.target for one in await watch.written("ended_by_clock")] == [alice] * told


@pytest.mark.parametrize(
    ("attempts", "days_ago"), [(0, 0), (1, 3)], ids=["found gone", "while nothing of us ran"]
)
async def test_an_end_that_was_not_ours_or_was_long_ago_is_no_news(
    world: World, watch: Watch, attempts: int, days_ago: int
) -> None:
    pod = await rents_ours(world)
    await watch.for_(STEP)
    at = world.clock.now() - days_ago * DAY

    await world.house.db.run(lambda session: has_ended(session, world, pod, "stale", attempts, at))
    await watch.look()

    assert await watch.written("ended_by_clock") == []


def has_ended(
    session: Session, world: World, pod: Pod, path: str, attempts: int = 1, at: datetime | None = None
) -> None:
    """Leave the deed as the executor leaves it."""
    now, alice = at or world.clock.now(), world.slack.people.alice.id
    deed = Deed(
        id=new_key(),
        path=path,
        pod_id=pod.id,
        fingerprint="f",
        actor="podkeeper",
        owner=alice,
        created_at=now,
        not_before=now,
        due_at=None,
        state=DeedState.DONE,
        attempts=attempts,
        answer_status=204,
        answered_at=now,
        read_back_status=404,
        read_back_at=now,
        absent_at=now,
        finished_at=now,
    )
    assert intend(session, deed)


async def test_a_create_without_an_answer_is_told_after_ten_minutes_and_an_hour_later(
    world: World, watch: Watch
) -> None:
    await world.house.db.run(lambda session: lost_create(session, world, world.clock.now()))

    await watch.for_(8 * MINUTE, every=STEP)
    before = await watch.written("create_unknown")
    await watch.for_(STEP)
    soon = await watch.written("create_unknown")
    await watch.for_(HOUR)

    assert [len(before), len(soon), len(await watch.written("create_unknown"))] == [0, 1, 2]


def lost_create(session: Session, world: World, now: datetime) -> None:
    """Leave a provision as one whose create call was never answered."""
    key, alice = new_key(), world.slack.people.alice.id
    order = Order("train", ("NVIDIA H100 80GB HBM3",))
    assert wish(
        session, Provision(key, order, now, Stage.WISHED, now, now), Asked(alice, alice, "slack"), now
    )
    taken = take(session, key, timedelta(minutes=1))
    assert taken is not None
    call = CreateCall(1, new_key(), order.gpus[0], (), now, CallState.LOST)
    creating = Provision(key, order, now, Stage.CREATING, now, now, calls=(call,))
    assert write(session, taken, creating, now, None, let_go=True)


async def test_an_account_is_not_announced_before_a_second_look_agrees(world: World) -> None:
    world.runpod.rent("somebodys", by="console:carol", created=world.runpod.ago(hours=50))
    watch = Watch(world)

    await watch.look()
    before = await watch.written("first_day")
    await watch.for_(MINUTE)

    assert before == []
    assert [one.target for one in await watch.written("first_day")] == [world.house.ops_channel]


async def test_a_broken_pod_of_nobody_that_was_there_before_us_is_no_news_on_the_first_day(
    world: World,
) -> None:
    fifty_hours = world.runpod.ago(hours=50)
    world.runpod.rent("broken", by="console:carol", created=fifty_hours, error_after_s=0)
    watch = await watched(world)

    await watch.for_(12 * HOUR, every=4 * HOUR)
    first_day = await watch.written("pod_state")
    await watch.for_(16 * HOUR, every=4 * HOUR)

    assert first_day == []
    assert [one.target for one in await watch.written("pod_state")] == [world.house.ops_channel]
