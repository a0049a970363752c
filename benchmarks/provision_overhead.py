"""From wish to ready beyond what the pod itself needed, on the machine's own clock with default settings."""

import asyncio
from datetime import timedelta
from statistics import median

from benchmarks.launch_ground import Ground, ground
from simulator.runpod.plan import PodPlan

ROUNDS = 5
LOOK_EVERY = timedelta(seconds=0.05)
ALLOCATES, PULLS, STARTS, LISTENS, SHOWS_PORTS = 1.0, 1.0, 0.5, 0.5, 0.5
PLAN = PodPlan(
    allocation_s=ALLOCATES, pull_s=PULLS, start_s=STARTS, ssh_s=LISTENS, ports_s=SHOWS_PORTS
)  # fmt: skip
NEEDED = ALLOCATES + PULLS + STARTS + max(LISTENS, SHOWS_PORTS)


def run() -> str:
    """`BENCH provision_overhead <seconds>`: median of some launches, one after another; target ≤ 3."""
    overheads = asyncio.run(_measured())
    told = f"(pod itself {NEEDED:.1f} s, worst {max(overheads):.2f} s, n={ROUNDS}, target <= 3 s)"
    return f"BENCH provision_overhead {median(overheads):.2f} s {told}"


async def _measured() -> list[float]:
    async with ground(PLAN) as made:
        return [await _one(made, number) for number in range(ROUNDS)]


async def _one(made: Ground, number: int) -> float:
    wished_at = made.house.clock.now()
    wished = await made.wish(f"pod-{number}")
    while (ready_at := await made.ready_at(wished)) is None:
        await made.house.clock.sleep_until(made.house.clock.now() + LOOK_EVERY)
    return (ready_at - wished_at).total_seconds() - NEEDED
