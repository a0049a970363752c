"""How many calls RunPod gets from us: a bucket of tokens, with some kept back for what matters more.

RunPod publishes 60 calls a minute and 50,000 a day, shared with everybody's scripts. A bucket of 30 that
refills with 29 a minute stays under both, and under 60 in any one minute.
"""

import asyncio
import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum

from gateways.runpod.errors import RateLimited
from gateways.wall import Wall

_WINDOW = re.compile(r'"(?P<name>[a-z]+)"\s*;\s*r=(?P<left>\d{1,9})\s*;\s*t=(?P<reset>\d{1,9})')


class Priority(Enum):
    """Who goes first. The value is how many tokens a call leaves for those before it."""

    EXECUTOR = 0
    CREATE = 4
    LISTING = 8
    REST = 12


@dataclass(slots=True)
class Budget:
    """A token bucket on the injected clock. With several replicas each is given its share.

    A call that has waited grows in weight, by one token every two seconds and up to that of a create, so
    that a listing every two seconds does not starve the rest.
    """

    clock: Wall
    per_minute: float = 29.0
    burst: float = 30.0
    patience: timedelta = timedelta(seconds=30)
    """A wait known to be longer than this is refused at once."""
    _level: float = field(init=False)
    _at: datetime = field(init=False)
    _closed_until: datetime | None = None
    _queues: dict[Priority, asyncio.Lock] = field(
        default_factory=lambda: {p: asyncio.Lock() for p in Priority}
    )

    def __post_init__(self) -> None:
        self._level, self._at = self.burst, self.clock.now()

    async def take(self, priority: Priority) -> None:
        """Waits for its turn and takes one token.

        Raises:
            RateLimited: the turn would not come within `patience`.
        """
        began = self.clock.now()
        async with self._queues[priority]:
            while (wait := self._wait(priority, began)) > timedelta(0):
                if wait > self.patience:
                    seconds = wait.total_seconds()
                    raise RateLimited(wait, f"RunPod takes no more calls from us for {seconds:.0f} s")
                await self.clock.sleep_until(self.clock.now() + wait)
            self._level -= 1

    def heed(self, rate_limit: str) -> None:
        """Takes notice of a `RateLimit` header: what is left for the whole account, ours or not."""
        now = self._refill()
        for window in _WINDOW.finditer(rate_limit):
            self._level = min(self._level, float(window["left"]))
            if window["left"] == "0":
                self._close(now, timedelta(seconds=int(window["reset"])))

    def pause(self, wait: timedelta) -> None:
        """Nobody calls for this long: RunPod said 429."""
        self._close(self._refill(), wait)

    def _close(self, now: datetime, wait: timedelta) -> None:
        until = now + wait
        self._closed_until = until if self._closed_until is None else max(self._closed_until, until)

    def _refill(self) -> datetime:
        now = self.clock.now()
        minutes = max((now - self._at) / timedelta(minutes=1), 0.0)
        self._level, self._at = min(self.burst, self._level + minutes * self.per_minute), now
        return now

    def _wait(self, priority: Priority, began: datetime) -> timedelta:
        """How long until this call may go; zero if now."""
        now = self._refill()
        if self._closed_until is not None and now < self._closed_until:
            return self._closed_until - now
        grown = max((now - began) / timedelta(seconds=2), 0.0)
        kept_back = max(priority.value - grown, min(priority.value, Priority.CREATE.value))
        missing = kept_back + 1 - self._level
        if missing <= 0:
            return timedelta(0)
        return timedelta(minutes=missing / self.per_minute) / (2 if kept_back > Priority.CREATE.value else 1)
