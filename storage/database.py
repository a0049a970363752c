"""One place through which everybody reaches the database: units of work on threads of their own."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from storage.answers import Answers
from storage.engine import is_sqlite, parsed, reading_engine, shown, writing_engine
from storage.errors import DatabaseBusyError
from storage.faults import translated
from storage.serve_lock import ServeLock
from storage.writers import By, Job, T, Work, Writers

__all__ = ["Database", "Work"]

READERS = 2
POSTGRES_WRITERS = 4


class Database:
    """A database and the threads that work on it: one writer for SQLite, a few for PostgreSQL, and readers.

    `work` is a function of a session and is one transaction: all of it is committed when it returns, none
    of it if it raises. It must do nothing but read and write rows, and change nothing else: it may be done
    again from the start. Raises the errors of `storage.errors`.
    """

    def __init__(self, url: str) -> None:
        self._address = parsed(url)
        writers = 1 if is_sqlite(self._address) else POSTGRES_WRITERS
        self._writing = writing_engine(self._address, writers + 1)
        self._reading = reading_engine(self._address, READERS + 1)
        self._writers = Writers(self._writing, str(self), writers)
        self._readers = ThreadPoolExecutor(READERS, "database-reader")
        self._answers: Answers | None = None
        self._serve_lock: ServeLock | None = None

    def __str__(self) -> str:
        return shown(self._address)

    async def run(self, work: Work[T], *, within: timedelta | None = None) -> T:
        """Do the work in a transaction that may write.

        With `within` it goes before works without, and raises DatabaseBusyError if it is not committed by
        then; it then never will be.
        """
        job = Job(work)
        answer = self._answers_here().to(job.answer)
        self._writers.submit(job, urgent=within is not None)
        if within is None:
            try:
                return await answer
            except asyncio.CancelledError:
                job.answer.cancel()
                raise
        seconds = within.total_seconds()
        timer = answer.get_loop().call_later(seconds, self._give_up, job, answer, seconds)
        try:
            return await answer
        finally:
            timer.cancel()

    def _give_up(self, job: Job[T], answer: "asyncio.Future[T]", seconds: float) -> None:
        if not answer.done() and job.turn.take(By.ASKER):
            answer.set_exception(
                DatabaseBusyError(f"The database {self} did not answer within {seconds:g} s.")
            )

    def _answers_here(self) -> Answers:
        loop = asyncio.get_running_loop()
        if self._answers is None or self._answers.loop is not loop:
            self._answers = Answers(loop)
        return self._answers

    async def read(self, work: Work[T]) -> T:
        """Do the work in a transaction that sees one state of the database and cannot write."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, lambda: self.read_now(work))

    def run_now(self, work: Work[T]) -> T:
        """`run`, on the calling thread: for commands without an event loop."""
        job = Job(work)
        self._writers.do(job)
        return job.answer.result()

    def read_now(self, work: Work[T]) -> T:
        """`read`, on the calling thread."""
        try:
            with Session(self._reading) as session:
                answer = work(session)
                session.flush()
                return answer
        except DBAPIError as error:
            raise translated(error, str(self)) from error

    def lock_for_serve(self) -> None:
        """Keep every other `serve` off this SQLite file until `close`; on PostgreSQL several may serve.

        Raises DatabaseInUseError if one is at work already.
        """
        if is_sqlite(self._address):
            self._serve_lock = ServeLock.take(self._address)

    def close(self) -> None:
        """Finish the work that was asked for and let go of the database."""
        self._writers.close()
        self._readers.shutdown(cancel_futures=True)
        self._writing.dispose()
        self._reading.dispose()
        if self._serve_lock:
            self._serve_lock.release()
