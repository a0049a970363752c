"""An end from the intent to the proof, as its owner, the trail and RunPod see it."""

from datetime import timedelta

import pytest

from jobs.executor.requesting import undo
from storage.deed import DeedState
from storage.ledger import live_names
from tests.jobs.executor.conftest import Desk


async def test_an_owners_end_is_done_once_it_was_read_back_and_a_listing_lacks_the_pod(desk: Desk) -> None:
    pod = await desk.rents()
    deed = await desk.wants(pod)
    await desk.undo_time_passes()

    await desk.works()
    done = await desk.now_is(deed)

    assert (done.state, done.answer_status, done.read_back_status) == (DeedState.DONE, 204, 404)
    assert desk.terminates() == 1
    assert await desk.trail(pod) == [
        "deed.intended",
        "deed.attempted",
        "deed.answered",
        "deed.read_back",
        "deed.done",
    ]
    assert await desk.letters("deed_told") == [desk.alice]


async def test_an_end_is_confirmed_at_once_also_where_the_observer_has_just_looked(desk: Desk) -> None:
    pod = await desk.rents()
    deed = await desk.wants(pod)
    await desk.undo_time_passes()
    await desk.observer.run()

    await desk.works()

    done = await desk.now_is(deed)
    assert (done.state, done.absent_at) == (DeedState.DONE, desk.world.clock.now())


async def test_nothing_happens_before_the_time_to_undo_is_over(desk: Desk) -> None:
    pod = await desk.rents()
    await desk.wants(pod)

    await desk.world.passes(timedelta(seconds=9))
    await desk.works()

    assert desk.terminates() == 0


async def test_what_was_undone_is_never_done(desk: Desk) -> None:
    pod = await desk.rents()
    deed = await desk.wants(pod)
    now = desk.world.clock.now()

    undone = await desk.world.house.db.run(lambda session: undo(session, deed.id, desk.alice, now))
    await desk.works(minutes=2)

    assert undone
    assert desk.lives(pod)
    assert await desk.trail(pod) == ["deed.intended", "deed.undone"]


async def test_what_has_begun_cannot_be_undone(desk: Desk) -> None:
    pod = await desk.rents()
    deed = await desk.wants(pod)
    await desk.undo_time_passes()
    await desk.works()
    now = desk.world.clock.now()

    assert not await desk.world.house.db.run(lambda session: undo(session, deed.id, desk.alice, now))


async def test_the_name_of_a_pod_that_was_ended_is_free_again(desk: Desk) -> None:
    pod = await desk.rents("train")
    await desk.wants(pod)
    await desk.undo_time_passes()

    await desk.works(minutes=1)

    assert await desk.world.house.db.read(live_names) == {}


async def test_a_pod_that_was_gone_already_counts_as_ended_without_a_call(desk: Desk) -> None:
    pod = await desk.rents()
    deed = await desk.wants(pod)
    desk.world.runpod.console.terminate(pod.id, by="console:alice")
    await desk.undo_time_passes()

    await desk.works(minutes=3)

    done = await desk.now_is(deed)
    assert (done.state, done.outcome) == (DeedState.DONE, "it was gone already")
    assert desk.terminates() == 0
    assert await desk.world.house.db.read(live_names) == {}


@pytest.mark.parametrize("status", [403, 409])
async def test_a_cannot_of_runpod_is_a_real_failure_at_once_and_loud(desk: Desk, status: int) -> None:
    pod = await desk.rents()
    deed = await desk.wants(pod)
    desk.world.runpod.quirks.terminate_answers(status)
    await desk.undo_time_passes()

    await desk.works(minutes=2)

    assert (await desk.now_is(deed)).state is DeedState.FAILED
    assert desk.terminates() == 1
    assert sorted(await desk.letters("deed_told")) == sorted([desk.alice, desk.world.house.ops_channel])
