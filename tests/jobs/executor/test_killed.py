"""Wherever the executor is cut off, the pod is ended once, and the deed tells the same in the end."""

import asyncio
import sys

import pytest

from jobs.executor.running import run
from storage.deed import DeedState
from tests.jobs.executor.conftest import Desk
from tests.jobs.executor.cut import Cut, Killed, raise_killed

TRAIL = ["deed.intended", "deed.attempted", "deed.read_back", "deed.done"]
ANSWERED = [*TRAIL[:2], "deed.answered", *TRAIL[2:]]
MOST = 20
THE_ACT = "5"
"""It takes the deed, looks whether it may begin, reads the pod, writes the attempt, and then acts."""


async def met_when_nothing_happens(desk: Desk) -> int:
    """How often one end, up to where it waits for a listing, waits for anything."""
    await desk.wants(await desk.rents("whole"))
    await desk.undo_time_passes()
    cut = Cut(0, "before", raise_killed)
    await run(cut.house(desk.world.house))
    await desk.works(minutes=1)
    return cut.met


@pytest.mark.parametrize("side", ["before", "after"])
async def test_abandoned_at_each_await_it_ends_the_pod_once_all_the_same(desk: Desk, side: str) -> None:
    awaits = await met_when_nothing_happens(desk)
    assert 5 < awaits < MOST
    pods = [await desk.rents(f"train{at}", looks=0) for at in range(awaits)]
    await desk.looks(2)

    deeds = [await desk.wants(pod) for pod in pods[:1]]
    for at, pod in enumerate(pods, 1):
        deed = deeds[0] if at == 1 else await desk.wants(pod)
        deeds.append(deed)
        await desk.undo_time_passes()
        with pytest.raises(Killed):
            await run(Cut(at, side, raise_killed).house(desk.world.house))
        await desk.leases_run_out()
        await desk.works(minutes=1)

    for pod, deed in zip(pods, deeds[1:], strict=True):
        assert (await desk.now_is(deed)).state is DeedState.DONE
        assert [call.pod_id for call in desk.world.runpod.calls.terminates()].count(pod.id) == 1
        recorded = await desk.trail(pod)
        assert recorded[:2] == TRAIL[:2]
        assert recorded[-2:] == TRAIL[-2:]
        assert await desk.letters("deed_told") == [desk.alice] * (awaits + 1)


@pytest.mark.parametrize("engine_name", ["sqlite"])
@pytest.mark.parametrize("side", ["before", "after"])
async def test_killed_for_real_around_the_act_it_ends_the_pod_once_all_the_same(
    desk: Desk, side: str, migrated_database_url: str
) -> None:
    world = desk.world
    pod = await desk.rents()
    deed = await desk.wants(pod)
    await desk.undo_time_passes()

    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.jobs.executor.cut", migrated_database_url),
        *(world.runpod.url, world.runpod.api_key, world.slack.api_url, world.slack.bot_token),
        *(world.clock.now().isoformat(), THE_ACT, side),
    )
    ended = await child.wait()
    attempted = (await desk.now_is(deed)).state
    await desk.leases_run_out()
    await desk.works(minutes=2)

    assert (ended, attempted) == (-9, DeedState.ACTING)
    assert (await desk.now_is(deed)).state is DeedState.DONE
    assert desk.terminates() == 1
