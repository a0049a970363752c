"""The ticker starts what is due, once, and survives what fails."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import pytest

import jobs.ticker
from gateways.wall import Pace, PacedClock
from jobs.ticker import Job, Pass, Ticker
from jobs.triggers import Cron, Every, Trigger
from jobs.wakes import Wakes
from storage.database import Database
from storage.job import passes

MINUTE = timedelta(minutes=1)
DAILY = Cron("0 9 * * *", "UTC")


class HandClock(PacedClock):
    """Stands still until it is set."""

    def __init__(self, start: datetime) -> None:
        self.moment = start
        super().__init__(lambda: Pace(0.0, self.moment.timestamp(), 0.0), lambda: 0.0)

    def pass_by(self, time: timedelta) -> None:
        self.moment += time


@pytest.fixture
def clock() -> HandClock:
    return HandClock(datetime(2026, 3, 2, 8, 59, tzinfo=UTC))


class Counted:
    """A job that counts its passes."""

    def __init__(self) -> None:
        self.passes = 0

    async def __call__(self) -> Pass:
        self.passes += 1
        return Pass()


def ticker(
    clock: HandClock,
    database: Database,
    run: Callable[[], Awaitable[Pass]],
    trigger: Trigger,
    *,
    needs_listing: bool = False,
    recorded: bool = False,
    seen: bool = True,
) -> Ticker:
    job = Job("job", trigger, run, needs_listing=needs_listing, recorded=recorded)
    return Ticker(clock, database, Wakes(), (job,), lambda: seen)


async def tick(*tickers: Ticker) -> None:
    """One look of each, and everything that it started."""
    for each in tickers:
        await each.tick()
        await each.drain()


async def test_a_job_runs_again_when_its_pause_is_over(clock: HandClock, database: Database) -> None:
    run = Counted()
    minutely = ticker(clock, database, run, Every(MINUTE))

    await tick(minutely)
    await tick(minutely)
    clock.pass_by(MINUTE)
    await tick(minutely)

    assert run.passes == 2


async def test_a_woken_job_runs_at_once(clock: HandClock, database: Database) -> None:
    run = Counted()
    minutely = ticker(clock, database, run, Every(MINUTE))
    await tick(minutely)

    minutely.wakes.wake("job")
    await tick(minutely)

    assert run.passes == 2


async def test_a_job_never_overlaps_itself_and_a_wake_meanwhile_is_not_lost(
    clock: HandClock, database: Database
) -> None:
    gate = asyncio.Event()
    begun = 0

    async def slow() -> Pass:
        nonlocal begun
        begun += 1
        await gate.wait()
        return Pass()

    minutely = ticker(clock, database, slow, Every(MINUTE))
    await minutely.tick()
    await asyncio.sleep(0)
    minutely.wakes.wake("job")
    await minutely.tick()
    assert begun == 1

    gate.set()
    await minutely.drain()
    await tick(minutely)

    assert begun == 2


async def test_a_job_that_fails_is_tried_again_at_its_next_pass(clock: HandClock, database: Database) -> None:
    attempts = 0

    async def fails_once() -> Pass:
        nonlocal attempts
        attempts += 1
        if attempts == 1:
            raise RuntimeError("the network is out")
        return Pass()

    minutely = ticker(clock, database, fails_once, Every(MINUTE), recorded=True)
    await tick(minutely)
    broken = (await database.read(passes))["job"]
    clock.pass_by(MINUTE)
    await tick(minutely)

    assert (broken.complete, attempts) == (False, 2)


async def test_the_first_start_of_all_makes_up_for_no_slot(clock: HandClock, database: Database) -> None:
    run = Counted()

    await tick(ticker(clock, database, run, DAILY))

    assert run.passes == 0


async def test_a_slot_is_won_by_one_of_two_processes(clock: HandClock, database: Database) -> None:
    run = Counted()
    one, other = ticker(clock, database, run, DAILY), ticker(clock, database, run, DAILY)
    await tick(one, other)

    clock.pass_by(MINUTE)
    await tick(one, other)

    assert run.passes == 1


async def test_after_a_downtime_only_the_last_missed_slot_runs(clock: HandClock, database: Database) -> None:
    run = Counted()
    await tick(ticker(clock, database, run, DAILY))

    clock.pass_by(timedelta(days=3))
    after_the_downtime = ticker(clock, database, run, DAILY)
    await tick(after_the_downtime)
    await tick(after_the_downtime)

    assert run.passes == 1


async def test_a_job_that_needs_a_listing_waits_for_one_and_then_makes_up(
    clock: HandClock, database: Database
) -> None:
    run = Counted()
    await tick(ticker(clock, database, run, DAILY))
    clock.pass_by(timedelta(hours=1))

    await tick(ticker(clock, database, run, DAILY, needs_listing=True, seen=False))
    blind = run.passes
    await tick(ticker(clock, database, run, DAILY, needs_listing=True, seen=True))

    assert (blind, run.passes) == (0, 1)


async def test_the_real_scheduler_ticks_and_stops(clock: HandClock, database: Database) -> None:
    ran = asyncio.Event()

    async def once() -> Pass:
        ran.set()
        return Pass()

    minutely = ticker(clock, database, once, Every(MINUTE))
    minutely.start()
    async with asyncio.timeout(10):
        await ran.wait()
    await minutely.stop()

    assert not minutely._running


async def test_a_stop_in_the_middle_of_a_tick_is_no_failure(
    clock: HandClock,
    database: Database,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(jobs.ticker, "TICK_SECONDS", 0.001)
    minutely = ticker(clock, database, Counted(), Every(MINUTE))
    await minutely._looking.acquire()
    minutely.start()
    while not minutely._looking._waiters:  # noqa: ASYNC110 - the scheduler sets no event
        await asyncio.sleep(0)

    stopping = asyncio.create_task(minutely.stop())
    for _ in range(10):
        await asyncio.sleep(0)
    minutely._looking.release()
    await stopping

    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []
