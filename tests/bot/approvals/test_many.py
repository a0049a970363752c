"""Many questions to one owner: one message that holds all, each decidable, and all at once."""

from collections import Counter

import pytest

from storage.deed import deeds_of
from storage.keep import keeps_of
from storage.keys import key_from
from storage.question import open_questions
from tests.bot.account import looked, rented
from tests.bot.asking import prepared_together, sent
from tests.bot.talk import Talk
from tests.world import World


@pytest.fixture
async def pods(world: World) -> list[str]:
    """23 pods of alice's, about which she is asked."""
    alice = world.slack.people.alice
    made = [await rented(world, f"train-{n:02}", alice.id) for n in range(23)]
    await looked(world)
    await prepared_together(world, made, alice.id)
    await sent(world)
    return made


async def test_an_owner_of_23_doubtful_pods_gets_one_message(world: World, talk: Talk, pods: list[str]):
    alice = world.slack.people.alice

    cards = [message for message in alice.messages("dm") if "need a decision" in message.plain]

    assert len(cards) == 1
    assert "23 pods need a decision" in cards[0].plain
    assert "1 to 10 of 23, and 13 more" in cards[0].plain


async def test_every_pod_can_be_reached_by_paging(world: World, talk: Talk, pods: list[str]):
    alice = world.slack.people.alice
    seen = alice.reads("dm")

    for _ in range(2):
        await talk.clicks(alice, "More")
        seen += alice.reads("dm")

    assert [pod_id for pod_id in pods if pod_id not in seen] == []


async def test_one_of_many_is_decided_alone(world: World, talk: Talk, pods: list[str]):
    alice = world.slack.people.alice

    await talk.clicks(alice, "Keep 1 day")
    await sent(world)

    kept = await world.house.db.read(lambda session: [pod for pod in pods if keeps_of(session, pod)])
    assert len(kept) == 1
    assert len(await world.house.db.read(open_questions)) == 22
    await alice.sees("22 pods need a decision", in_="dm")


async def test_all_of_them_shows_every_pod_and_decides_each(world: World, talk: Talk, pods: list[str]):
    alice = world.slack.people.alice
    await alice.clicks("All of them…")
    await talk.settled()
    assert alice.modal is not None
    shown = alice.modal.plain

    await alice.picks("what", "Terminate all of them")
    await alice.submits()
    await talk.settled()

    assert [pod_id for pod_id in pods if pod_id not in shown] == []
    ends = await world.house.db.read(
        lambda session: Counter(deed.path for pod in pods for deed in deeds_of(session, pod))
    )
    assert ends == {"owner": 23}


async def test_somebody_else_cannot_use_the_list(world: World, talk: Talk, pods: list[str]):
    bob = world.slack.people.bob

    await bob.sends_action("cards_all", key_from(f"questions q-{sorted(pods)[0]}-stale"))
    await talk.settled()

    assert bob.modal is None
    assert len(await world.house.db.read(open_questions)) == 23
