"""A create, exactly once: which pod of a listing is the one that a create call made.

A pod is adopted for a call if and only if
- that call has no pod id yet,
- the pod bears the call's token in its environment and the provision's name,
- its creation time lies between the call's start - 2 min and its end + 2 min,
- and it is the only such pod.
More than one, or a match after an id is bound, is RunPod's migration or a copy (both copy names and
environments): nothing is adopted and nothing is ended.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

LEEWAY = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A pod of a fresh listing that bears marks of ours."""

    pod_id: str
    name: str
    token: str | None
    created_at: datetime | None
    usd_per_hour: float | None = None
    data_center: str | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """One create call as adoption looks at it. `ended_at`: when its answer, or giving up on it, came."""

    token: str
    name: str
    asked_at: datetime
    ended_at: datetime
    pod_id: str | None


@dataclass(frozen=True, slots=True)
class Adopt:
    """This pod is the one that the call made."""

    pod: Candidate


@dataclass(frozen=True, slots=True)
class MovedOrCopied:
    """These pods bear the call's marks and must not be adopted: their owner is asked."""

    pods: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Nothing:
    """No pod bears this call's marks, or what would tell is not readable yet."""


Adoption = Adopt | MovedOrCopied | Nothing


def adoption_of(call: Call, candidates: tuple[Candidate, ...]) -> Adoption:
    """What the pods of one fresh listing mean for this call."""
    marked = tuple(c for c in candidates if c.token == call.token and c.name == call.name)
    if call.pod_id is not None:
        strangers = tuple(c for c in marked if c.pod_id != call.pod_id)
        return MovedOrCopied(strangers) if strangers else Nothing()
    if len(marked) > 1:
        return MovedOrCopied(marked)
    if not marked or marked[0].created_at is None:
        return Nothing()
    if call.asked_at - LEEWAY <= marked[0].created_at <= call.ended_at + LEEWAY:
        return Adopt(marked[0])
    return MovedOrCopied(marked)
