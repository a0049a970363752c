"""One pass of the executor: every deed that is due goes on by a step."""

import asyncio
from datetime import timedelta

import structlog

from jobs.executor.pauses import LONGEST_LOOK, later
from jobs.executor.working import step
from jobs.house import House
from jobs.ticker import Pass
from storage.deed import Deed
from storage.deed_work import let_go, take_due

LEASE = timedelta(seconds=60)
AT_ONCE = 8
MOST_ROUNDS = 50

_log = structlog.get_logger(__name__)


async def run(house: House) -> Pass:
    """Go on with what is due now. Several processes may do this at once: each deed is in one hand."""
    steps = 0
    for _ in range(MOST_ROUNDS):
        taken = await _take(house)
        await asyncio.gather(*(_step(house, deed) for deed in taken))
        steps += len(taken)
        if not taken:
            break
    return Pass(sentence=f"{steps} steps" if steps else None)


async def _take(house: House) -> list[Deed]:
    now = house.clock.now()
    return await house.db.run(lambda session: take_due(session, now, LEASE, AT_ONCE))


async def _step(house: House, deed: Deed) -> None:
    try:
        await step(house, deed)
    except Exception:
        _log.exception("a deed could not go on; it is tried again", deed=deed.id, pod=deed.pod_id)
        due_at = later(house, LONGEST_LOOK, house.clock.now())
        await house.db.run(lambda session: let_go(session, deed, due_at))
