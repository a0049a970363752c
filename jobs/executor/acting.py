"""The act itself: the only place where a warrant is issued, right after the pod was read."""

from functools import partial
from typing import assert_never

from sqlmodel import Session

from gateways.runpod.budget import Priority
from gateways.runpod.errors import Cannot, NotFound, RunPodError
from gateways.runpod.spent import WarrantRefused
from jobs.executor.ending import close
from jobs.house import House
from pods.snapshot import Absent, Snapshot
from pods.warrant import Act, issue_warrant
from storage.columns import JsonObject
from storage.deed import STOP, Deed, DeedState
from storage.deed_work import let_go
from storage.trail import Event, record

OLDEST_READ_SECONDS = 1.0
"""RunPod has no conditional delete: what was read must not be older than this when the act is sent."""
ACCEPTED, NOT_THERE, CANNOT = 204, 404, 409


async def act(house: House, begun: Deed, seen: Snapshot, read_at: float) -> None:
    """Make the attempt that was written down, once, and write down what RunPod said."""
    if house.monotonic() - read_at > OLDEST_READ_SECONDS and not await _still_so(house, seen):
        return
    status, sentence = await _sent(house, begun)
    if status == CANNOT and await _is_gone(house, begun):
        status = NOT_THERE
    await house.db.run(partial(_answered, house=house, begun=begun, status=status, sentence=sentence))


async def _sent(house: House, begun: Deed) -> tuple[int | None, str | None]:
    """RunPod's answer, as far as one came, and what it says if it is no yes."""
    try:
        await _do(house, begun)
    except NotFound as error:
        return NOT_THERE, error.sentence
    except Cannot as error:
        return CANNOT, error.sentence
    except RunPodError as error:
        return None, error.sentence
    except WarrantRefused as error:
        return None, str(error)
    return ACCEPTED, None


async def _do(house: House, begun: Deed) -> None:
    what = Act.STOP if begun.path == STOP else Act.TERMINATE
    warrant = issue_warrant(what, pod_id=begun.pod_id, deed_id=begun.id, fencing=begun.fencing)
    match what:
        case Act.STOP:
            return await house.runpod.stop(warrant)
        case Act.TERMINATE:
            return await house.runpod.terminate(warrant)
        case _:
            assert_never(what)


async def _still_so(house: House, seen: Snapshot) -> bool:
    """The read has grown old while the attempt was being written down. Look once more."""
    try:
        again = await house.runpod.get_pod(seen.pod_id, priority=Priority.EXECUTOR)
    except RunPodError:
        return False
    return isinstance(again, Snapshot) and _state(again) == _state(seen)


def _state(seen: Snapshot) -> tuple[object, ...]:
    return (seen.status, seen.shows_life, seen.started_at, seen.mounts, seen.locked, seen.cluster_member)


async def _is_gone(house: House, begun: Deed) -> bool:
    """Also what is gone already can answer "cannot"."""
    if begun.path == STOP:
        return False
    try:
        return isinstance(await house.runpod.get_pod(begun.pod_id, priority=Priority.EXECUTOR), Absent)
    except RunPodError:
        return False


def _answered(session: Session, house: House, begun: Deed, status: int | None, sentence: str | None) -> None:
    now = house.clock.now()
    evidence: JsonObject = {"deed": begun.id, "status": status, "said": sentence}
    if status == CANNOT:
        close(
            session,
            house,
            begun,
            DeedState.FAILED,
            now,
            sentence,
            evidence,
            answer_status=status,
            answered_at=now,
        )
        return
    answered = {"answer_status": status, "answered_at": now} if status is not None else {}
    state = DeedState.ACTING if status is None else DeedState.CONFIRMING
    due_at = (begun.due_at or now) if status is None else now
    if let_go(session, begun, due_at, state=state, **answered):
        record(session, Event(now, "podkeeper", "deed.answered", begun.pod_id, evidence))
