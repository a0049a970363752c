"""Has it run? As soon as one of these was ever seen for the pod's id; and that never expires.

A runtime that is null, absent or `{}` says nothing either way. Nor does a heartbeat: it says that the
agent lives, not that the pod ran. A banner, a login and a line of the container's log are seen by the
provision and by the last look, and are stored beside what listings show.
"""

from datetime import datetime
from enum import StrEnum

from pods.phase import Phase


class Sign(StrEnum):
    """What shows that a container of this pod ran."""

    RUNTIME = "runtime"
    """A runtime with uptime > 0, a port or a GPU, or a direct SSH endpoint."""
    EXITED = "exited"
    RESTARTED = "restarted"
    BANNER = "banner"
    """An SSH server on its port 22 answered us."""
    LOGIN = "login"
    CONTAINER_LOG = "container_log"
    """One line of the container's own log; the system log says nothing either way."""


def sign_in(
    phase: Phase, *, shows_life: bool, started_before: datetime | None, started_at: datetime | None
) -> Sign | None:
    """The sign of life in one look at a pod, given the start time known before; None: says nothing.

    Signs of life count whatever the status beside them: an error or an allocation that shows a runtime
    has had one.
    """
    if shows_life:
        return Sign.RUNTIME
    if phase is Phase.EXITED:
        return Sign.EXITED
    if started_before is not None and started_at is not None and started_at != started_before:
        return Sign.RESTARTED
    return None
