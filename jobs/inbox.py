"""What came in and was acknowledged is handled here: at once, or after whatever interrupted it.

A handler is idempotent: every effect that it causes carries the key of what came in. One that fails is
tried again with growing pauses; what fails for good is parked, and whoever sent it is told.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta

import structlog

from jobs.house import House
from jobs.ticker import Pass
from storage.inbox import Incoming, done, put_back, take, take_due

LEASE = timedelta(seconds=120)
AT_ONCE = 50
MOST_ATTEMPTS = 4

_log = structlog.get_logger(__name__)

Handler = Callable[[Incoming], Awaitable[None]]
Apology = Callable[[Incoming, str], Awaitable[None]]
"""Tells the sender that it could not be handled, with the id under which the log has it."""


@dataclass(slots=True)
class Inbox:
    """Works off what came in."""

    house: House
    handle: Handler
    apologise: Apology
    _at_work: set[asyncio.Task[None]] = field(default_factory=set)

    def begin(self, key: str) -> None:
        """Handle this one now, in the background. If that is cut off, a later pass finds it."""
        task = asyncio.create_task(self._take_one(key), name=f"incoming {key}")
        self._at_work.add(task)
        task.add_done_callback(self._at_work.discard)

    async def drain(self) -> None:
        """Wait for what is being handled."""
        while self._at_work:
            await asyncio.gather(*self._at_work, return_exceptions=True)

    async def run(self) -> Pass:
        """Handle what nobody handles: left over by a restart, or put back."""
        now = self.house.clock.now()
        left_over = await self.house.db.run(lambda session: take_due(session, now, LEASE, AT_ONCE))
        await asyncio.gather(*(self._work(incoming) for incoming in left_over))
        return Pass()

    async def _take_one(self, key: str) -> None:
        incoming = await self.house.db.run(lambda session: take(session, key, LEASE))
        if incoming is not None:
            await self._work(incoming)

    async def _work(self, incoming: Incoming) -> None:
        try:
            await self.handle(incoming)
        except Exception:
            _log.exception("what came in could not be handled", key=incoming.id, kind=incoming.kind)
            return await self._failed(incoming)
        at = self.house.clock.now()
        await self.house.db.run(lambda session: done(session, incoming, at))
        return None

    async def _failed(self, incoming: Incoming) -> None:
        house, now = self.house, self.house.clock.now()
        if incoming.attempts < MOST_ATTEMPTS:
            due = now + timedelta(seconds=4.0**incoming.attempts) * house.clock.rate
            await house.db.run(lambda session: put_back(session, incoming, due))
        elif await house.db.run(lambda session: done(session, incoming, now, "failed")):
            await self.apologise(incoming, incoming.id)
