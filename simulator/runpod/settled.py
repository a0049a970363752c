"""A pod that has come to rest shows the same at every look but for its uptime, until something happens to it.

A fleet is looked at millions of times, and hardly ever is one of its pods on its way to another state.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from simulator.runpod.account import Switches
from simulator.runpod.http import Json

if TYPE_CHECKING:
    from simulator.runpod.pod import Pod

Standing = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """What a pod shows, as long as it and the account stand as they did."""

    parts: tuple[object, object, object]
    """The pod's run, order and plan: each is replaced when it changes."""
    standing: Standing
    entry: Json
    runtime: Json | None
    up_since: datetime | None
    """None: its runtime, if any, tells no uptime."""

    def holds(self, pod: "Pod", switches: Switches) -> bool:
        run, order, plan = self.parts
        same = run is pod.run and order is pod.order and plan is pod.plan
        return same and self.standing == _standing(pod, switches)

    def shown(self, now: datetime) -> Json:
        if self.up_since is None or self.runtime is None:
            return {**self.entry, "runtime": self.runtime}
        uptime = int((now - self.up_since).total_seconds())
        return {**self.entry, "runtime": {**self.runtime, "uptime": uptime}}


def settled(pod: "Pod", now: datetime, switches: Switches, entry: Json) -> Settled | None:
    """The pod as it shows itself now in `entry`; None if time alone will change more than its uptime."""
    run, plan = pod.run, pod.plan
    moments = [run.allocated_at, run.pulled_at, run.started_at, run.ports_at, run.dies_at, run.ended_at]
    if run.started_at is not None:
        moments.append(run.started_at + plan.empty_lasts)
    if run.ended_at is not None:
        moments.append(run.ended_at + timedelta(seconds=plan.stale_runtime_s))
    on_its_way = pod.ended_at is not None or pod.terminate_asked_at is not None
    if on_its_way or any(moment is not None and moment > now for moment in moments):
        return None
    runtime = entry.get("runtime")
    up = isinstance(runtime, dict) and "uptime" in runtime
    return Settled(
        parts=(run, pod.order, plan),
        standing=_standing(pod, switches),
        entry=entry,
        runtime=runtime if isinstance(runtime, dict) else None,
        up_since=run.started_at if up else None,
    )


def _standing(pod: "Pod", switches: Switches) -> Standing:
    return (
        pod.locked,
        pod.cluster,
        pod.ended_at,
        pod.terminate_asked_at,
        pod.nulls_left,
        switches.running_at_once,
        switches.exited_cost_kept,
        switches.null_runtime_data_centers,
    )
