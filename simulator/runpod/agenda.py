"""What will happen to pods by itself, in the order of time."""

import heapq
from dataclasses import dataclass
from datetime import datetime, timedelta

from simulator.runpod.pod import Pod


@dataclass(frozen=True, order=True)
class Due:
    """`what` happens to a pod at a time, if it is still in its run number `run`."""

    at: datetime
    number: int
    pod_id: str
    run: int
    what: str


class Agenda:
    """A queue of what is due."""

    def __init__(self) -> None:
        self._queue: list[Due] = []
        self._added = 0

    def add(self, at: datetime, pod: Pod, what: str) -> None:
        """Something will happen to a pod at a time."""
        self._added += 1
        heapq.heappush(self._queue, Due(at, self._added, pod.id, pod.run.number, what))

    def plan_ahead(self, pod: Pod) -> None:
        """Add what the pod's plan has in store for the run that has just begun."""
        plan, started = pod.plan, pod.run.started_at
        planned = {"exited": plan.exits_after_s, "outbid": plan.outbid_after_s, "error": plan.error_after_s}
        for what, seconds in planned.items():
            if seconds is not None and started is not None:
                self.add(started + timedelta(seconds=seconds), pod, what)

    def next_at(self, now: datetime) -> datetime | None:
        """When the next thing is due, if that is not after `now`."""
        return self._queue[0].at if self._queue and self._queue[0].at <= now else None

    def pop(self) -> Due:
        """Take the next thing out; `IndexError` if there is none."""
        return heapq.heappop(self._queue)
