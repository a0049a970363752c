"""How what the writers did comes back to those who wait for it on an event loop."""

import asyncio
from collections import deque
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")


class Answers:
    """The way from the writers' threads to one event loop.

    Waking a loop from a thread costs more than what most writes do; so it is woken once for all that was
    settled since it last looked.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._settled: deque[tuple[Future[Any], asyncio.Future[Any]]] = deque()
        self._rung = False

    def to(self, settled: "Future[T]") -> "asyncio.Future[T]":
        """What is awaited on the loop until the other is settled; cancelling it leaves the other alone."""
        awaited: asyncio.Future[T] = self.loop.create_future()
        settled.add_done_callback(lambda done: self._put(done, awaited))
        return awaited

    def _put(self, settled: "Future[T]", awaited: "asyncio.Future[T]") -> None:
        self._settled.append((settled, awaited))
        if not self._rung and not self.loop.is_closed():
            self._rung = True
            self.loop.call_soon_threadsafe(self._hand_out)

    def _hand_out(self) -> None:
        # First of all, so that whoever puts something in while this goes on rings again.
        self._rung = False
        while self._settled:
            settled, awaited = self._settled.popleft()
            if awaited.done():
                continue
            if settled.cancelled():
                awaited.cancel()
            elif (error := settled.exception()) is not None:
                awaited.set_exception(error)
            else:
                awaited.set_result(settled.result())
