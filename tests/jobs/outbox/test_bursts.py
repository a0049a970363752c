"""A burst: many messages at once, and a Slack that says "not so fast". Each arrives once, none too soon."""

import asyncio
from collections import defaultdict
from datetime import datetime, timedelta

import pytest
from sqlalchemy import update
from sqlmodel import Session

from jobs.outbox.kinds import Kind, Message
from jobs.outbox.sending import BETWEEN_POSTS_SECONDS, Sender
from simulator.slack.log import ApiCall
from storage.columns import JsonObject
from storage.outbox import Letter, OutboxRow, send, take_due
from storage.rows import table_of
from tests.world import World

EACH = 10
NAMES = ("alice", "bob", "carol", "dana")


def words(_: Session, refs: JsonObject, __: datetime) -> Message:
    return Message(str(refs["words"]))


def people(world: World) -> list[str]:
    slack = world.slack.people
    return [slack.alice.id, slack.bob.id, slack.carol.id, slack.dana.id]


async def forty_messages(world: World) -> None:
    now = world.clock.now()
    letters = [
        Letter(f"{person} {n}", person, "words", {"words": f"message {n}."})
        for person in people(world)
        for n in range(EACH)
    ]
    await world.house.db.run(lambda session: [send(session, letter, now) for letter in letters])


def posts(world: World) -> dict[str, list[ApiCall]]:
    """What Slack took, by channel."""
    taken = defaultdict(list)
    for call in world.slack.log.calls_of("chat.postMessage"):
        if call.ok:
            taken[str(call.args["channel"])].append(call)
    return taken


@pytest.fixture
def engine_name() -> str:
    """That rows are taken by one is tested on both engines elsewhere."""
    return "sqlite"


async def test_forty_messages_and_three_refusals_are_forty_messages(world: World) -> None:
    async def nap(seconds: float) -> None:
        await world.clock.pass_by(timedelta(seconds=seconds))

    await forty_messages(world)
    world.slack.faults.rate_limit("chat.postMessage", retry_after=1, times=3)
    sender = Sender(world.house, {"words": Kind(words)}, nap)

    await sender.run()
    await world.passes(timedelta(seconds=1))
    await sender.run()

    said = {
        channel: sorted(str(call.args["text"]) for call in calls) for channel, calls in posts(world).items()
    }
    assert list(said.values()) == [sorted(f"message {n}." for n in range(EACH))] * len(people(world))


async def test_what_waits_behind_a_refusal_waits_as_long(world: World) -> None:
    async def no_nap(_seconds: float) -> None:
        return None

    await forty_messages(world)
    world.slack.faults.rate_limit("chat.postMessage", retry_after=30, times=1)
    sender = Sender(world.house, {"words": Kind(words)}, no_nap)

    await sender.run()
    at_once = sum(map(len, posts(world).values()))
    await world.passes(timedelta(seconds=29))
    await sender.run()
    too_soon = sum(map(len, posts(world).values()))
    await world.passes(timedelta(seconds=1))
    await sender.run()

    assert (at_once, too_soon) == (3 * EACH, 3 * EACH)
    assert sum(map(len, posts(world).values())) == 4 * EACH


async def test_what_is_not_said_any_more_costs_no_pause(world: World) -> None:
    naps: list[float] = []

    async def nap(seconds: float) -> None:
        naps.append(seconds)

    await forty_messages(world)

    await Sender(world.house, {"words": Kind(lambda *_: None)}, nap).run()

    assert naps == []


async def test_no_channel_gets_two_messages_within_a_second(world: World) -> None:
    naps: list[float] = []

    async def nap(seconds: float) -> None:
        naps.append(seconds)

    await forty_messages(world)

    await Sender(world.house, {"words": Kind(words)}, nap).run()

    assert sum(map(len, posts(world).values())) == EACH * len(people(world))
    assert naps == [BETWEEN_POSTS_SECONDS] * (EACH - 1) * len(people(world))


async def test_a_channel_that_has_much_to_get_holds_up_no_other(world: World) -> None:
    alice, bob = people(world)[:2]
    naps = 0

    async def nap(_seconds: float) -> None:
        nonlocal naps
        naps += 1
        if naps == 1:
            await send_to(world, bob, 1)
            while len(taken(world)) == 1:  # noqa: ASYNC110 - only Slack tells
                await asyncio.sleep(0.01)

    await send_to(world, alice, 3 * EACH)
    await Sender(world.house, {"words": Kind(words)}, nap).run()

    texts = [str(call.args["text"]) for call in taken(world)]
    assert texts.index("to bob 0") == 1
    assert len(texts) == 3 * EACH + 1


async def test_a_refusal_holds_a_channel_up_for_as_long_as_slack_said_and_no_longer(world: World) -> None:
    alice, bob = people(world)[:2]

    async def nap(seconds: float) -> None:
        await world.clock.pass_by(timedelta(seconds=seconds))

    await send_to(world, bob, 1)
    world.slack.faults.rate_limit("chat.postMessage", retry_after=2, times=1)
    sender = Sender(world.house, {"words": Kind(words)}, nap)
    await sender.run()
    await send_to(world, alice, 3 * EACH)

    await sender.run()

    texts = [str(call.args["text"]) for call in taken(world)]
    assert texts.index("to bob 0") < 2 * EACH


async def test_a_message_that_another_has_taken_over_is_not_sent_twice(world: World) -> None:
    alice, now = people(world)[0], world.clock.now()
    await send_to(world, alice, 2)

    async def slack_is_slow(_seconds: float) -> None:
        """So slow that the lease of the second runs out, and another takes it."""
        row = table_of(OutboxRow)
        await world.house.db.run(lambda session: session.exec(update(row).values(lease_until=None)))
        await world.house.db.run(lambda session: take_due(session, now, timedelta(minutes=1), 1))

    await Sender(world.house, {"words": Kind(words)}, slack_is_slow).run()

    assert len(taken(world)) == 1


async def test_what_is_urgent_goes_before_what_waits_for_the_same_channel(world: World) -> None:
    alice = people(world)[0]
    await send_to(world, alice, EACH)
    await send_to(world, alice, 1, urgent=True)

    await Sender(world.house, {"words": Kind(words)}, at_once).run()

    assert taken(world)[0].args["text"] == "urgent 0"


async def at_once(_seconds: float) -> None:
    return None


async def send_to(world: World, person: str, number: int, *, urgent: bool = False) -> None:
    now, said = world.clock.now(), "urgent" if urgent else f"to {NAMES[people(world).index(person)]}"
    letters = [
        Letter(f"{said} {n}", person, "words", {"words": f"{said} {n}"}, urgent=urgent) for n in range(number)
    ]
    await world.house.db.run(lambda session: [send(session, letter, now) for letter in letters])


def taken(world: World) -> list[ApiCall]:
    """What Slack took, in its order."""
    return [call for call in world.slack.log.calls_of("chat.postMessage") if call.ok]
