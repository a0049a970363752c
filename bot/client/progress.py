"""The live display of a provision, on a terminal only."""

import time
from typing import TYPE_CHECKING, TextIO

from bot.client.wire import Json

if TYPE_CHECKING:
    from rich.status import Status

STAGES = {
    "wished": "asking RunPod",
    "creating": "asking RunPod",
    "waiting_runtime": "waiting for the pod to start",
    "waiting_ssh": "waiting for SSH",
    "bootstrapping": "running the bootstrap",
    "preflight": "running the preflight",
    "branch": "checking the branch",
    "ready": "ready",
    "failed": "failed",
    "ended": "ended",
}


class Still:
    """No display: the output goes to a program or a file."""

    def show(self, provision: Json) -> None:
        pass

    def hide(self) -> None:
        pass


class Progress:
    """A spinner with the stage, the time since the telling began and the money so far."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._since = time.monotonic()
        self._status: Status | None = None

    def show(self, provision: Json) -> None:
        text = described(provision, time.monotonic() - self._since)
        if self._status is None:
            # Imported here because a program that reads our lines needs none of it.
            from rich.console import Console

            self._status = Console(file=self._stream).status(text)
            self._status.start()
        self._status.update(text)

    def hide(self) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None


def described(provision: Json, seconds: float) -> str:
    """Where a provision is, in one line."""
    stage = str(provision.get("stage"))
    parts = [
        str(provision.get("name")),
        STAGES.get(stage, stage),
        f"{int(seconds) // 60}:{int(seconds) % 60:02}",
    ]
    spent, rate = provision.get("usd_so_far"), provision.get("usd_per_hour")
    if isinstance(spent, int | float):
        parts.append(f"${spent:.2f} so far")
    if isinstance(rate, int | float):
        parts.append(f"${rate:.2f}/h")
    return " · ".join(parts)
