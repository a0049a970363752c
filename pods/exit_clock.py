"""When did it exit? Our own observations decide; RunPod's text is shown and can only lead to a question."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from pods.episodes import Past, in_gap
from pods.phase import Phase
from pods.policy import CLOCK_TOLERANCE
from pods.status_text import StatusText

_EXITED = Phase.EXITED


class ExitSource(StrEnum):
    """Where a shown exit time comes from (`exited_at_source` of the contract)."""

    OBSERVED = "observed"
    PROVIDER = "provider"
    UNKNOWN = "unknown"


class ExitTimes(NamedTuple):
    """Two clocks, never mixed."""

    since: datetime | None
    """The latest moment at which it can have exited. Only this one can lead to an end."""
    first_seen_exited: bool
    provider_at: datetime | None
    """What RunPod's text says, if the text is valid."""

    @property
    def shown(self) -> tuple[datetime | None, ExitSource]:
        """The exit time to show to people, and where it comes from."""
        if self.since is not None and not self.first_seen_exited:
            return self.since, ExitSource.OBSERVED
        if self.provider_at is not None:
            return self.provider_at, ExitSource.PROVIDER
        return None, ExitSource.UNKNOWN


NOT_EXITED = ExitTimes(since=None, first_seen_exited=False, provider_at=None)


def exit_times(past: Past, text: StatusText | None, now: datetime, max_gap: timedelta) -> ExitTimes:
    """Both clocks of a pod. While there is a gap, our own has no answer."""
    if past.open_phase != _EXITED:
        return NOT_EXITED
    return ExitTimes(
        since=None if in_gap(past, now, max_gap) else past.exited_since,
        first_seen_exited=past.last_unexited_at is None,
        provider_at=_valid(text, past, now),
    )


def _valid(text: StatusText | None, past: Past, now: datetime) -> datetime | None:
    """The text's exit time, unless it contradicts what we saw, lies before the start, or ahead of us."""
    at = text.exited_at if text else None
    if at is None:
        return None
    latest = past.exited_since or now
    not_before = [m for m in (past.last_unexited_at, past.started_at) if m is not None]
    too_early = any(at < moment - CLOCK_TOLERANCE for moment in not_before)
    return None if too_early or at > latest + CLOCK_TOLERANCE else at
