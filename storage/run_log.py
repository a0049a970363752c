"""What is known of the logs of runs on pods: how far each was read, and its last lines."""

from dataclasses import dataclass, field
from datetime import datetime

from sqlmodel import Session

from pods.known_failures import failures_in
from storage.listing import recall, remember

RUN_LOG = "log/"
"""How the names of these small states begin."""
KEPT = 6_000
"""Characters of a log's end that are kept."""


@dataclass(frozen=True, slots=True)
class LogTail:
    """The end of one log. `failures`: codes of the known failures that stood anywhere in it."""

    offset: int = 0
    size: int = 0
    text: str = ""
    failures: tuple[str, ...] = field(default=())


def grown(known: LogTail, more: str, offset: int, size: int) -> LogTail:
    """The tail after the log has grown by `more`."""
    text = (known.text + more)[-KEPT:]
    met = (failure.code for failure in failures_in(known.text[-500:] + more))
    return LogTail(offset, size, text, tuple(dict.fromkeys((*known.failures, *met))))


def put_tail(session: Session, provision_id: str, run: int, work: str, known: LogTail, at: datetime) -> None:
    remember(session, _name(provision_id, run, work), known, at)


def tail(session: Session, provision_id: str, run: int, work: str) -> LogTail | None:
    """None: nothing was read yet."""
    return recall(session, _name(provision_id, run, work), LogTail)


def _name(provision_id: str, run: int, work: str) -> str:
    return f"{RUN_LOG}{provision_id}/{run}/{work}"
