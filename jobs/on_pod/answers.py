"""What the programs on the pod answer, read strictly: whatever is not whole is unknown."""

import re
from dataclasses import dataclass

from jobs.on_pod.programs import LOG_LIMIT
from pods.provision.seen import Remote, RemoteState, Started, Work
from pods.provision.value import Checkout

_STATE = re.compile(r"(absent|running|dead|unknown|exited ([0-9]{1,3}))\n([0-9]+)\n")
_WORDS = {
    "absent": RemoteState.ABSENT,
    "running": RemoteState.RUNNING,
    "dead": RemoteState.DEAD,
    "unknown": RemoteState.UNKNOWN,
}
_BRANCH = re.compile(r"branch (\S+)\nhead (\S+)\ndetached (yes|no)\nremote (\S+)\n")


@dataclass(frozen=True, slots=True)
class Polled:
    """How a run stands, with what its log has grown by."""

    remote: Remote
    log: str = ""
    next_offset: int = 0
    """Where the next poll goes on, in bytes."""
    log_size: int = 0

    @property
    def answered(self) -> bool:
        """Whether the pod's answer came whole, as far as it tells of the log."""
        return self.remote.state is not RemoteState.UNKNOWN or self.log_size > 0


def read_started(text: str, work: Work, run: int) -> tuple[Started, str | None]:
    """Whether the run is under way, and the pod's sentence if it could not be started."""
    answer = text.strip()
    started = Started(work, run, confirmed=answer in ("started", "already"))
    return started, answer.removeprefix("failed ") if answer.startswith("failed ") else None


def read_polled(answer: str, work: Work, run: int, *, offset: int = 0, limit: int = LOG_LIMIT) -> Polled:
    """How the run stands; `unknown` for an answer that broke off. `offset`, `limit`: as they were asked."""
    match = _STATE.match(answer)
    if match is None:
        return Polled(Remote(work, run, RemoteState.UNKNOWN), next_offset=offset)
    state, rc, size = match[1], match[2], int(match[3])
    remote = (
        Remote(work, run, _WORDS[state]) if rc is None else Remote(work, run, RemoteState.EXITED, int(rc))
    )
    return Polled(remote, answer[match.end() :], min(offset + limit, max(size, offset)), size)


def read_checkout(text: str) -> Checkout | None:
    """What is checked out; `None` for an answer that broke off."""
    match = _BRANCH.fullmatch(text)
    if match is None:
        return None
    branch, head, detached, remote = match.groups()
    return Checkout(_known(branch), _known(head), detached == "yes", _known(remote))


def _known(value: str) -> str | None:
    return None if value == "-" else value
