"""The first message of a thread goes on telling the truth after its provision is over."""

from dataclasses import dataclass
from datetime import timedelta

import pytest
from sqlmodel import Session

from jobs.observe.looking import Observer
from pods.ids import PodId
from storage.heads import END
from storage.keep import Keep, give_keep
from storage.ledger import record_of_pod
from storage.outbox import Letter, send
from storage.pod import mark_gone
from storage.provision_asks import free_name, set_fence, set_head_message
from tests.bot.account import claimed, owned
from tests.bot.asking import sent
from tests.bot.talk import Talk
from tests.world import World

HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Thread:
    """Alice's pod, which is ready, and the first message of its thread."""

    world: World
    pod_id: str

    async def reads(self) -> str:
        """The first message, once everything that is due has left."""
        await sent(self.world)
        return self.world.slack.people.bob.messages("#general")[0].plain


@pytest.fixture
async def thread(world: World, talk: Talk) -> Thread:
    pod_id = await owned(world, "train", world.slack.people.alice.id)
    ends = world.clock.now() + 8 * HOUR

    def work(session: Session) -> None:
        made = record_of_pod(session, pod_id)
        assert made is not None
        set_fence(session, made.id, ends)
        refs, channel = {"provision": made.id}, world.slack.channel("#general").id
        head = send(session, Letter("head", channel, "provision_head", {**refs}), world.clock.now())
        set_head_message(session, made.id, head)

    await world.house.db.run(work)
    return Thread(world, pod_id)


async def test_a_pod_that_is_gone_has_ended_and_says_what_it_had_cost(thread: Thread) -> None:
    world = thread.world
    await world.clock.pass_by(timedelta(minutes=1))
    await Observer(world.house).run()
    before = await thread.reads()
    await world.clock.pass_by(HOUR)
    gone = [PodId(thread.pod_id)]
    await world.house.db.run(lambda session: mark_gone(session, gone, world.clock.now(), "404"))
    after = await thread.reads()

    assert "ready" in before
    assert "[Terminate]" in before
    assert "*ended*, seen" in after
    assert "It costs nothing any more. It had cost about $" in after
    assert "by itself" not in after
    assert "[" not in after


async def test_a_keep_beyond_its_end_moves_the_end_and_the_most_that_it_costs(
    thread: Thread, talk: Talk
) -> None:
    before = await thread.reads()
    await talk.types(thread.world.slack.people.alice, "/pod keep train 2d")

    assert "$3.20 at most" in before
    assert "$19.20 at most" in await thread.reads()


async def test_a_keep_that_was_there_before_the_end_was_set_counts_until_it_is_taken_away(
    thread: Thread, talk: Talk
) -> None:
    world, alice = thread.world, thread.world.slack.people.alice
    now = world.clock.now()
    early = Keep("early", thread.pod_id, alice.id, "person", now, now + 48 * HOUR)
    await world.house.db.run(lambda session: give_keep(session, early))
    kept = await thread.reads()
    await world.clock.pass_by(HOUR)
    await talk.types(alice, "/pod unkeep train")

    assert "$19.20 at most" in kept
    assert "$3.20 at most" in await thread.reads()


async def test_what_holds_its_end_is_said_instead_of_an_end_that_will_not_come(
    thread: Thread, talk: Talk
) -> None:
    unreadable = Keep("k", thread.pod_id, "U1", "person", thread.world.clock.now(), None)
    await thread.world.house.db.run(lambda session: give_keep(session, unreadable))

    assert "it does not, for it is kept, and I cannot read until when" in await thread.reads()


async def test_while_claims_on_it_conflict_nothing_ends_it_by_itself(thread: Thread) -> None:
    before = await thread.reads()
    await claimed(thread.world, thread.pod_id, thread.world.slack.people.bob.id)

    assert "Ends by itself" in before
    assert "it does not, while more than one person says that it is theirs" in await thread.reads()


async def test_the_reply_about_the_end_offers_nothing_more_once_the_pod_is_gone(thread: Thread) -> None:
    world = thread.world

    def reply(session: Session) -> None:
        made = record_of_pod(session, thread.pod_id)
        assert made is not None
        channel = world.slack.channel("#general").id
        letter = Letter("end", channel, END, {"provision": made.id}, thread_of=made.head_message)
        send(session, letter, world.clock.now())

    def read() -> str:
        return world.slack.people.bob.messages("#general")[1].plain

    def goes(session: Session) -> None:
        made = record_of_pod(session, thread.pod_id)
        assert made is not None
        free_name(session, made.id, world.clock.now())
        mark_gone(session, [PodId(thread.pod_id)], world.clock.now(), "404")

    await thread.reads()
    await world.house.db.run(reply)
    await sent(world)
    before = read()
    await world.house.db.run(goes)
    await sent(world)

    assert "[Terminate]" in before
    assert "[" not in read()
    assert "The pod is gone by now, and costs nothing any more." in read()
