"""Takes down what comes in: whatever waits at the same moment is one transaction, and one turn of the writer.

The work on it begins when nobody waits for an acknowledgement any more, or a moment later: what is to be done
never stands before what somebody waits three seconds for.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial

from storage.database import Database
from storage.errors import DatabaseBusyError, DatabaseError
from storage.inbox import Arrival, receive_all

WITHIN = timedelta(seconds=1)
BEGIN_AT_LATEST_SECONDS = 0.1


@dataclass(slots=True)
class Intake:
    """One for a process. `begin` starts to handle an inbox row."""

    database: Database
    begin: Callable[[str], None]
    within: timedelta = WITHIN
    _waiting: list[tuple[Arrival, "asyncio.Future[None]"]] = field(default_factory=list)
    _taking: asyncio.Task[None] | None = None
    _unanswered: int = 0
    _to_begin: list[str] = field(default_factory=list)
    _timer: asyncio.TimerHandle | None = None

    async def take_down(self, arrival: Arrival) -> None:
        """Returns once it is committed. Raises DatabaseError if that does not come about in time."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        entry = (arrival, done)
        self._waiting.append(entry)
        self._unanswered += 1
        try:
            if self._taking is None or self._taking.done():
                self._taking = asyncio.create_task(self._take_all(), name="intake")
            await asyncio.wait({done}, timeout=self.within.total_seconds())
            if not done.done() and entry in self._waiting:
                self._waiting.remove(entry)
                raise DatabaseBusyError("The database is busy with what came before.")
            await done
        except BaseException:
            self.answered()
            raise

    def answered(self, key: str | None = None) -> None:
        """It was acknowledged, or refused; with `key`, the work on it is to begin."""
        self._unanswered -= 1
        if key is not None:
            self._to_begin.append(key)
        if self._unanswered == 0:
            self._begin_all()
        elif self._timer is None and self._to_begin:
            self._timer = asyncio.get_running_loop().call_later(BEGIN_AT_LATEST_SECONDS, self._begin_all)

    def _begin_all(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        keys, self._to_begin = self._to_begin, []
        for key in keys:
            self.begin(key)

    async def _take_all(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            arrivals = [arrival for arrival, _ in batch]
            failure: Exception | None = None
            try:
                await self.database.run(partial(receive_all, arrivals=arrivals), within=self.within)
            except DatabaseError as error:
                failure = error
            for _, done in batch:
                if done.done():
                    continue
                if failure is None:
                    done.set_result(None)
                else:
                    done.set_exception(failure)
