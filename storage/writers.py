"""The threads that write. What somebody waits for goes first, and many such works share one commit.

An acknowledgement stands behind the commit of one INSERT, and a commit costs three times what the INSERT
does. So works with a time limit are taken out of turn, all that wait at once, and committed together. If one
of them fails, or its asker has given up, nothing is committed and each is done again by itself.
"""

import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Generic, TypeVar

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from storage.errors import DatabaseBusyError
from storage.faults import is_worth_repeating, translated

T = TypeVar("T")
Work = Callable[[Session], T]

TOGETHER = 100
ATTEMPTS = 3


class By(Enum):
    """Who settles whether a work is committed."""

    WRITER = 1
    ASKER = 2


class Turn:
    """Whether a work is still to be committed: settled once, by its writer or by an asker who gives up."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._settled: By | None = None

    def take(self, by: By) -> bool:
        """Settle it, unless the other has. Says whether it is settled in this way."""
        with self._lock:
            self._settled = self._settled or by
            return self._settled is by

    @property
    def given_up(self) -> bool:
        return self._settled is By.ASKER


@dataclass(frozen=True, slots=True, eq=False)
class Job(Generic[T]):
    """A work that waits, and where its answer goes."""

    work: Work[T]
    turn: Turn = field(default_factory=Turn)
    answer: "Future[T]" = field(default_factory=Future)


class Writers:
    """Threads that write to one engine until they are closed."""

    def __init__(self, engine: Engine, address: str, threads: int) -> None:
        self._engine = engine
        self._address = address
        self._bell: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._urgent: queue.SimpleQueue[Job[Any]] = queue.SimpleQueue()
        self._others: queue.SimpleQueue[Job[Any]] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._go_on, name="database-writer", daemon=True) for _ in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, job: Job[T], *, urgent: bool) -> None:
        """Have it done. Its answer is set once it is committed, or is not."""
        (self._urgent if urgent else self._others).put(job)
        self._bell.put(True)

    def close(self) -> None:
        """Do what was submitted, then end."""
        for _ in self._threads:
            self._bell.put(False)
        for thread in self._threads:
            thread.join()

    def _go_on(self) -> None:
        while self._bell.get():
            if urgent := _taken(self._urgent, TOGETHER):
                self._together(urgent)
            for job in _taken(self._others, 1):
                self.do(job)

    def do(self, job: Job[T]) -> None:
        """Do it on this thread, alone, and again if another transaction was in its way."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                with Session(self._engine, expire_on_commit=False) as session:
                    answer = _worked(session, job)
                    _settle(job)
                    session.commit()
            except DBAPIError as error:
                if attempt == ATTEMPTS or not is_worth_repeating(error):
                    return job.answer.set_exception(translated(error, self._address))
            except BaseException as error:
                return job.answer.set_exception(error)
            else:
                return job.answer.set_result(answer)
        return None

    def _together(self, jobs: Sequence[Job[Any]]) -> None:
        try:
            with Session(self._engine, expire_on_commit=False) as session:
                answers = [_worked(session, job) for job in jobs]
                for job in jobs:
                    _settle(job)
                session.commit()
        except Exception:
            for job in jobs:
                self.do(job)
        else:
            for job, answer in zip(jobs, answers, strict=True):
                job.answer.set_result(answer)


def _taken(waiting: "queue.SimpleQueue[Job[Any]]", limit: int) -> list[Job[Any]]:
    """What waits there now, without what nobody waits for any more."""
    taken: list[Job[Any]] = []
    while len(taken) < limit:
        try:
            job = waiting.get_nowait()
        except queue.Empty:
            break
        if job.answer.set_running_or_notify_cancel():
            taken.append(job)
    return taken


def _worked(session: Session, job: Job[T]) -> T:
    if job.turn.given_up:
        raise DatabaseBusyError("Nobody waits for this work any more.")
    answer = job.work(session)
    session.flush()
    session.expunge_all()
    return answer


def _settle(job: Job[Any]) -> None:
    if not job.turn.take(By.WRITER):
        raise DatabaseBusyError("Nobody waits for this work any more.")
