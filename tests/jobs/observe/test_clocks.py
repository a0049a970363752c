"""Looks whose times cannot be believed: they count for nothing, and it is said."""

import pytest

from jobs.observe.looking import Observer
from storage.history import history
from tests.jobs.observe.account import MINUTE, letters, looks, rents
from tests.world import HandClock, World


@pytest.fixture
def observer(world: World) -> Observer:
    return Observer(world.house)


async def test_a_clock_that_jumped_is_a_gap(world: World, observer: Observer) -> None:
    pod = rents(world, "train")
    await looks(world, observer, 3)

    clock: HandClock = world.clock
    await clock.jump(MINUTE)
    await world.runpod.settle()
    await observer.run()

    seen = await world.house.db.read(lambda session: history(session, pod.id))
    assert seen is not None
    assert not seen.gapless


async def test_a_clock_that_differs_from_runpods_counts_for_nothing_and_is_told(
    world: World, observer: Observer
) -> None:
    pod = rents(world, "train")
    await looks(world, observer, 3)
    before = await world.house.db.read(lambda session: history(session, pod.id))

    world.runpod.quirks.account.date_offset_s = 180
    await looks(world, observer, 3)

    after = await world.house.db.read(lambda session: history(session, pod.id))
    assert before is not None
    assert after is not None
    assert after.counting == before.counting
    assert (await world.house.db.read(letters)).count("clock_doubtful") == 1


async def test_a_clock_that_could_not_be_believed_is_a_gap_once_it_can_be_again(
    world: World, observer: Observer
) -> None:
    pod = rents(world, "train")
    await looks(world, observer, 3)

    world.runpod.quirks.account.date_offset_s = 180
    await looks(world, observer, 1)
    in_doubt = await world.house.db.read(lambda session: history(session, pod.id))
    world.runpod.quirks.account.date_offset_s = 0
    await looks(world, observer, 1)

    after = await world.house.db.read(lambda session: history(session, pod.id))
    assert in_doubt is not None
    assert after is not None
    assert (in_doubt.gapless, after.gapless) == (True, False)


async def test_a_look_says_that_the_clocks_do_not_agree(world: World, observer: Observer) -> None:
    await looks(world, observer, 2)
    world.runpod.quirks.account.date_offset_s = 180
    await world.passes(MINUTE)

    looked = await observer.run()

    assert looked.sentence == "My clock and RunPod's do not agree, so nothing is ended."
