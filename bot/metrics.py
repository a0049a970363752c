"""What is measured in this process, for Prometheus. What the database knows is in `bot.measured`."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from prometheus_client import CollectorRegistry, Counter, Histogram

from jobs.ticker import Job, Pass

_ACK_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0)


@dataclass(slots=True)
class Metrics:
    """Counters of this process, in a registry of their own."""

    registry: CollectorRegistry = field(default_factory=CollectorRegistry)
    last_provider_outcome: str | None = None
    _acks: Histogram = field(init=False)
    _calls: Counter = field(init=False)
    _passes: Counter = field(init=False)

    def __post_init__(self) -> None:
        self._acks = Histogram(
            "podkeeper_ack_seconds",
            "From the arrival of a command, click or form to its acknowledgement.",
            buckets=_ACK_SECONDS,
            registry=self.registry,
        )
        self._calls = Counter(
            "podkeeper_provider_calls_total", "Calls to RunPod.", ["outcome"], registry=self.registry
        )
        self._passes = Counter(
            "podkeeper_passes_total", "Passes of the jobs.", ["job", "complete"], registry=self.registry
        )

    def acknowledged(self, seconds: float) -> None:
        """Something was acknowledged."""
        self._acks.observe(seconds)

    def called(self, outcome: str) -> None:
        """RunPod was called, with that outcome."""
        self.last_provider_outcome = outcome
        self._calls.labels(outcome).inc()

    def counted(self, job: Job) -> Job:
        """The same job, its passes counted."""
        return replace(job, run=self._counting(job.name, job.run))

    def _counting(self, name: str, run: Callable[[], Awaitable[Pass]]) -> Callable[[], Awaitable[Pass]]:
        async def counted() -> Pass:
            complete = False
            try:
                result = await run()
                complete = result.complete
                return result
            finally:
                self._passes.labels(name, str(complete).lower()).inc()

        return counted
