"""What we have seen of a pod, folded up: polls extend a row, only changes add one.

`observe` is the only way in which a history grows. Two things are guarded here. An observation that does
not count starts no clock and adds to no count. And after a *gap*, that is more than `max_gap` without a
counting observation or a clock that jumped, nothing is taken to have gone on in between: the pod was not
watched from birth, may have exited only now, and starts to miss its runtime only now.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple, Protocol

from pods.has_run import Sign, sign_in
from pods.ids import PodId
from pods.phase import Phase

_SILENT = (Phase.ALLOCATING, Phase.NO_RUNTIME)
"""Rented, and nothing is seen to run."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One look at one pod."""

    pod_id: PodId
    at: datetime
    phase: Phase
    shows_life: bool
    """A runtime with uptime > 0, a port or a GPU, or a direct SSH endpoint was in the answer."""
    started_at: datetime | None
    counts: bool
    """The listing was complete and the clock sound; see `counts`."""
    after_gap: bool = False
    """The clock jumped, or was in doubt at the last look: nobody knows how long it was since then."""


class Episode(NamedTuple):
    """A stretch of time in which a pod stayed in one phase since one start."""

    phase: Phase
    since: datetime
    until: datetime
    """The last observation in it."""
    observations: int
    longest_gap: timedelta
    """The longest time between two observations."""
    started_at: datetime | None


class PodHistory(NamedTuple):
    """Exactly what is stored of one pod beside its closed episodes.

    Named tuples, like an episode, because a large pass makes a hundred thousand of each.
    """

    pod_id: PodId
    first_seen_at: datetime
    at_first_listing: bool
    last_seen_at: datetime
    last_counting_at: datetime | None
    gapless: bool
    """Never a gap since the first observation."""
    counting: int
    has_run: Sign | None
    """The first sign of "has run" in a listing. It never expires."""
    has_run_at: datetime | None
    started_at: datetime | None
    """The last start time that RunPod named."""
    nulls: int
    """Counting observations without a runtime since it last showed one; 0 if it never did."""
    nulls_since: datetime | None
    last_unexited_at: datetime | None
    """The last observation of anything but `exited`: it cannot have exited before."""
    exited_since: datetime | None
    """The latest moment at which it can have exited; None: not exited, or no observation of that counts."""
    episode: Episode
    """The open one."""

    @property
    def open_phase(self) -> Phase:
        """The phase of the open episode."""
        return self.episode.phase


class Past(Protocol):
    """What the judgement asks of a history, by the names of `PodHistory`; None means unknown.

    A row of a pass over the whole fleet has it too, without being taken apart for each pod.
    """

    @property
    def first_seen_at(self) -> datetime | None: ...
    @property
    def last_counting_at(self) -> datetime | None: ...
    @property
    def gapless(self) -> bool | None: ...
    @property
    def started_at(self) -> datetime | None: ...
    @property
    def last_unexited_at(self) -> datetime | None: ...
    @property
    def exited_since(self) -> datetime | None: ...
    @property
    def open_phase(self) -> str | None: ...


class Change(StrEnum):
    """What an observation did to the episodes."""

    EXTENDED = "extended"
    OPENED = "opened"
    IGNORED = "ignored"
    """It is not newer than the last one: a doubled or late answer."""


def counts(phase: Phase, *, complete: bool, clock_doubtful: bool, witness_out: bool) -> bool:
    """Whether a look counts. While the witness is out, only its nulls are worth nothing."""
    blind = witness_out and phase is Phase.NO_RUNTIME
    return complete and not clock_doubtful and not blind


def first(seen: Observation, *, at_first_listing: bool) -> PodHistory:
    """The history of a pod that is seen for the first time."""
    exited = seen.phase is Phase.EXITED
    sign = sign_in(seen.phase, shows_life=seen.shows_life, started_before=None, started_at=seen.started_at)
    return PodHistory(
        pod_id=seen.pod_id,
        first_seen_at=seen.at,
        at_first_listing=at_first_listing,
        last_seen_at=seen.at,
        last_counting_at=seen.at if seen.counts else None,
        gapless=not seen.after_gap,
        counting=int(seen.counts),
        has_run=sign,
        has_run_at=seen.at if sign else None,
        started_at=seen.started_at,
        nulls=0,
        nulls_since=None,
        last_unexited_at=None if exited else seen.at,
        exited_since=seen.at if exited and seen.counts else None,
        episode=_opened(seen),
    )


