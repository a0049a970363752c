"""Ticks. APScheduler, in memory, looks four times a second; what is due is told by the injected clock.

A job is idempotent, takes no input, and retries nothing inside: the next pass is the retry.
It never overlaps itself in this process, and must be safe if another process runs it at the same time.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from gateways.wall import Wall
from jobs.triggers import Cron, Every, Trigger, due_again, latest_slot
from jobs.wakes import Wakes
from storage.database import Database
from storage.job import last_slot, pass_ended, pass_started, win_slot

TICK_SECONDS = 0.25
MISSED_SLOTS_WITHIN = timedelta(days=8)
"""After a downtime a slot older than this is not made up for."""
DRAIN_SECONDS = 5.0

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Pass:
    """What one pass of a job saw and did."""

    complete: bool = True
    """It saw all that it has to see; False is told to people as it is."""
    sentence: str | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """One line of the schedule."""

    name: str
    trigger: Trigger
    run: Callable[[], Awaitable[Pass]]
    needs_listing: bool = False
    """Not before this process has seen a complete listing."""
    recorded: bool = False
    """Each pass is written down, for people who ask how the clocks are doing."""


@dataclass(slots=True)
class Ticker:
    """Starts the jobs that are due or were woken."""

    clock: Wall
    db: Database
    wakes: Wakes
    jobs: Sequence[Job]
    listing_seen: Callable[[], bool]
    """Whether this process has seen a complete listing."""
    _last: dict[str, datetime] = field(default_factory=dict)
    _running: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    _looking: asyncio.Lock = field(default_factory=asyncio.Lock)
    _scheduler: AsyncIOScheduler | None = None
    _listener: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to tick on the running event loop."""
        self._scheduler = AsyncIOScheduler()
        self._scheduler.add_job(
            self.tick,
            "interval",
            seconds=TICK_SECONDS,
            max_instances=1,
            coalesce=True,
            misfire_grace_time=None,
        )
        self._scheduler.start()
        self._listener = asyncio.create_task(self._listen(), name="wakes")

    async def stop(self) -> None:
        """Start nothing more, let what runs come to its end, and cut off what does not."""
        if self._scheduler is not None:
            # A tick that the scheduler cuts off is a failure in its log: one that was begun comes to its end.
            self._scheduler.pause()
            await asyncio.sleep(0)
            async with self._looking:
                self._scheduler.shutdown(wait=False)
        if self._listener is not None:
            self._listener.cancel()
        if running := list(self._running.values()):
            _, late = await asyncio.wait(running, timeout=DRAIN_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def drain(self) -> None:
        """Wait for the passes that are under way."""
        while self._running:
            await asyncio.wait(list(self._running.values()))

    async def tick(self) -> None:
        """Start every job that is due now. Returns at once; the jobs run on."""
        async with self._looking:
            await self._look()

    async def _look(self) -> None:
        now = self.clock.now()
        woken = self.wakes.take()
        for job in self.jobs:
            if job.name in self._running:
                if job.name in woken:
                    self.wakes.wake(job.name)
            elif await self._is_due(job, now, woken):
                self._running[job.name] = asyncio.create_task(self._pass(job), name=f"job {job.name}")

    async def _listen(self) -> None:
        while True:
            await self.wakes.rings()
            await self.tick()
            await asyncio.sleep(0.01)

    async def _is_due(self, job: Job, now: datetime, woken: frozenset[str]) -> bool:
        if job.needs_listing and not self.listing_seen():
            return False
        match job.trigger:
            case Every():
                due = job.name in woken or due_again(job.trigger, self._last.get(job.name), now)
                if due:
                    self._last[job.name] = now
                return due
            case Cron():
                return await self._wins_slot(job.name, job.trigger, now)

    async def _wins_slot(self, name: str, trigger: Cron, now: datetime) -> bool:
        known = self._last.get(name) or await self.db.read(lambda session: last_slot(session, name))
        since = max(known or now - MISSED_SLOTS_WITHIN, now - MISSED_SLOTS_WITHIN)
        slot = latest_slot(trigger, since, now)
        self._last[name] = slot or since
        if slot is None:
            return False
        won = await self.db.run(lambda session: win_slot(session, name, slot, now))
        return won and known is not None

    async def _pass(self, job: Job) -> None:
        try:
            await self._recorded(job) if job.recorded else await job.run()
        except Exception:
            _log.exception("job failed; its next pass tries again", job=job.name)
        finally:
            del self._running[job.name]

    async def _recorded(self, job: Job) -> None:
        started = self.clock.now()
        await self.db.run(lambda session: pass_started(session, job.name, started))
        result = Pass(complete=False, sentence="It broke off; the log says why.")
        try:
            result = await job.run()
        finally:
            ended = self.clock.now()
            await self.db.run(
                lambda session: pass_ended(
                    session, job.name, ended, complete=result.complete, sentence=result.sentence
                )
            )
