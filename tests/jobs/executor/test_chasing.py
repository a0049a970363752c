"""What RunPod may answer to an end, and what is made of it: nothing is believed, nothing given up."""

from datetime import timedelta

import pytest

from jobs.executor.running import _take
from jobs.executor.working import step
from storage.deed import DeedState
from storage.switches import PAUSED
from tests.jobs.executor.conftest import MINUTE, Desk


@pytest.mark.parametrize("ended", [True, False], ids=["and it was done", "and nothing was done"])
async def test_an_answer_that_was_lost_is_looked_into_and_the_pod_is_ended_once(
    desk: Desk, ended: bool
) -> None:
    pod = await desk.rents()
    deed = await desk.wants(pod)
    desk.world.runpod.quirks.answer("DELETE", "^/v2/pods/", drop=True, applied=ended)
    await desk.undo_time_passes()

    await desk.works(minutes=4)

    assert (await desk.now_is(deed)).state is DeedState.DONE
    assert (await desk.now_is(deed)).attempts == (1 if ended else 2)
    assert not desk.lives(pod)


@pytest.mark.parametrize("status", [500, 502, 429, 401, 400])
async def test_any_other_answer_is_chased_until_it_takes(desk: Desk, status: int) -> None:
    pod = await desk.rents()
    deed = await desk.wants(pod)
    desk.world.runpod.quirks.terminate_answers(status, times=3)
    await desk.undo_time_passes()

    await desk.works(minutes=8)

    assert (await desk.now_is(deed)).state is DeedState.DONE
    assert (await desk.now_is(deed)).attempts == 4


async def test_a_yes_of_runpod_that_ends_nothing_is_not_believed_and_tried_again(desk: Desk) -> None:
    pod = await desk.rents()
    deed = await desk.wants(pod)
    desk.world.runpod.quirks.terminate_answers(204, ended=False)
    await desk.undo_time_passes()

    await desk.works()
    first = await desk.now_is(deed)
    await desk.works(minutes=3)

    assert first.state is not DeedState.DONE
    assert (await desk.now_is(deed)).state is DeedState.DONE
    assert not desk.lives(pod)


async def test_the_pauses_between_attempts_grow(desk: Desk) -> None:
    pod = await desk.rents()
    await desk.wants(pod)
    desk.world.runpod.quirks.terminate_answers(500, times=1000)
    await desk.undo_time_passes()

    await desk.works(minutes=30)

    assert 5 <= desk.terminates() <= 12


@pytest.mark.parametrize("shows", ["EXITED", "TERMINATED"])
async def test_a_pod_that_takes_its_time_to_end_is_waited_for(desk: Desk, shows: str) -> None:
    pod = await desk.rents(terminate_takes_s=150, terminating_shows=shows)
    deed = await desk.wants(pod)
    await desk.undo_time_passes()

    await desk.works(minutes=2)
    waiting = await desk.now_is(deed)
    await desk.works(minutes=4)

    assert waiting.state is DeedState.CONFIRMING
    assert (await desk.now_is(deed)).state is DeedState.DONE
    assert desk.terminates() == 1


async def test_a_404_is_not_believed_while_a_listing_shows_the_pod(desk: Desk) -> None:
    pod = await desk.rents()
    deed = await desk.wants(pod)
    desk.world.runpod.quirks.answer("GET", f"^/v2/pods/{pod.id}$", status=404)
    await desk.undo_time_passes()

    await desk.works()
    believed = await desk.now_is(deed)
    await desk.works(minutes=3)

    assert (believed.state, believed.attempts) == (DeedState.CONFIRMING, 0)
    assert (await desk.now_is(deed)).state is DeedState.DONE
    assert (await desk.now_is(deed)).attempts == 1


async def test_without_a_complete_listing_no_end_is_done(desk: Desk) -> None:
    pod = await desk.rents()
    deed = await desk.wants(pod)
    await desk.undo_time_passes()
    desk.world.runpod.quirks.account.listing = "html"

    await desk.works(minutes=3)

    assert (await desk.now_is(deed)).state is DeedState.CONFIRMING


async def test_a_lost_scope_does_not_make_a_pod_gone(desk: Desk) -> None:
    pod = await desk.rents()
    deed = await desk.wants(pod)
    await desk.undo_time_passes()
    desk.world.runpod.quirks.answer("GET", "^/v2/pods/", status=404, times=50)
    desk.world.runpod.quirks.account.listing = "empty"

    await desk.works(minutes=3)

    assert (await desk.now_is(deed)).state is DeedState.CONFIRMING
    assert desk.terminates() == 0


