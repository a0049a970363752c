"""The stretches in which a pod was asked to run, and what they mean at a time. Pure: nothing ticks."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from simulator.runpod.order import PULL_GB_PER_S, Order, image_gb
from simulator.runpod.plan import PodPlan


class Phase(StrEnum):
    """What truly is, in RunPod's words."""

    PROVISIONING = "PROVISIONING"
    STARTING = "STARTING"
    RUNNING = "RUNNING"
    EXITED = "EXITED"
    ERROR = "ERROR"
    TERMINATED = "TERMINATED"


@dataclass(frozen=True, kw_only=True)
class Run:
    """One stretch from "run!" to the container's end. A time that is None never comes.

    `ports` maps private TCP ports to public ones; `disk` numbers the container disks a pod has had.
    """

    number: int
    asked_at: datetime
    allocated_at: datetime | None
    pulled_at: datetime | None
    started_at: datetime | None
    ssh_at: datetime | None
    ports_at: datetime | None
    dies_at: datetime | None
    ports: Mapping[int, int]
    disk: int
    ended_at: datetime | None = None
    failed: bool = False

    def container_up(self, at: datetime) -> bool:
        """Whether the container runs at that time."""
        return (
            reached(self.started_at, at) and not reached(self.ended_at, at) and not reached(self.dies_at, at)
        )

    def phase(self, at: datetime) -> Phase:
        """The true phase at a time at which the pod still exists."""
        if reached(self.ended_at, at):
            return Phase.ERROR if self.failed else Phase.EXITED
        if reached(self.started_at, at):
            return Phase.RUNNING
        return Phase.STARTING if reached(self.allocated_at, at) else Phase.PROVISIONING

    def ran(self, at: datetime) -> bool:
        """Whether the container has ever started by that time in this stretch."""
        if self.started_at is None or self.started_at > at:
            return False
        return self.ended_at is None or self.started_at < self.ended_at


def reached(moment: datetime | None, at: datetime) -> bool:
    """Whether a moment that may never come has come."""
    return moment is not None and moment <= at


def first_run(order: Order, plan: PodPlan, at: datetime, ports: Mapping[int, int]) -> Run:
    """The stretch that a create begins: allocation, pull, start."""
    pull_s = plan.pull_s if plan.pull_s is not None else image_gb(order.image) / PULL_GB_PER_S
    allocated = at + timedelta(seconds=plan.allocation_s)
    pulled = allocated + timedelta(seconds=pull_s)
    return _run(1, at, allocated, pulled, pulled + timedelta(seconds=plan.start_s), plan, ports, disk=1)


def next_run(before: Run, plan: PodPlan, at: datetime, ports: Mapping[int, int], *, restart: bool) -> Run:
    """The stretch that a start (new container disk) or a restart (same disk) begins."""
    begins = at + timedelta(seconds=plan.restart_s if restart else plan.resume_s)
    disk = before.disk if restart else before.disk + 1
    return _run(before.number + 1, at, at, at, begins, plan, ports, disk)


def _run(
    number: int,
    asked: datetime,
    allocated: datetime,
    pulled: datetime,
    started: datetime,
    plan: PodPlan,
    ports: Mapping[int, int],
    disk: int,
) -> Run:
    def after_start(seconds: float | None) -> datetime | None:
        if plan.stuck_in is not None or seconds is None:
            return None
        return started + timedelta(seconds=seconds)

    return Run(
        number=number,
        asked_at=asked,
        allocated_at=None if plan.stuck_in == "PROVISIONING" else allocated,
        pulled_at=None if plan.stuck_in in ("PROVISIONING", "STARTING") else pulled,
        started_at=after_start(0),
        ssh_at=after_start(plan.ssh_s),
        ports_at=after_start(plan.ports_s),
        dies_at=after_start(plan.container_dies_after_s),
        ports=ports,
        disk=disk,
    )
