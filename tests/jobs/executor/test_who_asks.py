"""One path or another: who waits for whom, what spares a pod at the last moment, who goes before whom."""

import asyncio

import pytest

from jobs.executor.requesting import UnknownPodError, Wanted, request_deed
from jobs.executor.running import run
from pods.guards import Path
from storage.deed import DeedState
from tests.jobs.executor.conftest import Desk
from tests.jobs.executor.paths import Situation


async def test_an_act_on_a_pod_that_is_under_way_is_not_begun_twice(desk: Desk) -> None:
    pod = await desk.rents()
    first = await desk.wants(pod)
    desk.world.runpod.quirks.terminate_answers(500)
    await desk.undo_time_passes()
    await desk.works()

    second = await desk.wants(pod)

    assert second.id == first.id


async def test_an_owners_end_takes_the_place_of_an_admins_that_waits(desk: Desk) -> None:
    pod = await desk.rents()
    waiting = await desk.wants(pod, Path.ADMIN, actor=desk.dana, reason="too costly")

    deed = await desk.wants(pod)
    await desk.undo_time_passes()
    await desk.works(minutes=1)

    assert (await desk.now_is(waiting)).state is DeedState.UNDONE
    assert (await desk.now_is(deed)).state is DeedState.DONE


async def test_nobody_can_want_the_end_of_a_pod_that_nobody_ever_saw(desk: Desk) -> None:
    want = Wanted(path=Path.OWNER, pod_id="nosuchpod", actor=desk.alice)

    with pytest.raises(UnknownPodError, match="nosuchpod"):
        await desk.do(lambda session: request_deed(session, desk.world.house, want))


async def test_an_admins_end_waits_until_the_owner_was_told_for_15_minutes(desk: Desk) -> None:
    pod = await desk.rents()
    deed = await desk.wants(pod, Path.ADMIN, actor=desk.dana, reason="too costly")
    await desk.works(minutes=20)
    untold = await desk.now_is(deed)
    await desk.slack_takes(f"admin ends {deed.id}", desk.world.clock.now())

    await desk.works(minutes=14)
    before = desk.terminates()
    await desk.works(minutes=2)

    assert untold.state is DeedState.DUE
    assert before == 0
    assert (await desk.now_is(deed)).state is DeedState.DONE
    assert sorted(await desk.letters("deed_told")) == sorted([desk.dana, desk.alice])


async def test_a_pod_that_never_ran_is_ended_by_an_admin_without_waiting(desk: Desk) -> None:
    one = Situation(desk, Path.NEVER_RAN)
    pod, watchers = await one.plays()
    await desk.turns("armed.never-ran", "off")
    await desk.works()

    deed = await desk.wants(pod, Path.ADMIN, actor=desk.dana, reason="a corpse")
    await desk.undo_time_passes()
    await desk.works(minutes=1)

    assert (await desk.now_is(watchers)).state is DeedState.REFUSED
    assert (await desk.now_is(deed)).state is DeedState.DONE


async def test_a_provisions_pod_whose_ssh_answers_at_the_last_look_is_spared_for_good(desk: Desk) -> None:
    key = {"PUBLIC_KEY": desk.world.house.public_key}
    one = Situation(desk, Path.PROVISION_TEARDOWN, takes={"stuck_in": None, "env": key})

    pod, deed, calls = await one.acts()
    again = await desk.wants(
        pod, Path.PROVISION_TEARDOWN, actor="podkeeper", provision_id=desk.provisions[pod.id]
    )
    await desk.works()

    assert (deed.outcome, calls) == ("the last look found a sign of life", 0)
    assert (await desk.now_is(again)).state is DeedState.REFUSED


async def test_a_pod_that_comes_up_a_little_while_it_is_called_off_is_the_same_pod(desk: Desk) -> None:
    one = Situation(
        desk,
        Path.PROVISION_CANCEL,
        takes={"stuck_in": None, "allocation_s": 125, "runtime": "null", "ports_s": None},
    )

    _, deed, calls = await one.acts()

    assert (deed.fingerprint is not None, calls) == (True, 1)


async def test_a_stop_is_done_once_it_was_read_back_as_stopped(desk: Desk) -> None:
    pod = await desk.rents()
    deed = await desk.wants(pod, Path.STOP)
    await desk.undo_time_passes()

    await desk.works()

    assert (await desk.now_is(deed)).state is DeedState.DONE
    assert (desk.stops(), desk.terminates(), desk.lives(pod)) == (1, 0, True)
    assert await desk.letters("deed_told") == [desk.alice]


async def test_two_executors_at_once_end_a_pod_once(desk: Desk) -> None:
    pods = [await desk.rents(f"train{number}") for number in range(3)]
    deeds = [await desk.wants(pod) for pod in pods]
    await desk.undo_time_passes()

    await asyncio.gather(*(run(desk.world.house) for _ in range(3)))
    await desk.works(minutes=1)

    assert [(await desk.now_is(deed)).state for deed in deeds] == [DeedState.DONE] * 3
    assert desk.terminates() == 3
