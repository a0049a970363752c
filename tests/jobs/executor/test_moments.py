"""What happens between two awaits of the executor: an undo, a change of the pod, a slow write."""

from itertools import count

import pytest

from jobs.executor.requesting import undo
from jobs.executor.running import run
from storage.deed import DeedState
from tests.jobs.executor.conftest import Desk
from tests.jobs.executor.cut import Cut

TAKEN, READ, WRITTEN = 1, 3, 4
"""The awaits of an end: it is taken, it may begin, the pod is read, the attempt is written, and then made."""


@pytest.mark.parametrize("moment", [TAKEN, READ])
async def test_what_is_undone_while_the_executor_has_it_in_hand_is_not_done(desk: Desk, moment: int) -> None:
    pod = await desk.rents()
    deed = await desk.wants(pod)
    await desk.undo_time_passes()
    house, now = desk.world.house, desk.world.clock.now()

    def undone() -> None:
        assert house.db.run_now(lambda session: undo(session, deed.id, desk.alice, now))

    await run(Cut(moment, "after", undone).house(house))
    await desk.leases_run_out()
    await desk.works(minutes=2)

    assert (await desk.now_is(deed)).state is DeedState.UNDONE
    assert desk.terminates() == 0


async def test_an_attempt_that_is_written_down_can_no_longer_be_undone(desk: Desk) -> None:
    pod = await desk.rents()
    deed = await desk.wants(pod)
    await desk.undo_time_passes()
    house, now, undone = desk.world.house, desk.world.clock.now(), list[bool]()

    def late() -> None:
        undone.append(house.db.run_now(lambda session: undo(session, deed.id, desk.alice, now)))

    await run(Cut(WRITTEN, "after", late).house(house))

    assert undone == [False]
    assert desk.terminates() == 1


async def test_a_read_that_grew_old_while_the_attempt_was_written_is_done_again(desk: Desk) -> None:
    pod = await desk.rents()
    await desk.wants(pod)
    await desk.undo_time_passes()
    desk.world = desk.world.with_settings(monotonic=count(0, 2).__next__)

    def restarted() -> None:
        desk.world.runpod.console.restart(pod.id, by="console:alice")

    await run(Cut(WRITTEN, "after", restarted).house(desk.world.house))

    assert desk.terminates() == 0
    assert desk.lives(pod)
