"""Messages leave once, in the words of the present, and what cannot leave is put off or told elsewhere."""

from datetime import datetime, timedelta

import pytest
from sqlmodel import Session

from jobs.outbox.kinds import UNDELIVERABLE, Kind, Message, Taken
from jobs.outbox.sending import BETWEEN_POSTS_SECONDS, Sender
from storage.columns import JsonObject
from storage.outbox import Letter, place_of, redraw, send, take_due
from storage.switch import is_on
from storage.switches import OPS_CHANNEL_LOST
from tests.world import World


def words(_: Session, refs: JsonObject, __: datetime) -> Message:
    prefix = "for somebody else: " if UNDELIVERABLE in refs else ""
    return Message(f"{prefix}{refs['words']}")


def silence(_: Session, __: JsonObject, ___: datetime) -> None:
    return None


taken: list[Taken] = []
KINDS = {
    "words": Kind(words),
    "personal": Kind(words, falls_back=True),
    "noted": Kind(words, on_taken=lambda _, what: taken.append(what)),
    "silence": Kind(silence),
    "ops_channel_lost": Kind(lambda *_: Message("I cannot write to the ops channel")),
}


class Naps(list[float]):
    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


@pytest.fixture
def naps() -> Naps:
    return Naps()


@pytest.fixture
def sender(world: World, naps: Naps) -> Sender:
    return Sender(world.house, KINDS, naps)


async def written(
    world: World, target: str, text: str, kind: str = "words", thread_of: str | None = None
) -> str:
    letter = Letter(f"{target} {text}", target, kind, {"words": text}, thread_of)
    return await world.house.db.run(lambda session: send(session, letter, world.clock.now()))


async def test_a_message_to_a_channel_is_sent_once(world: World, sender: Sender) -> None:
    await written(world, world.house.ops_channel, "hello")

    await sender.run()
    await sender.run()

    assert len(world.slack.log.calls_of("chat.postMessage")) == 1
    await world.slack.people.bob.sees("hello", in_="#gpu-ops")


async def test_a_message_to_a_person_goes_to_the_direct_messages(world: World, sender: Sender) -> None:
    await written(world, world.slack.people.alice.id, "for you")

    await sender.run()

    await world.slack.people.alice.sees("for you", in_="dm")


async def test_a_redrawn_message_is_edited_and_not_posted_again(world: World, sender: Sender) -> None:
    message = await written(world, world.house.ops_channel, "hello")
    await sender.run()

    await world.house.db.run(lambda session: redraw(session, message, world.clock.now()))
    await sender.run()

    assert len(world.slack.log.calls_of("chat.update")) == 1
    assert len(world.slack.log.calls_of("chat.postMessage")) == 1


async def test_a_message_that_somebody_deleted_is_posted_anew(world: World, sender: Sender) -> None:
    message = await written(world, world.house.ops_channel, "hello")
    await sender.run()
    world.slack.faults.error("chat.update", "message_not_found")

    await world.house.db.run(lambda session: redraw(session, message, world.clock.now()))
    await sender.run()

    assert len(world.slack.log.calls_of("chat.postMessage")) == 2


async def test_a_reply_waits_for_the_head_of_its_thread(world: World, sender: Sender) -> None:
    head = await written(world, world.house.ops_channel, "head")
    await written(world, world.house.ops_channel, "reply", thread_of=head)

    await sender.run()
    await world.passes(timedelta(seconds=2))
    await sender.run()

    [posted_head, posted_reply] = world.slack.log.calls_of("chat.postMessage")
    assert posted_head.answer is not None
    assert posted_reply.args["thread_ts"] == posted_head.answer["ts"]


async def test_no_reply_overtakes_an_earlier_one_of_its_thread(world: World, sender: Sender) -> None:
    head = await written(world, world.house.ops_channel, "head")
    await sender.run()
    await written(world, world.house.ops_channel, "first", thread_of=head)
    await world.house.db.run(lambda session: take_due(session, world.clock.now(), timedelta(seconds=60), 1))
    await world.passes(timedelta(seconds=1))
    await written(world, world.house.ops_channel, "second", thread_of=head)

    await sender.run()

    assert len(world.slack.log.calls_of("chat.postMessage")) == 1


