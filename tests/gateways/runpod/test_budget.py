"""How many calls RunPod gets from us, and who goes first."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from gateways.runpod.budget import Budget, Priority
from gateways.runpod.errors import RateLimited


@pytest.fixture
def budget(clock) -> Budget:
    return Budget(clock)


async def spend(budget: Budget, priority: Priority, times: int) -> None:
    for _ in range(times):
        await budget.take(priority)


@pytest.mark.parametrize("priority", list(Priority))
async def test_no_minute_has_more_than_sixty_calls_and_no_steady_minute_more_than_thirty(
    budget, clock, priority
):
    calls = []
    for _ in range(200):
        await budget.take(priority)
        calls.append(clock.now())

    def most_in_a_minute(moments):
        return max(sum(at <= other < at + timedelta(minutes=1) for other in moments) for at in moments)

    assert most_in_a_minute(calls) <= 60
    assert most_in_a_minute(calls[60:]) <= 30


async def test_a_day_of_calls_stays_under_the_published_quota(budget, clock):
    began, calls = clock.now(), 0
    while clock.now() - began < timedelta(hours=1):
        await budget.take(Priority.LISTING)
        calls += 1

    assert calls * 24 < 50_000


async def test_what_matters_less_leaves_tokens_for_what_matters_more(budget, clock):
    began = clock.now()
    await spend(budget, Priority.REST, 18)
    assert clock.now() == began

    await spend(budget, Priority.LISTING, 4)
    await spend(budget, Priority.CREATE, 4)
    await spend(budget, Priority.EXECUTOR, 4)

    assert clock.now() == began


async def test_the_rest_waits_where_the_executor_goes_at_once(budget, clock):
    began = clock.now()
    await spend(budget, Priority.REST, 18)

    await budget.take(Priority.EXECUTOR)
    assert clock.now() == began
    await budget.take(Priority.REST)
    assert clock.now() > began


class SteppedClock:
    """Moves only when the test says so, and wakes whoever waits for that moment."""

    def __init__(self) -> None:
        self.moment, self.rate, self.settings_seen = datetime(2026, 11, 30, 12, 0, tzinfo=UTC), 1.0, 0
        self.moved = asyncio.Event()

    def now(self) -> datetime:
        return self.moment

    def seconds_until(self, moment: datetime) -> float:
        return max((moment - self.moment).total_seconds(), 0.0)

    async def sleep_until(self, moment: datetime) -> None:
        while self.moment < moment:
            await self.moved.wait()

    async def step(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)
        moved, self.moved = self.moved, asyncio.Event()
        moved.set()
        for _ in range(10):
            await asyncio.sleep(0)


async def test_a_listing_every_two_seconds_does_not_starve_the_rest():
    clock = SteppedClock()
    budget = Budget(clock)
    await spend(budget, Priority.LISTING, 22)
    listings = []

    the_rest = asyncio.create_task(budget.take(Priority.REST))
    for _ in range(30):
        listings.append(asyncio.create_task(budget.take(Priority.LISTING)))
        await clock.step(2)

    assert the_rest.done()
    for listing in listings:
        listing.cancel()


async def test_a_growing_wait_never_takes_what_is_kept_for_creates_and_the_executor(budget, clock):
    await spend(budget, Priority.EXECUTOR, 26)
    began = clock.now()

    await budget.take(Priority.REST)

    assert clock.now() - began >= timedelta(seconds=2)
    await spend(budget, Priority.EXECUTOR, 4)


@pytest.mark.parametrize(
    ("header", "left"),
    [
        ('"minute";r=3;t=12, "hour";r=2800;t=1812, "day";r=49500;t=45012', 3),
        ('"minute";r=50;t=12, "hour";r=1;t=1812', 1),
        ("", 30),
        ("nonsense;r=;t", 30),
        ('"minute";r=-5;t=1', 30),
    ],
)
async def test_what_others_have_used_up_is_not_ours_to_use(budget, clock, header, left):
    began = clock.now()
    budget.heed(header)

    await spend(budget, Priority.EXECUTOR, left)
    assert clock.now() == began
    await budget.take(Priority.EXECUTOR)
    assert clock.now() > began


async def test_an_empty_window_closes_until_it_is_renewed(budget, clock):
    began = clock.now()
    budget.heed('"minute";r=0;t=12, "hour";r=2800;t=1812')

    await budget.take(Priority.EXECUTOR)

    assert clock.now() - began >= timedelta(seconds=12)


async def test_a_wait_beyond_patience_is_told_at_once_with_its_length(budget, clock):
    began = clock.now()
    budget.heed('"day";r=0;t=45012')

    with pytest.raises(RateLimited) as caught:
        await budget.take(Priority.EXECUTOR)

    assert caught.value.retry_after == timedelta(seconds=45012)
    assert clock.now() == began


async def test_a_shorter_pause_does_not_shorten_a_longer_one(budget, clock):
    began = clock.now()
    budget.pause(timedelta(seconds=20))
    budget.pause(timedelta(seconds=5))

    await budget.take(Priority.EXECUTOR)

    assert clock.now() - began >= timedelta(seconds=20)


async def test_a_clock_that_is_set_back_does_not_empty_or_fill_the_bucket(budget, clock):
    await spend(budget, Priority.EXECUTOR, 29)
    clock.move(-3600)
    began = clock.now()

    await budget.take(Priority.EXECUTOR)
    assert clock.now() == began
    await budget.take(Priority.EXECUTOR)
    assert timedelta(0) < clock.now() - began < timedelta(seconds=3)


async def test_those_of_one_rank_are_served_in_the_order_they_came(budget):
    await spend(budget, Priority.EXECUTOR, 30)
    order: list[int] = []

    async def caller(number: int) -> None:
        await budget.take(Priority.EXECUTOR)
        order.append(number)

    await asyncio.gather(*(caller(number) for number in range(5)))

    assert order == [0, 1, 2, 3, 4]


async def test_a_caller_who_leaves_does_not_block_the_next(budget):
    budget.pause(timedelta(seconds=10))
    leaver = asyncio.create_task(budget.take(Priority.REST))
    leaver.cancel()
    await asyncio.gather(leaver, return_exceptions=True)

    await budget.take(Priority.REST)
