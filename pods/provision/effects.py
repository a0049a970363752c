"""What the reconciler may be told to do: one short thing each, after the row is written.

`SetFence`, `Teardown` and `AskOwner` are rows of our own and belong into the same transaction as the
provision's row; the others reach outside and may be cut off at any moment.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from pods.provision.seen import Work


@dataclass(frozen=True, slots=True)
class Create:
    """Send this create call, once. Answer: `Seen.create`."""

    call: int
    token: str
    gpu: str
    data_centers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetFence:
    """Store when the pod ends by itself, or that it does not, and read that back. Answer: `Seen.fence`."""

    pod_id: str
    terminates_at: datetime | None


@dataclass(frozen=True, slots=True)
class ProbeSsh:
    """Try to log in once. Answer: `Seen.probe`."""

    host: str
    port: int


@dataclass(frozen=True, slots=True)
class ReadSystemLog:
    """Read the time of the newest system log line. Answer: `Seen.system_log`."""

    pod_id: str


@dataclass(frozen=True, slots=True)
class Start:
    """Start this numbered run on the pod, detached. Answer: `Seen.started`."""

    work: Work
    run: int


@dataclass(frozen=True, slots=True)
class Poll:
    """Ask over a fresh connection how this run stands. Answer: `Seen.remote`."""

    work: Work
    run: int


@dataclass(frozen=True, slots=True)
class ReadBranch:
    """Read what is checked out on the pod. Answer: `Seen.branch`."""

    run: int


@dataclass(frozen=True, slots=True)
class StopWork:
    """Stop what runs on the pod for us, best effort. Answer: `Seen.work_stopped`."""

    work: Work
    run: int


@dataclass(frozen=True, slots=True)
class Teardown:
    """Hand this pod, which nobody ever reached, to the executor. Answer: `Seen.clean_up`."""

    pod_id: str


class Question(StrEnum):
    GO_ON_AFTER_GAP = "go_on_after_gap"
    """We looked away for over an hour and the pod is there: go on?"""
    SECOND_POD = "second_pod"
    """Two of our calls made a pod each, and this one cannot be ended by us."""
    MOVED_OR_COPIED = "moved_or_copied"
    """A pod bears this provision's marks without being the one we made."""


@dataclass(frozen=True, slots=True)
class AskOwner:
    """Put this question to the owner, once. Answers come as `Seen.owner_says` or as claims."""

    question: Question
    pod_ids: tuple[str, ...]


Effect = (
    Create | SetFence | ProbeSsh | ReadSystemLog | Start | Poll | ReadBranch | StopWork | Teardown | AskOwner
)
