"""One short step of one deed, from where its row says that it stands."""

from datetime import datetime
from functools import partial
from typing import assert_never

from sqlmodel import Session

from gateways.runpod.budget import Priority
from gateways.runpod.errors import RunPodError
from jobs.executor.acting import act
from jobs.executor.confirming import confirm, note_absent, note_stands
from jobs.executor.deciding import decide
from jobs.executor.ending import close
from jobs.executor.last_look import LOOKED_AT, NOTHING, last_look
from jobs.executor.pauses import later, look_pause
from jobs.executor.waiting import waits_until
from jobs.executor.words import LAPSED
from jobs.house import House
from pods.phase import Phase, phase_of
from pods.snapshot import Absent, Snapshot, Unreadable
from storage.deed import STOP, Deed, DeedState
from storage.deed_work import let_go

Seen = Snapshot | Unreadable | Absent


async def step(house: House, taken: Deed) -> None:
    """Go on with it. Whatever is not written when this is cut off is done again by whoever comes next."""
    match taken.state:
        case DeedState.DUE:
            if await _may_begin(house, taken):
                await advance(house, taken)
        case DeedState.ACTING:
            await advance(house, taken)
        case DeedState.CONFIRMING:
            if await confirm(house, taken):
                await advance(house, taken)
        case DeedState.DONE | DeedState.UNDONE | DeedState.REFUSED | DeedState.FAILED:
            return
        case _:
            assert_never(taken.state)


async def advance(house: House, taken: Deed) -> None:
    """Read the pod; if it is still there as it was, and every guard stands open, make an attempt."""
    seen = await read_pod(house, taken.pod_id)
    if isinstance(seen, Snapshot) and taken.path in LOOKED_AT:
        look = await last_look(house, taken.path, seen)
        seen = await read_pod(house, taken.pod_id)
    else:
        look = NOTHING
    read_at = house.monotonic()
    now = house.clock.now()
    match seen:
        case Absent():
            await house.db.run(lambda session: note_absent(session, house, taken, now))
        case Snapshot() if _stands(taken, seen):
            await house.db.run(lambda session: note_stands(session, house, taken, now))
        case Snapshot() if _is_going(seen):
            await house.db.run(partial(_look_again, house=house, taken=taken, now=now))
        case Snapshot():
            begun = await house.db.run(lambda session: decide(session, house, taken, seen, look, now))
            if begun is not None:
                await act(house, begun, seen, read_at)
        case Unreadable() | None:
            await house.db.run(partial(_look_again, house=house, taken=taken, now=now))


async def read_pod(house: House, pod_id: str) -> Seen | None:
    """The pod by its id; None: RunPod cannot be asked now."""
    try:
        return await house.runpod.get_pod(pod_id, priority=Priority.EXECUTOR)
    except RunPodError:
        return None


def _stands(deed: Deed, seen: Snapshot) -> bool:
    """A stop has come about; an end never has while the pod is there."""
    return deed.path == STOP and phase_of(seen.status, shows_life=seen.shows_life) is Phase.EXITED


def _is_going(seen: Snapshot) -> bool:
    """RunPod calls it terminated already; it is gone once it answers 404."""
    return phase_of(seen.status, shows_life=seen.shows_life) is Phase.GONE


async def _may_begin(house: House, taken: Deed) -> bool:
    now = house.clock.now()
    if taken.start_by is not None and now > taken.start_by:
        await house.db.run(lambda session: close(session, house, taken, DeedState.REFUSED, now, LAPSED))
        return False
    until = await house.db.read(lambda session: waits_until(session, house, taken, now))
    if until is not None:
        await house.db.run(lambda session: let_go(session, taken, until))
    return until is None


def _look_again(session: Session, house: House, taken: Deed, now: datetime) -> None:
    let_go(session, taken, later(house, look_pause(taken, now, house.clock.rate), now))
