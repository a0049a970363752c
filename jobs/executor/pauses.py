"""How long the executor waits before it looks again. Pauses are real time."""

from datetime import datetime, timedelta

from jobs.house import House
from storage.deed import Deed

FIRST_RETRY = timedelta(seconds=5)
LONGEST_RETRY = timedelta(minutes=10)
FIRST_LOOK = timedelta(seconds=1)
LONGEST_LOOK = timedelta(seconds=60)
HELD_LOOK = timedelta(seconds=5)


def retry_pause(attempts: int) -> timedelta:
    """Before the next attempt: doubled with each one that did not take."""
    return min(FIRST_RETRY * 2.0 ** min(max(attempts, 1) - 1, 10), LONGEST_RETRY)


def look_pause(deed: Deed, now: datetime, rate: float) -> timedelta:
    """Before the next look at a deed: a quarter of the time that has been spent on it, within bounds."""
    begun = deed.answered_at or deed.attempted_at or deed.not_before
    spent = max(now - begun, timedelta(0)) / rate if rate else timedelta(0)
    return min(max(spent / 4, FIRST_LOOK), LONGEST_LOOK)


def later(house: House, pause: timedelta, now: datetime) -> datetime:
    """Now and so much real time."""
    return now + pause * house.clock.rate
