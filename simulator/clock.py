"""The simulated world's clock: one line of text decides what time it is.

The line is the same one that the product's own clock setting takes, so that several processes agree on
the time without talking to each other. The code is the simulator's own.
"""

import re
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Protocol

REREAD_EVERY_S = 0.25
_LINE = re.compile(r"^(?P<wall>-?\d+(\.\d+)?):(?P<start>-?\d+(\.\d+)?)@(?P<rate>\d+(\.\d+)?)$")


class ClockSpecError(ValueError):
    """The text that should say which time it is cannot be read; the message says what would be right."""


class Clock(Protocol):
    """What time it is in the simulated world."""

    def now(self) -> datetime:
        """The simulated time, aware, in UTC."""
        ...


class ManualClock:
    """A clock that stands still until somebody moves it."""

    def __init__(self, start: datetime) -> None:
        """`start` must be aware; `ValueError` otherwise."""
        self._now = _utc(start)

    def now(self) -> datetime:
        """The time it was last set to."""
        return self._now

    def advance(self, by: timedelta) -> None:
        """Move on (or back, if negative)."""
        self._now += by

    def set(self, to: datetime) -> None:
        """Jump to an aware time."""
        self._now = _utc(to)


class WallClock:
    """A clock tied to the machine's own: `system`, `<wall>:<start>@<rate>`, or `@FILE` holding such a line.

    `<wall>` and `<start>` are unix seconds: time = start + (wall clock - wall) x rate. A file is read again
    when it changes; a file that became unreadable leaves the last good line in force.
    """

    def __init__(self, spec: str = "system") -> None:
        """Raises `ClockSpecError` for a line that cannot be read, or a file that is missing."""
        self._file = Path(spec[1:]) if spec.startswith("@") else None
        self._read_at = time.monotonic()
        self._line = parse_clock_line(self._read_file() if self._file else spec)

    def now(self) -> datetime:
        """The simulated time, aware, in UTC."""
        if self._file is not None and time.monotonic() - self._read_at >= REREAD_EVERY_S:
            self._reread()
        wall, start, rate = self._line
        return datetime.fromtimestamp(start + (time.time() - wall) * rate, UTC)

    def _read_file(self) -> str:
        assert self._file is not None
        try:
            return self._file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as why:
            raise ClockSpecError(f"the clock file {self._file} cannot be read: {why}") from why

    def _reread(self) -> None:
        self._read_at = time.monotonic()
        try:
            self._line = parse_clock_line(self._read_file())
        except ClockSpecError:
            return


def parse_clock_line(line: str) -> tuple[float, float, float]:
    """`(wall, start, rate)` of one line, in unix seconds; `ClockSpecError` if it says something else."""
    if line.strip() == "system":
        return 0.0, 0.0, 1.0
    found = _LINE.match(line.strip())
    if found is None:
        raise ClockSpecError(
            f"the clock {line!r} is not understood: system, <wall>:<start>@<rate> (unix seconds) or @FILE"
        )
    return float(found["wall"]), float(found["start"]), float(found["rate"])


def _utc(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise ValueError(f"{moment} has no time zone")
    return moment.astimezone(UTC)
