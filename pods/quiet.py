"""Quiet hours: when a person is not written to, unless it is urgent."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

_MINUTE = timedelta(minutes=1)


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
    return _end_on(day, quiet)


def _within(clock: time, quiet: QuietHours) -> bool:
    if quiet.start <= quiet.end:
        return quiet.start <= clock < quiet.end
    return clock >= quiet.start or clock < quiet.end


def _end_on(day: date, quiet: QuietHours) -> datetime:
    """The instant of the end. Of a local time that is skipped, `fold` names two instants around the skip,
    the later one first."""
    first, second = (
        datetime.combine(day, quiet.end, quiet.zone).replace(fold=fold).astimezone(UTC) for fold in (0, 1)
    )
    if first <= second:
        return first
    minutes = int((first - second) / _MINUTE)
    around = (second + n * _MINUTE for n in range(minutes + 1))
    return next(moment for moment in around if not _within(moment.astimezone(quiet.zone).time(), quiet))