async def test_two_messages_to_one_channel_are_a_second_apart(
    world: World, sender: Sender, naps: Naps
) -> None:
    await written(world, world.house.ops_channel, "one")
    await written(world, world.house.ops_channel, "two")

    await sender.run()

    assert list(naps) == [BETWEEN_POSTS_SECONDS]


async def test_a_message_that_slack_limits_waits_as_long_as_slack_says(world: World, sender: Sender) -> None:
    await written(world, world.house.ops_channel, "hello")
    world.slack.faults.rate_limit("chat.postMessage", retry_after=30)

    await sender.run()
    await world.passes(timedelta(seconds=29))
    await sender.run()
    early = len(world.slack.log.calls_of("chat.postMessage"))
    await world.passes(timedelta(seconds=1))
    await sender.run()

    assert early == 1
    await world.slack.people.bob.sees("hello", in_="#gpu-ops")


async def test_an_outage_of_slack_loses_nothing(world: World, sender: Sender) -> None:
    await written(world, world.house.ops_channel, "hello")
    await world.slack.faults.down()
    await sender.run()

    world.slack.faults.up()
    await world.passes(timedelta(minutes=3))
    await sender.run()

    await world.slack.people.bob.sees("hello", in_="#gpu-ops")


async def test_a_message_that_cannot_reach_its_person_goes_to_the_ops_channel(
    world: World, sender: Sender
) -> None:
    await written(world, world.slack.people.dee.id, "your pod", kind="personal")

    await sender.run()
    await sender.run()

    await world.slack.people.bob.sees("for somebody else: your pod", in_="#gpu-ops")


async def test_a_message_to_somebody_who_has_left_goes_to_the_ops_channel_though_slack_takes_it(
    world: World, sender: Sender
) -> None:
    world.slack.workspace.deactivated_dm = "ok"
    await written(world, world.slack.people.dee.id, "your pod", kind="personal")

    await sender.run()
    await sender.run()

    await world.slack.people.bob.sees("for somebody else: your pod", in_="#gpu-ops")


async def test_a_person_of_whom_slack_says_nothing_is_written_to(world: World, sender: Sender) -> None:
    world.slack.faults.error("users.info", "missing_scope")
    await written(world, world.slack.people.alice.id, "your pod", kind="personal")

    await sender.run()

    await world.slack.people.alice.sees("your pod", in_="dm")


async def test_the_admins_hear_that_the_ops_channel_is_lost(world: World, sender: Sender) -> None:
    await written(world, world.house.ops_channel, "hello")
    world.slack.faults.error("chat.postMessage", "channel_not_found")

    await sender.run()
    await sender.run()

    await world.slack.people.dana.sees("cannot write to the ops channel", in_="dm")
    assert await world.house.db.read(lambda session: is_on(session, OPS_CHANNEL_LOST))


async def test_the_ops_channel_is_found_again_once_it_takes_a_message(world: World, sender: Sender) -> None:
    await written(world, world.house.ops_channel, "hello")
    world.slack.faults.error("chat.postMessage", "is_archived")
    await sender.run()

    await world.passes(timedelta(minutes=3))
    await sender.run()

    assert not await world.house.db.read(lambda session: is_on(session, OPS_CHANNEL_LOST))


async def test_a_message_that_has_nothing_to_say_any_more_is_not_sent(world: World, sender: Sender) -> None:
    message = await written(world, world.house.ops_channel, "hello", kind="silence")

    await sender.run()

    place = await world.house.db.read(lambda session: place_of(session, message))
    assert place is not None
    assert place.gave_up_at is not None
    assert not world.slack.log.calls_of("chat.postMessage")


async def test_what_must_be_noted_is_written_when_slack_takes_the_message(
    world: World, sender: Sender
) -> None:
    taken.clear()
    message = await written(world, world.house.ops_channel, "hello", kind="noted")

    await sender.run()

    assert [(note.message_id, note.at) for note in taken] == [(message, world.clock.now())]


async def test_one_message_that_cannot_be_drawn_does_not_stop_the_others(
    world: World, sender: Sender
) -> None:
    await world.house.db.run(
        lambda session: send(
            session, Letter("broken", world.house.ops_channel, "words", {}), world.clock.now()
        )
    )
    await written(world, world.house.ops_channel, "hello")

    await sender.run()

    await world.slack.people.bob.sees("hello", in_="#gpu-ops")
