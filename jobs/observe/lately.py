"""What an observer has in mind of the last listing, so that pods that show nothing new cost next to nothing.

It is only ever a short cut, in one process. Whether it may be taken is decided on what is written down: if
anybody else has written down a listing since, or one of the rows is not as this process left it, everything
is folded in full.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from pods.episodes import steady
from pods.ids import PodId
from pods.phase import Phase
from pods.snapshot import Listing, Snapshot, phase_seen
from storage.history import Step, extend_histories
from storage.pod import listed_again

WORTH_IT = 500
"""With more pods than this that show something new, all are folded in full: it costs as much."""


@dataclass(frozen=True, slots=True)
class Lately:
    """A complete listing that counted, and of which every pod could be read."""

    at: datetime
    phases: Mapping[PodId, Phase]
    """Of every pod in it."""
    steady: Mapping[PodId, Snapshot]
    """The pods of which more of the same changes nothing."""


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The pods of a listing that show what they showed in the last one."""

    at: datetime
    """Of the last one."""
    phases: Mapping[PodId, Phase]
    others: frozenset[PodId]
    """All other pods, of this listing and of the last."""


def unchanged(lately: Lately, listing: Listing, texts: Mapping[PodId, str]) -> Unchanged | None:
    """What both listings show alike; None if that is too little."""
    was, phases = lately.steady, lately.phases
    same = {PodId(key): phases[PodId(key)] for key, pod in listing.pods.items() if was.get(PodId(key)) is pod}
    for pod_id in texts.keys() & same.keys():
        if phase_seen(was[pod_id], texts[pod_id]) is not same[pod_id]:
            del same[pod_id]
    others = frozenset(PodId(key) for key in listing.pods.keys() | phases.keys() if key not in same)
    return Unchanged(lately.at, same, others) if same and len(others) <= WORTH_IT else None


def go_on(session: Session, unchanged: Unchanged, at: datetime) -> bool:
    """Write one more such look down for all of them; False, and nothing is written, if a row has changed."""
    number, last_at, others = len(unchanged.phases), unchanged.at, unchanged.others
    with session.begin_nested() as attempt:
        as_left = (
            extend_histories(session, last_at, at, others) == number
            and listed_again(session, last_at, at, others) == number
        )
        if not as_left:
            attempt.rollback()
    return as_left


def kept_in_mind(
    listing: Listing, phases: Mapping[PodId, Phase], same: Mapping[PodId, Phase], steps: Iterable[Step]
) -> Lately | None:
    """What to remember of a complete listing that counts; None if there is a pod that could not be read."""
    if len(phases) != len(listing.pods):
        return None
    found = {pod_id: pod for pod_id in same if isinstance(pod := listing.pods[pod_id], Snapshot)}
    for step in steps:
        seen = listing.pods[step.after.pod_id]
        ended = step.after.episode.phase is Phase.GONE
        if isinstance(seen, Snapshot) and not ended and steady(step.after, shows_life=seen.shows_life):
            found[step.after.pod_id] = seen
    return Lately(listing.at, phases, found)
