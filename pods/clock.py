"""Time as an argument: the pure core is given `now`, everybody else is given a `Clock`."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """What tells the time. Schedules, deadlines, polls and durations follow it."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""
        ...
