"""A hundred launches at once on one process, each pod needing five minutes, beside one launch alone.

RunPod's quota forces creates to be spread over minutes; that part is taken off, for no program could do it
faster. The clock runs faster than the machine's, and all waiting follows it but SSH's own pauses.
"""

import asyncio
import gc
import resource
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from benchmarks.launch_ground import Ground, ground
from simulator.runpod.plan import PodPlan

MANY = 100
RATE = 4.0
BURST, PER_MINUTE = 30, 29
"""Our own budget, made to stay under RunPod's quota of 60 a minute."""
FIVE_MINUTES = PodPlan(allocation_s=10, pull_s=280, start_s=5, ssh_s=5, ports_s=5)
MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Launched:
    """How many launches went: seconds of the clock, and what they asked of the provider."""

    seconds: float
    paced: float
    """As long as the quota keeps the last create call back, at least."""
    most_calls: int
    """In any one minute."""
    steady: int
    """In the last whole minute before the first pod was ready."""
    kb_each: float


def run() -> str:
    """`BENCH provisions_100 <x>`: the last of many less the pacing, by one alone; target ≤ 1.1."""
    one, many = asyncio.run(_launched(1)), asyncio.run(_launched(MANY))
    ratio = (many.seconds - many.paced) / one.seconds
    calls = f"most calls a minute {many.most_calls} (<= 60), steady {many.steady} (<= 30)"
    memory = f"memory each {many.kb_each:.0f} kB (<= 200)"
    times = f"one {one.seconds:.0f} s, {MANY} {many.seconds:.0f} s, paced {many.paced:.0f} s"
    return f"BENCH provisions_100 {ratio:.2f} x ({times}; {calls}; {memory}; target <= 1.1)"


async def _launched(count: int) -> Launched:
    async with ground(FIVE_MINUTES, RATE) as made:
        began = made.house.clock.now()
        before = _resident()
        wished = [await made.wish(f"pod-{number}") for number in range(count)]
        await _all_created(made, count)
        kb_each = (_resident() - before) / 1024 / count
        ready = await _all_ready(made, wished)
        calls = [call.at for call in made.runpod.calls]
        created = max(pod.created_at for pod in made.runpod.fleet.ever())
        return Launched(
            seconds=(max(ready) - began).total_seconds(),
            paced=min((created - began).total_seconds(), _forced(count)),
            most_calls=max(_in_minute(calls, at) for at in calls),
            steady=_in_minute(calls, min(ready) - MINUTE),
            kb_each=kb_each,
        )


def _forced(count: int) -> float:
    """Seconds that so many calls need beyond the first burst, if nobody else calls."""
    return max(count - BURST, 0) / PER_MINUTE * 60


def _resident() -> int:
    """Bytes of memory that this process holds: the simulated pods are in it too."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


async def _all_created(made: Ground, count: int) -> None:
    while sum(1 for _ in made.runpod.fleet.ever()) < count:
        await made.house.clock.sleep_until(made.house.clock.now() + timedelta(seconds=1))


async def _all_ready(made: Ground, wished: Sequence[str]) -> list[datetime]:
    ready: dict[str, datetime] = {}
    while len(ready) < len(wished):
        for one in wished:
            if one not in ready and (at := await made.ready_at(one)):
                ready[one] = at
        await asyncio.sleep(0.5)
    return list(ready.values())


def _in_minute(calls: Sequence[datetime], since: datetime) -> int:
    return sum(since <= at < since + MINUTE for at in calls)
