"""A look that was asked for between two polls: what is new is seen at once, and nothing counts twice."""

from datetime import timedelta

import pytest

from jobs.observe.folding import WITNESS
from jobs.observe.looking import Observer
from pods.phase import Phase
from pods.witness import Witness
from simulator.runpod.pod import Pod
from storage.history import episodes_of, history
from storage.listing import last_listings, recall
from tests.world import World

MINUTE, SOON = timedelta(minutes=1), timedelta(seconds=5)


@pytest.fixture
def engine_name() -> str:
    """What is decided is the same on either database."""
    return "sqlite"


@pytest.fixture
async def observer(world: World) -> Observer:
    """One that has looked at an account with one running pod, twice."""
    world.runpod.rent("train", by="console:carol", created=world.runpod.ago(hours=2))
    observer = Observer(world.house)
    await looks(world, observer, MINUTE, MINUTE)
    return observer


async def looks(world: World, observer: Observer, *after: timedelta) -> None:
    for time in after:
        await world.passes(time)
        await observer.run()


async def phases(world: World, pod_id: str) -> list[tuple[Phase, int]]:
    """Each episode's phase, and how often it was observed."""
    episodes = await world.house.db.read(lambda session: episodes_of(session, pod_id))
    return [(episode.phase, episode.observations) for episode in episodes]


def only_pod(world: World) -> Pod:
    (pod,) = world.runpod.fleet.present()
    return pod


async def test_a_new_pod_is_known_at_once(world: World, observer: Observer) -> None:
    new = world.runpod.rent("new", by="console:carol")

    await looks(world, observer, SOON)

    assert await phases(world, new.id) == [(Phase.ALLOCATING, 1)]


async def test_a_stop_is_seen_at_once_and_the_other_pods_are_not_observed_twice(
    world: World, observer: Observer
) -> None:
    train = only_pod(world)
    other = world.runpod.rent("other", by="console:carol", created=world.runpod.ago(hours=2))
    await looks(world, observer, MINUTE)
    world.runpod.console.stop(train.id, by="console:carol")

    await looks(world, observer, SOON)

    assert await phases(world, train.id) == [(Phase.RUNNING, 3), (Phase.EXITED, 1)]
    assert await phases(world, other.id) == [(Phase.RUNNING, 1)]


async def test_looks_that_show_nothing_new_leave_no_trace(world: World, observer: Observer) -> None:
    before = await world.house.db.read(last_listings)

    await looks(world, observer, SOON, SOON, SOON)

    assert await phases(world, only_pod(world).id) == [(Phase.RUNNING, 2)]
    assert await world.house.db.read(last_listings) == before


async def test_however_often_something_is_new_the_others_are_observed_in_each_poll(
    world: World, observer: Observer
) -> None:
    train = only_pod(world)
    for n in range(12):
        world.runpod.rent(f"new-{n}", by="console:carol")
        await looks(world, observer, 4 * SOON)

    assert await phases(world, train.id) == [(Phase.RUNNING, 2 + 12 // 2)]


async def test_runtimes_that_are_lost_one_by_one_between_two_polls_put_the_witness_out(
    world: World, observer: Observer
) -> None:
    centres = ["EU-RO-1", "US-TX-3", "CA-MTL-1"]
    for centre in centres:
        world.runpod.rent(
            f"in-{centre}", by="console:carol", created=world.runpod.ago(hours=2), data_center=centre
        )
    await looks(world, observer, MINUTE, MINUTE)
    for n in range(1, len(centres) + 1):
        world.runpod.quirks.account.null_runtime_data_centers = frozenset(centres[:n])
        await looks(world, observer, SOON)

    await looks(world, observer, MINUTE)

    witness = await world.house.db.read(lambda session: recall(session, WITNESS, Witness))
    assert witness is not None
    assert witness.out


async def test_a_pod_that_starts_is_not_counted_more_often_than_it_is_polled(
    world: World, observer: Observer
) -> None:
    new = world.runpod.rent(
        "new", by="console:carol", allocation_s=2, pull_s=2, start_s=2, runtime_null_s=600, ports_s=None
    )

    await looks(world, observer, SOON, SOON)

    seen = await world.house.db.read(lambda session: history(session, new.id))
    assert seen is not None
    assert (seen.episode.phase, seen.counting) == (Phase.NO_RUNTIME, 1)


async def test_a_pod_that_is_missing_is_asked_for_at_once(world: World, observer: Observer) -> None:
    world.runpod.rent("other", by="console:carol", created=world.runpod.ago(hours=2))
    await looks(world, observer, MINUTE)
    gone = world.runpod.rent("gone", by="console:carol")
    await looks(world, observer, MINUTE)
    world.runpod.console.terminate(gone.id, by="console:carol")

    await looks(world, observer, SOON)

    assert [call.pod_id for call in world.runpod.calls if call.operation == "get"] == [gone.id]
