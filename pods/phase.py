"""What a pod's status at RunPod means to us."""

from enum import StrEnum
from typing import assert_never


class Status(StrEnum):
    """`Pod.status` of RunPod's REST v2."""

    PROVISIONING = "PROVISIONING"
    STARTING = "STARTING"
    RUNNING = "RUNNING"
    EXITED = "EXITED"
    ERROR = "ERROR"
    TERMINATED = "TERMINATED"


class Phase(StrEnum):
    """What one look at a pod showed. Every phase but `exited` and `gone` counts as billing."""

    ALLOCATING = "allocating"
    NO_RUNTIME = "no_runtime"
    RUNNING = "running"
    EXITED = "exited"
    ERROR = "error"
    GONE = "gone"

    @property
    def bills(self) -> bool:
        return self is not Phase.EXITED and self is not Phase.GONE


def phase_of(status: Status, *, shows_life: bool, text_says_terminated: bool = False) -> Phase:
    """The phase of a pod with this status.

    `shows_life`: a runtime with uptime > 0, a port or a GPU, or a direct SSH endpoint. It is ignored
    on anything but RUNNING, because a stopped pod goes on reporting its old runtime for a while.
    `text_says_terminated`: RunPod's status text begins with "Terminated"; a terminate is written as
    EXITED with such a text.
    """
    match status:
        case Status.PROVISIONING | Status.STARTING:
            return Phase.ALLOCATING
        case Status.RUNNING:
            return Phase.RUNNING if shows_life else Phase.NO_RUNTIME
        case Status.EXITED:
            return Phase.GONE if text_says_terminated else Phase.EXITED
        case Status.ERROR:
            return Phase.ERROR
        case Status.TERMINATED:
            return Phase.GONE
        case _:
            assert_never(status)
