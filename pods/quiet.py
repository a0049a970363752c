"""Quiet hours: when a person is not written to, unless it is urgent."""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From `start` to `end` by the clock on the wall in `zone`; over midnight if `end` is the earlier.

    The same two times mean that there are none.
    """

    start: time
    end: time
    zone: ZoneInfo


def speak_at(now: datetime, quiet: QuietHours | None) -> datetime:
    """Now, or when the quiet hours that it lies in are over. An end that the clocks skip is the next
    minute that exists; one that comes twice is the first."""
    if quiet is None:
        return now
    local = now.astimezone(quiet.zone)
    if not _within(local.time(), quiet):
        return now
    day = local.date()
    if local.time() >= quiet.end:
        day += timedelta(days=1)
    end = datetime.combine(day, quiet.end, tzinfo=quiet.zone).astimezone(UTC)
    return _first_valid(end, quiet)


def _within(clock: time, quiet: QuietHours) -> bool:
    if quiet.start <= quiet.end:
        return quiet.start <= clock < quiet.end
    return clock >= quiet.start or clock < quiet.end


def _first_valid(end: datetime, quiet: QuietHours) -> datetime:
    """A local time that is skipped is converted with the offset from before; step back to the skip."""
    local = end.astimezone(quiet.zone)
    if local.time() == quiet.end:
        return end
    skipped = local.replace(tzinfo=None) - datetime.combine(local.date(), quiet.end)
    return end - skipped
