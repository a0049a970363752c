"""Arming, disarming and pausing: who may, what is refused, what is written and announced."""

from collections.abc import AsyncIterator

import pytest
from sqlmodel import Session, select

from jobs.arming import Preview, Refused, Why, arm, disarm, pause, preview, unpause
from pods.guards import Job
from pods.policy import Policy
from storage.database import Database
from storage.switches import Arming, arming
from storage.trail import TrailRow
from tests.watching import HOUR, MINUTE, Watch, rents_ours, watched
from tests.wireless import world_without_sockets
from tests.world import World


@pytest.fixture
async def world(database: Database) -> AsyncIterator[World]:
    """A world in which few looks are needed."""
    async with world_without_sockets(database) as made:
        yield made.with_settings(policy=Policy(max_gap=HOUR, never_ran_min_observations=2, stale_after=HOUR))


@pytest.fixture
async def watch(world: World) -> Watch:
    return await watched(world)


def admin(world: World) -> str:
    return str(world.slack.people.dana.id)


async def armed(world: World, job: Job = Job.NEVER_RAN, *, by: str, failing: tuple[str, ...] = ()) -> object:
    return await world.house.db.run(lambda session: arm(session, world.house, job, by, failing))


async def standing(world: World) -> Arming:
    return await world.house.db.read(arming)


async def test_an_admin_arms_a_job_and_sees_what_it_does_now(world: World, watch: Watch) -> None:
    pod = await rents_ours(world, stuck_in="RUNNING")
    await watch.for_(24 * MINUTE)

    match await armed(world, by=admin(world)):
        case Preview(ends=(one,), notices=(), held=()):
            assert one.facts.pod_id == pod.id
        case other:
            pytest.fail(f"unexpected: {other}")
    assert (await standing(world)).never_ran


async def test_a_preview_writes_nothing(world: World, watch: Watch) -> None:
    await rents_ours(world, stuck_in="RUNNING")
    await watch.for_(24 * MINUTE)

    shown = await world.house.db.read(lambda session: preview(session, world.house, Job.NEVER_RAN))

    assert len(shown.ends) == 1
    assert await standing(world) == Arming(never_ran=False, stale=False, paused=False)


async def test_a_preview_of_stale_shows_whose_owners_would_be_told(world: World, watch: Watch) -> None:
    pod = await rents_ours(world)
    await watch.for_(10 * MINUTE)
    world.runpod.console.stop(pod.id, by="console:alice")
    await watch.for_(2 * HOUR)

    shown = await world.house.db.read(lambda session: preview(session, world.house, Job.STALE))

    assert [one.facts.pod_id for one in shown.notices] == [pod.id]
    assert shown.ends == ()


async def test_nobody_but_an_admin_arms_disarms_or_pauses(world: World, watch: Watch) -> None:
    bob = world.slack.people.bob.id

    def tries(session: Session) -> list[object]:
        house = world.house
        return [
            arm(session, house, Job.STALE, bob, ()),
            disarm(session, house, Job.STALE, bob),
            pause(session, house, bob),
            unpause(session, house, bob),
        ]

    assert await world.house.db.run(tries) == [Refused(Why.NOT_ADMIN)] * 4


async def test_arming_is_refused_while_a_check_of_the_doctor_fails(world: World, watch: Watch) -> None:
    refused = await armed(world, by=admin(world), failing=("clock",))

    assert refused == Refused(Why.DOCTOR, ("clock",))
    assert not (await standing(world)).never_ran


async def test_arming_is_refused_while_the_fleet_was_not_seen_whole(world: World, watch: Watch) -> None:
    world.runpod.quirks.account.listing = "html"
    await watch.for_(MINUTE)

    assert await armed(world, by=admin(world)) == Refused(Why.LISTING_INCOMPLETE)
    assert not (await standing(world)).never_ran


async def test_disarming_and_pausing_are_never_refused_to_an_admin(world: World, watch: Watch) -> None:
    await armed(world, by=admin(world))
    world.runpod.quirks.account.listing = "html"
    await watch.for_(MINUTE)

    def less(session: Session) -> list[object]:
        house, by = world.house, admin(world)
        return [disarm(session, house, Job.NEVER_RAN, by), pause(session, house, by)]

    assert await world.house.db.run(less) == [None, None]
    assert await standing(world) == Arming(never_ran=False, stale=False, paused=True)


async def test_every_change_is_announced_and_in_the_trail_with_who_did_it(world: World, watch: Watch) -> None:
    await armed(world, by=admin(world))
    await armed(world, by=admin(world))
    await world.house.db.run(lambda session: pause(session, world.house, admin(world)))

    def trail(session: Session) -> list[tuple[str, str, str]]:
        switched = select(TrailRow.actor, TrailRow.kind, TrailRow.subject)
        return list(session.exec(switched.where(TrailRow.kind.startswith("switch."))))

    assert await world.house.db.read(trail) == [
        (admin(world), "switch.on", "armed.never-ran"),
        (admin(world), "switch.on", "paused"),
    ]
    assert [one.target for one in await watch.written("switch_set")] == [world.house.ops_channel] * 2


async def test_what_may_be_done_again_is_looked_at_at_once(world: World, watch: Watch) -> None:
    wakes = world.house.wakes
    wakes.take()

    await armed(world, by=admin(world))
    after_arming = wakes.take()
    await world.house.db.run(lambda session: pause(session, world.house, admin(world)))
    wakes.take()
    await world.house.db.run(lambda session: unpause(session, world.house, admin(world)))

    assert "judge" in after_arming
    assert {"executor", "judge"} <= wakes.take()
