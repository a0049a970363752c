"""One pod and everything that ever happened to it."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from simulator.runpod.order import Order
from simulator.runpod.plan import PodPlan
from simulator.runpod.settled import Settled
from simulator.runpod.timeline import Phase, Run, reached
from simulator.runpod.truth import Transition, Truth

HOURS_PER_MONTH = 730
RUNNING_DISK_USD_PER_GB_MONTH = 0.10
STOPPED_VOLUME_USD_PER_GB_MONTH = 0.20


@dataclass(frozen=True)
class Tariff:
    """What a pod costs from a time on, in USD per hour."""

    since: datetime
    compute: float
    disk: float


@dataclass(slots=True)
class Pod:
    """A pod's record. The fleet alone changes it; the last three fields belong to those who show it."""

    id: str
    order: Order
    plan: PodPlan
    created_at: datetime
    created_by: str
    data_center: str
    machine: str
    price: float
    run: Run
    tariffs: list[Tariff]
    locked: bool = False
    cluster: str | None = None
    earlier_runs: list[Run] = field(default_factory=list)
    transitions: list[Transition] = field(default_factory=list)
    terminate_asked_at: datetime | None = None
    ended_at: datetime | None = None
    moved_from: str | None = None
    nulls_left: int = 0
    seen: tuple[tuple[object, ...], dict[str, object]] | None = None
    runtime_seen: tuple[Run, bool, dict[str, object]] | None = None
    settled: Settled | None = None

    def phase(self, at: datetime) -> Phase:
        """What truly is at a time."""
        return Phase.TERMINATED if reached(self.ended_at, at) else self.run.phase(at)

    def container_up(self, at: datetime) -> bool:
        """Whether its container truly runs at a time."""
        return not reached(self.ended_at, at) and self.run.container_up(at)

    def first_container_start(self, at: datetime) -> datetime | None:
        """When a container of it truly started for the first time, if one has by then."""
        return next((run.started_at for run in [*self.earlier_runs, self.run] if run.ran(at)), None)

    def record(self, at: datetime, what: str, by: str, call: int | None = None) -> None:
        """Add to what happened."""
        self.transitions.append(Transition(at, what, by, call))

    def last(self, *what: str) -> Transition | None:
        """The latest transition of one of these kinds."""
        return next((done for done in reversed(self.transitions) if done.what in what), None)

    def reprice(self, at: datetime) -> None:
        """Write down what it costs from now on: compute while it is meant to run, storage while it exists."""
        volume = self.order.persistent.size if self.order.persistent is not None else 0
        if self.ended_at is not None:
            compute, monthly = 0.0, 0.0
        elif self.run.ended_at is not None:
            compute, monthly = 0.0, volume * STOPPED_VOLUME_USD_PER_GB_MONTH
        else:
            compute, monthly = self.price, (volume + self.order.disk) * RUNNING_DISK_USD_PER_GB_MONTH
        self.tariffs.append(Tariff(at, compute, monthly / HOURS_PER_MONTH))

    def usd_per_hour(self) -> float:
        """What it costs now, storage included."""
        return self.tariffs[-1].compute + self.tariffs[-1].disk

    def billed(self, start: datetime, end: datetime) -> tuple[float, float]:
        """`(compute, disk)` in USD for a stretch of time."""
        compute = disk = 0.0
        for tariff, until in zip(self.tariffs, [*(t.since for t in self.tariffs[1:]), end], strict=True):
            hours = max((min(until, end) - max(tariff.since, start)) / timedelta(hours=1), 0)
            compute += hours * tariff.compute
            disk += hours * tariff.disk
        return compute, disk

    def truth(self, at: datetime) -> Truth:
        """The answer sheet at a time."""
        end = self.last("ended") if reached(self.ended_at, at) else None
        return Truth(
            id=self.id,
            name=self.order.name,
            created_at=self.created_at,
            created_by=self.created_by,
            container_first_started_at=self.first_container_start(at),
            transitions=tuple(self.transitions),
            ended_at=self.ended_at if end is not None else None,
            ended_by=end.by if end is not None else None,
            ended_call=end.call if end is not None else None,
            billed_usd=sum(self.billed(self.created_at, at)),
            moved_from=self.moved_from,
        )
