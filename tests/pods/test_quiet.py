"""Quiet hours by the clock on somebody's wall."""

from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

import pytest

from pods.quiet import QuietHours, speak_at

BERLIN = "Europe/Berlin"


def night(zone: str) -> QuietHours:
    return QuietHours(time(21), time(8), ZoneInfo(zone))


def at(month: int, day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "speaks"),
    [
        (at(11, 30, 20, 59), at(11, 30, 20, 59)),
        (at(11, 30, 21), at(12, 1, 8)),
        (at(12, 1, 7, 59), at(12, 1, 8)),
        (at(12, 1, 8), at(12, 1, 8)),
    ],
)
def test_at_night_it_waits_for_the_morning(now: datetime, speaks: datetime) -> None:
    assert speak_at(now, night("UTC")) == speaks


def test_the_night_is_the_night_of_the_persons_own_zone() -> None:
    assert speak_at(at(11, 30, 20, 30), night(BERLIN)) == at(12, 1, 7)


def test_without_quiet_hours_it_speaks_at_once() -> None:
    assert speak_at(at(11, 30, 3), None) == at(11, 30, 3)


def test_the_same_time_twice_means_no_quiet_hours() -> None:
    never = QuietHours(time(21), time(21), ZoneInfo("UTC"))

    assert speak_at(at(11, 30, 21), never) == at(11, 30, 21)


def test_quiet_hours_within_a_day_end_on_that_day() -> None:
    siesta = QuietHours(time(13), time(15), ZoneInfo("UTC"))

    assert speak_at(at(11, 30, 14), siesta) == at(11, 30, 15)
    assert speak_at(at(11, 30, 15), siesta) == at(11, 30, 15)


def test_over_a_change_of_the_clocks_the_morning_is_still_at_eight() -> None:
    assert speak_at(at(3, 28, 21), night(BERLIN)) == at(3, 29, 6)
    assert speak_at(at(10, 24, 20), night(BERLIN)) == at(10, 25, 7)


def test_an_end_that_the_clocks_skip_is_the_next_minute_that_exists() -> None:
    ends_in_the_skip = QuietHours(time(21), time(2, 30), ZoneInfo(BERLIN))

    assert speak_at(at(3, 28, 23), ends_in_the_skip) == at(3, 29, 1)


def test_an_end_that_comes_twice_is_the_first() -> None:
    ends_twice = QuietHours(time(21), time(2, 30), ZoneInfo(BERLIN))

    assert speak_at(at(10, 24, 23), ends_twice) == at(10, 25, 0, 30)