def observe(history: PodHistory, seen: Observation, max_gap: timedelta) -> tuple[PodHistory, Change]:
    """The history with one more look in it, and what became of the open episode."""
    if seen.at <= history.last_seen_at and not seen.after_gap:
        return history, Change.IGNORED
    gap = seen.after_gap or _is_gap(history, seen, max_gap)
    sign = sign_in(
        seen.phase,
        shows_life=seen.shows_life,
        started_before=history.started_at,
        started_at=seen.started_at,
    )
    nulls, nulls_since = _nulls(history, seen, gap)
    episode, change = _episode(history, seen)
    grown = history._replace(
        last_seen_at=seen.at,
        last_counting_at=seen.at if seen.counts else history.last_counting_at,
        gapless=history.gapless and not gap,
        counting=history.counting + seen.counts,
        has_run=history.has_run or sign,
        has_run_at=history.has_run_at or (seen.at if sign else None),
        started_at=seen.started_at or history.started_at,
        nulls=nulls,
        nulls_since=nulls_since,
        last_unexited_at=_last_unexited_at(history, seen),
        exited_since=_exited_since(history, seen, gap),
        episode=episode,
    )
    return grown, change


def steady(history: PodHistory, *, shows_life: bool) -> bool:
    """Whether more of the same only extends it.

    `shows_life` is what its last look showed. Further looks that show exactly what that one did, count, and
    come without a gap, then add to its numbers and change nothing else; storage does that for many at once.
    """
    silent = history.episode.phase in _SILENT and not shows_life
    starts_to_miss = silent and history.has_run is not None and history.nulls_since is None
    return history.last_counting_at == history.last_seen_at and not starts_to_miss


def in_gap(past: Past, now: datetime, max_gap: timedelta) -> bool:
    """Whether there is a gap right now: nothing has counted for longer than `max_gap`."""
    return past.last_counting_at is None or now - past.last_counting_at > max_gap


def watched_from_birth(
    past: Past,
    created_at: datetime | None,
    create_called_at: datetime | None,
    now: datetime,
    max_gap: timedelta,
) -> bool:
    """First listed at most `max_gap` after the earlier of its creation time and our create call, and
    without a gap from then to now. With neither of the two known: no."""
    born_at = created_at or create_called_at
    if born_at is None or past.first_seen_at is None or not past.gapless:
        return False
    if create_called_at is not None and create_called_at < born_at:
        born_at = create_called_at
    return past.first_seen_at - born_at <= max_gap and not in_gap(past, now, max_gap)


def _is_gap(history: PodHistory, seen: Observation, max_gap: timedelta) -> bool:
    since = history.last_counting_at or history.first_seen_at
    return seen.counts and seen.at - since > max_gap


def _start_changed(history: PodHistory, seen: Observation) -> bool:
    return seen.started_at is not None and seen.started_at != history.started_at


def _exited_since(history: PodHistory, seen: Observation, gap: bool) -> datetime | None:
    if seen.phase is not Phase.EXITED:
        return None
    goes_on = history.episode.phase is Phase.EXITED and not gap and not _start_changed(history, seen)
    if goes_on and history.exited_since is not None:
        return history.exited_since
    return seen.at if seen.counts else None


def _last_unexited_at(history: PodHistory, seen: Observation) -> datetime | None:
    if seen.phase is not Phase.EXITED:
        return seen.at
    if _start_changed(history, seen) and history.started_at is not None:
        return history.last_seen_at
    return history.last_unexited_at


def _nulls(history: PodHistory, seen: Observation, gap: bool) -> tuple[int, datetime | None]:
    shows_nothing = seen.phase in _SILENT and not seen.shows_life
    if not shows_nothing or history.has_run is None:
        return 0, None
    if gap or history.nulls_since is None:
        return (1, seen.at) if seen.counts else (0, None)
    return history.nulls + seen.counts, history.nulls_since


def _episode(history: PodHistory, seen: Observation) -> tuple[Episode, Change]:
    last = history.episode
    restarted = _start_changed(history, seen) and history.started_at is not None
    if seen.phase is not last.phase or restarted:
        return _opened(seen), Change.OPENED
    extended = last._replace(
        until=seen.at,
        observations=last.observations + 1,
        longest_gap=max(last.longest_gap, seen.at - last.until),
        started_at=seen.started_at or last.started_at,
    )
    return extended, Change.EXTENDED


def _opened(seen: Observation) -> Episode:
    return Episode(
        phase=seen.phase,
        since=seen.at,
        until=seen.at,
        observations=1,
        longest_gap=timedelta(0),
        started_at=seen.started_at,
    )
