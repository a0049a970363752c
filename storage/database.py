"""One place through which everybody reaches the database: units of work on threads of their own."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import TypeVar

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from storage.engine import is_sqlite, parsed, reading_engine, shown, writing_engine
from storage.errors import DatabaseBusyError
from storage.faults import is_worth_repeating, translated
from storage.serve_lock import ServeLock

T = TypeVar("T")
Work = Callable[[Session], T]

READERS = 2
POSTGRES_WRITERS = 4
ATTEMPTS = 3


class Database:
    """A database and the threads that work on it: one writer for SQLite, a few for PostgreSQL, and readers.

    `work` is a function of a session and is one transaction: all of it is committed when it returns, none
    of it if it raises. It must do nothing but read and write rows: it is done again if two transactions of
    PostgreSQL got into each other's way. Raises the errors of `storage.errors`.
    """

    def __init__(self, url: str) -> None:
        self._address = parsed(url)
        writers = 1 if is_sqlite(self._address) else POSTGRES_WRITERS
        self._writing = writing_engine(self._address, writers + 1)
        self._reading = reading_engine(self._address, READERS + 1)
        self._writers = ThreadPoolExecutor(writers, "database-writer")
        self._readers = ThreadPoolExecutor(READERS, "database-reader")
        self._serve_lock: ServeLock | None = None

    def __str__(self) -> str:
        return shown(self._address)

    async def run(self, work: Work[T], *, within: timedelta | None = None) -> T:
        """Do the work in a transaction that may write.

        With `within`, raises DatabaseBusyError if it is not committed by then; it then never will be.
        """
        turn = _Turn()
        job = asyncio.get_running_loop().run_in_executor(
            self._writers, lambda: self._transact(self._writing, work, turn)
        )
        if within is None:
            return await job
        done, _ = await asyncio.wait({job}, timeout=within.total_seconds())
        if not done and turn.take():
            job.add_done_callback(lambda late: late.cancelled() or late.exception())
            raise DatabaseBusyError(
                f"The database {self} did not answer within {within.total_seconds():g} s."
            )
        return await job

    async def read(self, work: Work[T]) -> T:
        """Do the work in a transaction that sees one state of the database and cannot write."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, lambda: self.read_now(work))

    def run_now(self, work: Work[T]) -> T:
        """`run`, on the calling thread: for commands without an event loop."""
        return self._transact(self._writing, work, _Turn())

    def read_now(self, work: Work[T]) -> T:
        """`read`, on the calling thread."""
        return self._transact(self._reading, work, _Turn())

    def lock_for_serve(self) -> None:
        """Keep every other `serve` off this SQLite file until `close`; on PostgreSQL several may serve.

        Raises DatabaseInUseError if one is at work already.
        """
        if is_sqlite(self._address):
            self._serve_lock = ServeLock.take(self._address)

    def close(self) -> None:
        """Finish the work that has begun, drop the rest and let go of the database."""
        self._writers.shutdown(cancel_futures=True)
        self._readers.shutdown(cancel_futures=True)
        self._writing.dispose()
        self._reading.dispose()
        if self._serve_lock:
            self._serve_lock.release()

    def _transact(self, engine: Engine, work: Work[T], turn: "_Turn") -> T:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return _attempt(engine, work, turn)
            except DBAPIError as error:
                if attempt < ATTEMPTS and not turn.taken and is_worth_repeating(error):
                    continue
                raise translated(error, shown(self._address)) from error
        raise AssertionError("the last attempt returns or raises")


class _Turn:
    """Whether a piece of work may be committed: settled once, by its thread or by an asker who gave up."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.taken = False

    def take(self) -> bool:
        with self._lock:
            first, self.taken = not self.taken, True
            return first


def _attempt(engine: Engine, work: Work[T], turn: _Turn) -> T:
    if turn.taken:
        raise DatabaseBusyError("Nobody waits for this work any more.")
    with Session(engine, expire_on_commit=False) as session:
        result = work(session)
        session.flush()
        if not turn.take():
            raise DatabaseBusyError("Nobody waits for this work any more.")
        session.commit()
        return result