@pytest.mark.parametrize("answer", [500, 204])
async def test_a_lost_scope_after_the_attempt_does_not_make_a_pod_gone_that_lives(
    desk: Desk, answer: int
) -> None:
    pod = await desk.rents()
    await desk.rents("other")
    deed = await desk.wants(pod)
    desk.world.runpod.quirks.terminate_answers(answer, ended=False)
    await desk.undo_time_passes()
    for taken in await _take(desk.world.house):
        await step(desk.world.house, taken)
    desk.world.runpod.quirks.answer("GET", "^/v2/pods/", status=404, times=500)
    desk.world.runpod.quirks.account.listing = "empty"

    await desk.works(minutes=3)
    blind = await desk.now_is(deed)
    desk.world.runpod.quirks.clear()
    await desk.works(minutes=30)

    assert blind.state is not DeedState.DONE
    assert (await desk.now_is(deed)).state is DeedState.DONE
    assert not desk.lives(pod)


async def test_while_runpod_is_down_a_deed_waits_and_is_done_afterwards(desk: Desk) -> None:
    pod = await desk.rents()
    deed = await desk.wants(pod)
    await desk.undo_time_passes()
    await desk.world.runpod.goes_down()

    await desk.works()
    waiting = await desk.now_is(deed)
    await desk.world.runpod.comes_back()
    await desk.works(minutes=3)

    assert waiting.state is DeedState.DUE
    assert (await desk.now_is(deed)).state is DeedState.DONE


async def test_a_persons_yes_that_could_not_begin_in_time_lapses_and_is_told(desk: Desk) -> None:
    pod = await desk.rents()
    deed = await desk.wants(pod)
    await desk.world.passes(desk.world.house.answers.execute_by + MINUTE)

    await desk.works()

    assert (await desk.now_is(deed)).outcome == "it could not be begun in time"
    assert desk.lives(pod)
    assert await desk.letters("deed_told") == [desk.alice]


async def test_a_pause_stops_the_chase_and_not_the_looking(desk: Desk) -> None:
    pod = await desk.rents()
    deed = await desk.wants(pod)
    desk.world.runpod.quirks.terminate_answers(500)
    await desk.undo_time_passes()
    await desk.works()

    await desk.turns(PAUSED)
    await desk.works(minutes=3)
    paused = (desk.terminates(), (await desk.now_is(deed)).state)
    await desk.turns(PAUSED, "off")
    await desk.works(minutes=3)

    assert paused == (1, DeedState.ACTING)
    assert (await desk.now_is(deed)).state is DeedState.DONE


async def test_a_pod_that_changed_after_an_attempt_is_let_live_and_that_is_said_aloud(desk: Desk) -> None:
    pod = await desk.rents()
    deed = await desk.wants(pod)
    desk.world.runpod.quirks.terminate_answers(500)
    await desk.undo_time_passes()
    await desk.works()
    desk.world.runpod.console.restart(pod.id, by="console:alice")

    await desk.works(minutes=15)

    failed = await desk.now_is(deed)
    assert (failed.state, desk.lives(pod), desk.terminates()) == (DeedState.FAILED, True, 1)
    assert desk.world.house.ops_channel in await desk.letters("deed_told")


async def test_a_pod_that_locks_itself_between_two_attempts_is_let_live(desk: Desk) -> None:
    pod = await desk.rents()
    deed = await desk.wants(pod)
    desk.world.runpod.quirks.terminate_answers(500)
    await desk.undo_time_passes()
    await desk.works()
    desk.world.runpod.quirks.pod(pod.id, locked=True)

    await desk.works(minutes=1)

    assert ((await desk.now_is(deed)).outcome, desk.lives(pod)) == ("it is locked at RunPod", True)


async def test_an_end_that_does_not_come_about_goes_on_for_days(desk: Desk) -> None:
    pod = await desk.rents()
    deed = await desk.wants(pod)
    desk.world.runpod.quirks.terminate_answers(500, times=1000)
    await desk.undo_time_passes()
    await desk.works(minutes=10)

    for _ in range(20):
        await desk.looks(1, every=timedelta(hours=3))
        await desk.works()

    assert (await desk.now_is(deed)).state is DeedState.ACTING
    assert desk.terminates() >= 20
