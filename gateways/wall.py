"""The clocks: the machine's own, and one that starts elsewhere and runs at another rate (demo, tests).

Sockets, retry pauses and leases stay on the machine's own time; everything else follows a `Wall`.
"""

import asyncio
import math
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

_LOOK_AGAIN_SECONDS = 0.25
_LONGEST_NAP_SECONDS = 60.0
_TOLERATED_DRIFT_SECONDS = 5.0
_YEAR_2000, _YEAR_2100 = 946_684_800.0, 4_102_444_800.0
_NUMBER = r"\d{1,12}(?:\.\d{1,9})?"
_PACE = re.compile(rf"({_NUMBER}):({_NUMBER})@({_NUMBER})")


class ClockSettingError(ValueError):
    """PODKEEPER_CLOCK says something that is no clock."""


class Wall(Protocol):
    """A clock that can be waited on."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""
        ...

    @property
    def rate(self) -> float:
        """How many of its seconds pass in one second of the machine."""
        ...

    @property
    def settings_seen(self) -> int:
        """Grows whenever somebody sets the clock anew."""
        ...

    def seconds_until(self, moment: datetime) -> float:
        """Seconds of the machine until `now()` shows `moment`: 0 if it is past, infinite if never."""
        ...

    async def sleep_until(self, moment: datetime) -> None:
        """Returns once `now()` has reached `moment`, also if the clock is set to beyond it."""
        ...


@dataclass(frozen=True, slots=True)
class Pace:
    """`<wall>:<start>@<rate>`: time = start + (wall clock - wall) x rate, all in Unix seconds."""

    wall: float
    start: float
    rate: float

    def at(self, wall_now: float) -> datetime:
        """What this clock shows when the machine's shows `wall_now`, in Unix seconds."""
        return datetime.fromtimestamp(self.start + (wall_now - self.wall) * self.rate, UTC)

    def is_sane(self, wall_now: float) -> bool:
        """Whether it shows a time between 2000 and 2100."""
        return _YEAR_2000 <= self.start + (wall_now - self.wall) * self.rate < _YEAR_2100

    def __str__(self) -> str:
        return f"{self.wall:.6f}:{self.start:.6f}@{self.rate:g}"


def real_pace() -> Pace:
    """The machine's own time."""
    return Pace(wall=0.0, start=0.0, rate=1.0)


def parse_pace(line: str) -> Pace:
    """The pace that a line `<wall>:<start>@<rate>` names.

    Raises:
        ClockSettingError: it does not name one.
    """
    found = _PACE.fullmatch(line.strip())
    if found is None:
        raise ClockSettingError(
            f"PODKEEPER_CLOCK says {line.strip()[:80]!r}; it takes 'system', '<wall>:<start>@<rate>' in Unix "
            "seconds, or '@FILE' with such a line in it"
        )
    wall, start, rate = map(float, found.groups())
    return Pace(wall, start, rate)


@dataclass(slots=True)
class PacedClock:
    """A clock whose pace comes from `source`, asked at every look."""

    source: Callable[[], Pace] = real_pace
    wall_now: Callable[[], float] = time.time
    settings_seen: int = 0
    _pace: Pace = field(init=False)

    def __post_init__(self) -> None:
        self._pace = self.source()
        if not self._pace.is_sane(self.wall_now()):
            raise ClockSettingError(f"PODKEEPER_CLOCK says {self._pace}, which is no time of this century")

    def now(self) -> datetime:
        self._look()
        return self._pace.at(self.wall_now())

    @property
    def rate(self) -> float:
        self._look()
        return self._pace.rate

    def seconds_until(self, moment: datetime) -> float:
        left = (moment - self.now()).total_seconds()
        if left <= 0:
            return 0.0
        return left / self._pace.rate if self._pace.rate else math.inf

    async def sleep_until(self, moment: datetime) -> None:
        longest = _LONGEST_NAP_SECONDS if self.source is real_pace else _LOOK_AGAIN_SECONDS
        while True:
            seconds = self.seconds_until(moment)
            if seconds <= 0:
                return
            await asyncio.sleep(min(seconds, longest))

    def _look(self) -> None:
        pace = self.source()
        if pace != self._pace and pace.is_sane(self.wall_now()):
            self._pace = pace
            self.settings_seen += 1


@dataclass(slots=True)
class PaceFile:
    """The pace that stands in a file. A file that cannot be read later on leaves the last pace in force."""

    path: Path
    _stamp: tuple[int, int, int] | None = None
    _pace: Pace | None = None

    def __call__(self) -> Pace:
        try:
            stat = self.path.stat()
            stamp = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
            if stamp != self._stamp:
                self._pace, self._stamp = parse_pace(self.path.read_text()), stamp
        except (OSError, ValueError) as why:
            if self._pace is None:
                raise ClockSettingError(f"PODKEEPER_CLOCK names {self.path}: {why}") from why
        assert self._pace is not None
        return self._pace


def clock_of(setting: str) -> PacedClock:
    """The clock that PODKEEPER_CLOCK names: `system`, `<wall>:<start>@<rate>` or `@FILE`.

    Raises:
        ClockSettingError: it names none, or its file cannot be read.
    """
    if setting == "system":
        return PacedClock()
    if setting.startswith("@"):
        return PacedClock(PaceFile(Path(setting[1:])))
    pace = parse_pace(setting)
    return PacedClock(lambda: pace)


@dataclass(frozen=True, slots=True)
class Mark:
    """One look at a clock, to be compared with a later one."""

    at: datetime
    monotonic: float
    settings_seen: int


def mark(clock: Wall, monotonic: Callable[[], float] = time.monotonic) -> Mark:
    """What the clock and the monotonic clock show now."""
    at = clock.now()
    return Mark(at, monotonic(), clock.settings_seen)


def jumped(clock: Wall, since: Mark, monotonic: Callable[[], float] = time.monotonic) -> bool:
    """Whether the clock was set anew since then, or moved otherwise than the monotonic clock x rate."""
    present = mark(clock, monotonic)
    if present.settings_seen != since.settings_seen:
        return True
    expected = timedelta(seconds=(present.monotonic - since.monotonic) * clock.rate)
    tolerated = timedelta(seconds=_TOLERATED_DRIFT_SECONDS * max(clock.rate, 1.0))
    return abs(present.at - since.at - expected) > tolerated


def is_loopback(url: str) -> bool:
    """Whether an address leads to this machine alone: only there may a clock be other than the system's."""
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
