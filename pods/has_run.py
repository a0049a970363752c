"""Has it run? As soon as one of these was ever seen for the pod's id; and that never expires."""

from enum import StrEnum


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
