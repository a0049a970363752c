"""The limit of events a minute, on a clock that is handed in."""

from datetime import UTC, datetime, timedelta

from bot.agents.rates import Rates

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


class Hands:
    """A clock whose hands the test moves."""

    def __init__(self) -> None:
        self.at = NOON

    def now(self) -> datetime:
        return self.at

    def advance(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)


def test_as_many_as_allowed_come_in_and_the_next_has_to_wait_for_the_first_to_be_a_minute_old() -> None:
    clock = Hands()
    rates = Rates(3, clock.now)

    waits = []
    for _ in range(4):
        waits.append(rates.seconds_to_wait("a"))
        clock.advance(10)

    assert waits == [0, 0, 0, 30]


def test_who_waits_as_told_comes_in() -> None:
    clock = Hands()
    rates = Rates(1, clock.now)
    rates.seconds_to_wait("a")
    clock.advance(0.5)

    clock.advance(rates.seconds_to_wait("a"))

    assert rates.seconds_to_wait("a") == 0


def test_a_refused_event_is_not_counted() -> None:
    clock = Hands()
    rates = Rates(1, clock.now)
    rates.seconds_to_wait("a")
    for _ in range(59):
        clock.advance(1)
        assert rates.seconds_to_wait("a") > 0

    clock.advance(1)

    assert rates.seconds_to_wait("a") == 0


def test_one_agents_flood_does_not_hold_up_another() -> None:
    rates = Rates(1, Hands().now)
    rates.seconds_to_wait("flood")

    assert rates.seconds_to_wait("flood") > 0
    assert rates.seconds_to_wait("quiet") == 0


def test_zero_means_none() -> None:
    assert Rates(0, Hands().now).seconds_to_wait("a") == 60


def test_a_clock_that_was_set_back_locks_nobody_out_for_long() -> None:
    clock = Hands()
    rates = Rates(1, clock.now)
    rates.seconds_to_wait("a")
    clock.advance(-86_400)

    assert rates.seconds_to_wait("a") == 0
