"""Slack took a message and nobody knows: it is looked for before it is posted again, and never lost."""

from datetime import datetime, timedelta

import pytest
from sqlmodel import Session

from jobs.outbox.kinds import Kind, Message
from jobs.outbox.sending import Sender
from simulator.slack.client.handles import SeenMessage
from storage.columns import JsonObject
from storage.outbox import Letter, place_of, redraw, send, take_due
from tests.world import World


def words(_: Session, refs: JsonObject, __: datetime) -> Message:
    return Message(str(refs["words"]))


@pytest.fixture
def sender(world: World) -> Sender:
    return Sender(world.house, {"words": Kind(words)}, _no_nap)


async def _no_nap(_seconds: float) -> None:
    return None


async def written(world: World, target: str, text: str, thread_of: str | None = None) -> str:
    letter = Letter(f"{target} {text}", target, "words", {"words": text}, thread_of)
    return await world.house.db.run(lambda session: send(session, letter, world.clock.now()))


async def sent_again(world: World, sender: Sender) -> None:
    """Once, and once more after the longest pause."""
    await sender.run()
    await world.passes(timedelta(minutes=3))
    await sender.run()


def shown(world: World, in_: str = "dm") -> list[SeenMessage]:
    return list(world.slack.people.alice.messages(in_))


async def test_a_card_whose_answer_was_lost_stands_there_once_and_its_place_is_known(
    world: World, sender: Sender
) -> None:
    message = await written(world, world.slack.people.alice.id, "a card")
    world.slack.faults.lose_answer("chat.postMessage")

    await sent_again(world, sender)

    [card] = shown(world)
    place = await world.house.db.read(lambda session: place_of(session, message))
    assert place is not None
    assert (place.channel, place.ts) == (card.channel, card.ts)


async def test_a_message_whose_sender_died_after_slack_took_it_stands_there_once(
    world: World, sender: Sender
) -> None:
    alice = world.slack.people.alice.id
    message = await written(world, alice, "a card")
    await world.house.db.run(lambda session: take_due(session, world.clock.now(), timedelta(0), 1))
    await world.house.slack.post(await world.house.slack.open_dm(alice), "a card", dedupe=message)

    await sent_again(world, sender)

    assert len(shown(world)) == 1


async def test_a_lost_reply_is_looked_for_in_its_thread(world: World, sender: Sender) -> None:
    head = await written(world, world.slack.people.alice.id, "head")
    await sender.run()
    await world.passes(timedelta(seconds=1))
    await written(world, world.slack.people.alice.id, "reply", thread_of=head)
    world.slack.faults.lose_answer("chat.postMessage")

    await sent_again(world, sender)

    assert [message.text for message in shown(world)] == ["head", "reply"]


async def test_a_message_that_was_posted_anew_and_lost_stands_there_once(
    world: World, sender: Sender
) -> None:
    message = await written(world, world.slack.people.alice.id, "a card")
    await sender.run()
    [first] = shown(world)
    await world.house.slack.web.chat_delete(channel=first.channel, ts=first.ts)  # type: ignore[attr-defined]
    await world.house.db.run(lambda session: redraw(session, message, world.clock.now()))
    world.slack.faults.lose_answer("chat.postMessage")

    await sent_again(world, sender)

    assert len(shown(world)) == 1


async def test_one_that_never_arrived_is_posted(world: World, sender: Sender) -> None:
    await written(world, world.slack.people.alice.id, "a card")
    world.slack.faults.http("chat.postMessage", status=502)

    await sent_again(world, sender)

    assert len(shown(world)) == 1


async def test_where_the_bot_may_not_read_it_rather_says_it_twice_than_never(
    world: World, sender: Sender
) -> None:
    await written(world, world.house.ops_channel, "an alarm")
    world.slack.faults.http("chat.postMessage", status=502)
    await sent_again(world, sender)
    await written(world, world.house.ops_channel, "another")
    world.slack.faults.lose_answer("chat.postMessage")

    await sent_again(world, sender)

    said = [message.text for message in world.slack.people.bob.messages("#gpu-ops")]
    assert said == ["an alarm", "another", "another"]
    assert [str(call.answer) for call in world.slack.log.calls_of("conversations.history")] != []


async def test_while_slack_does_not_let_us_look_it_waits_but_not_for_ever(
    world: World, sender: Sender
) -> None:
    await written(world, world.slack.people.alice.id, "a card")
    world.slack.faults.http("chat.postMessage", status=502)
    world.slack.faults.rate_limit("conversations.history", retry_after=60, times=100)
    await sent_again(world, sender)
    after_one_look = len(shown(world))

    for _ in range(3):
        await sent_again(world, sender)

    assert after_one_look == 0
    assert len(shown(world)) == 1


async def test_what_slack_refused_is_not_looked_for(world: World, sender: Sender) -> None:
    await written(world, world.slack.people.alice.id, "a card")
    world.slack.faults.rate_limit("chat.postMessage", retry_after=1)

    await sent_again(world, sender)

    assert len(shown(world)) == 1
    assert not world.slack.log.calls_of("conversations.history")
