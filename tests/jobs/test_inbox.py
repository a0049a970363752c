"""What came in is handled once, survives what interrupts it, and is never silently lost."""

from datetime import timedelta

import pytest

from jobs.inbox import MOST_ATTEMPTS, Inbox
from storage.inbox import Incoming, receive, take
from tests.world import World


class Hands:
    """A handler that fails as often as told, and an apology that remembers."""

    def __init__(self, failures: int = 0) -> None:
        self.failures = failures
        self.handled: list[str] = []
        self.apologies: list[str] = []

    async def handle(self, incoming: Incoming) -> None:
        if self.failures:
            self.failures -= 1
            raise RuntimeError("not now")
        self.handled.append(incoming.id)

    async def apologise(self, incoming: Incoming, reference: str) -> None:
        self.apologies.append(reference)


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def inbox(world: World, hands: Hands) -> Inbox:
    return Inbox(world.house, hands.handle, hands.apologise)


async def comes_in(world: World, key: str) -> None:
    now = world.clock.now()
    await world.house.db.run(lambda session: receive(session, key, "command", {}, now))


async def test_what_comes_in_is_handled_at_once(world: World, inbox: Inbox, hands: Hands) -> None:
    await comes_in(world, "a")

    inbox.begin("a")
    await inbox.drain()

    assert hands.handled == ["a"]


async def test_the_same_thing_coming_twice_is_handled_once(world: World, inbox: Inbox, hands: Hands) -> None:
    await comes_in(world, "a")
    inbox.begin("a")
    inbox.begin("a")
    await inbox.drain()

    await comes_in(world, "a")
    inbox.begin("a")
    await inbox.drain()
    await inbox.run()

    assert hands.handled == ["a"]


async def test_what_a_restart_left_over_is_handled_by_the_next_pass(
    world: World, inbox: Inbox, hands: Hands
) -> None:
    await comes_in(world, "a")

    await inbox.run()

    assert hands.handled == ["a"]


async def test_what_another_process_is_handling_is_left_to_it(
    world: World, inbox: Inbox, hands: Hands
) -> None:
    await comes_in(world, "a")
    await world.house.db.run(lambda session: take(session, "a", timedelta(minutes=2)))

    await inbox.run()

    assert hands.handled == []


async def test_what_fails_is_tried_again_later(world: World, inbox: Inbox, hands: Hands) -> None:
    hands.failures = 1
    await comes_in(world, "a")
    inbox.begin("a")
    await inbox.drain()

    await world.passes(timedelta(seconds=4))
    await inbox.run()

    assert (hands.handled, hands.apologies) == (["a"], [])


async def test_what_fails_for_good_is_parked_and_its_sender_told(
    world: World, inbox: Inbox, hands: Hands
) -> None:
    hands.failures = 100
    await comes_in(world, "a")

    for _ in range(MOST_ATTEMPTS + 2):
        await inbox.run()
        await world.passes(timedelta(minutes=10))

    assert (100 - hands.failures, hands.apologies) == (MOST_ATTEMPTS, ["a"])
