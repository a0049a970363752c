"""What a look at a pod's SSH server, a login, or a run on it showed: closed sets of frozen values."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class PortRefused:
    """The port says no. Nothing answers there: it was not reached."""


@dataclass(frozen=True, slots=True)
class PortTimedOut:
    """No answer in time. It may be our own network: the pod is not known to be unreachable."""


@dataclass(frozen=True, slots=True)
class PortUnreachable:
    """No way there, or no SSH server behind it."""

    why: str


@dataclass(frozen=True, slots=True)
class Banner:
    """An SSH server named itself: the pod was reached."""

    version: str


Probe: TypeAlias = PortRefused | PortTimedOut | PortUnreachable | Banner


@dataclass(frozen=True, slots=True)
class LoggedIn:
    """Our key was accepted."""

    host_key: str
    """The server's public key, to be pinned from now on."""


@dataclass(frozen=True, slots=True)
class KeyRejected:
    """The server does not take our key."""

    host_key: str | None


@dataclass(frozen=True, slots=True)
class HostKeyChanged:
    """The server shows another key than the pinned one; we did not log in. A restart of the pod explains
    it, nothing else does."""

    seen: str


@dataclass(frozen=True, slots=True)
class ConnectionFailed:
    """The connection did not come about, or broke: unknown, not failed."""

    why: str
    refused: bool = False
    timed_out: bool = False


NoLogin: TypeAlias = KeyRejected | HostKeyChanged | ConnectionFailed
Login: TypeAlias = LoggedIn | NoLogin


@dataclass(frozen=True, slots=True)
class Ran:
    """A script that was started on the pod."""

    exit_status: int | None
    """None: unknown, because the connection broke or the time ran out. 128 + n: killed by signal n."""
    stdout: str
    stderr: str
    host_key: str
    cut: bool = False
    """More came than was kept."""
