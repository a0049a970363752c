"""What a pod's logs say by a time: the host's lines about the pull, and the container's own."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from simulator.runpod.order import image_gb
from simulator.runpod.pod import Pod
from simulator.runpod.timeline import Run

PULL_LAYERS = 12
_USUAL = (
    (0.0, "Container started"),
    (0.5, "Starting SSH service..."),
    (1.0, "Start script(s) finished, Pod is ready to use."),
)


@dataclass(frozen=True, order=True)
class LogLine:
    """One line. `number` makes lines of one instant distinct, as in the ids of the event stream."""

    at: datetime
    number: int
    source: str
    line: str


def log_lines(pod: Pod, now: datetime) -> list[LogLine]:
    """Every line by a time, oldest first."""
    stall = pod.plan.system_log_stalls_after_s
    said = [
        (at, source, line)
        for run in [*pod.earlier_runs, pod.run]
        for at, source, line in _run_lines(pod, run)
        if at <= now
        and (run.ended_at is None or at <= run.ended_at)
        and (source == "container" or stall is None or at <= run.asked_at + timedelta(seconds=stall))
    ]
    return [LogLine(at, number, source, line) for number, (at, source, line) in enumerate(sorted(said), 1)]


def _run_lines(pod: Pod, run: Run) -> Iterator[tuple[datetime, str, str]]:
    image = pod.order.image
    yield run.asked_at, "system", f"create container {image}"
    if run.allocated_at is not None and run.pulled_at is not None and run.pulled_at > run.allocated_at:
        yield run.allocated_at, "system", f"pulling image {image} ({image_gb(image):.1f} GB)"
        step = (run.pulled_at - run.allocated_at) / PULL_LAYERS
        for layer in range(1, PULL_LAYERS + 1):
            yield run.allocated_at + layer * step, "system", f"layer {layer}/{PULL_LAYERS}: Pull complete"
    if run.pulled_at is not None:
        yield run.pulled_at, "system", "start container"
    if run.started_at is not None:
        for after, line in pod.plan.container_log if pod.plan.container_log is not None else _USUAL:
            yield run.started_at + timedelta(seconds=after), "container", line
    if run.ended_at is not None:
        yield run.ended_at, "system", "stop container"
