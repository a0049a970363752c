"""Waiting for something to happen, instead of polling for it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Changes:
    """Counts what happens, and what is still going on; wakes whoever waits."""

    def __init__(self) -> None:
        self.version = 0
        self._busy = 0
        self._last = time.monotonic()
        self._waiting: set[asyncio.Future[None]] = set()

    def happened(self) -> None:
        self.version += 1
        self._last = time.monotonic()
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)
        self._waiting.clear()

    @contextmanager
    def going_on(self) -> Iterator[None]:
        """While inside, the workspace is not quiet."""
        self._busy += 1
        try:
            yield
        finally:
            self._busy -= 1
            self.happened()

    async def wait_for(self, true: Callable[[], bool], within: float) -> bool:
        """Waits until `true()`; gives its last answer after `within` wall seconds."""
        until = time.monotonic() + within
        while not true():
            if not await self._next(until - time.monotonic()):
                return true()
        return True

    async def settled(self, quiet: float, within: float) -> bool:
        """Waits until nothing is going on and nothing happened for `quiet` seconds."""
        until = time.monotonic() + within
        while time.monotonic() < until:
            still = quiet - (time.monotonic() - self._last)
            if self._busy == 0 and still <= 0:
                return True
            await self._next(min(until - time.monotonic(), still if self._busy == 0 else within))
        return False

    async def _next(self, seconds: float) -> bool:
        if seconds <= 0:
            return False
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(waiting)
        try:
            await asyncio.wait_for(waiting, seconds)
        except TimeoutError:
            return False
        finally:
            self._waiting.discard(waiting)
        return True
