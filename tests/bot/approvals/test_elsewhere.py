"""What was asked on a card and answered by another way is decided on every copy of it."""

import pytest

from storage.deed import deeds_of
from storage.keep import keeps_of
from storage.ledger import record_of_pod
from storage.question import QuestionState
from tests.bot.account import claimed, foreign, owned
from tests.bot.asking import as_it_stands, opened, sent
from tests.bot.talk import Talk
from tests.world import World


async def test_a_keep_by_command_is_the_answer_to_the_card(world: World, talk: Talk) -> None:
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    question_id = await opened(world, pod_id, alice.id)

    await talk.types(alice, "/pod keep train 3d")
    await sent(world)

    [card] = alice.messages("dm")
    assert "@alice keeps it until" in card.plain
    assert card.buttons == []
    assert (await as_it_stands(world, question_id)).state is QuestionState.DECIDED


async def test_an_end_by_command_is_the_answer_to_the_card_and_its_undo_is_seen_there(
    world: World, talk: Talk
) -> None:
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    await opened(world, pod_id, alice.id)
    await talk.types(alice, "/pod terminate train")
    await talk.clicks(alice, "pod_terminate")
    await sent(world)
    decided = alice.reads("dm")

    await talk.clicks(alice, "Undo")
    await sent(world)

    assert "@alice decided to end it" in decided
    assert "That was called off (by @alice); nothing happened to it." in alice.reads("dm")


async def nobody_has_decided(world: World, pod_id: str) -> bool:
    """Whether the launch that failed and left this pod alive still waits for somebody to decide."""
    made = await world.house.db.read(lambda session: record_of_pod(session, pod_id))
    return made is not None and made.decided_at is None


@pytest.mark.parametrize("way", ["by the card", "by command"])
async def test_an_end_that_is_undone_has_decided_nothing_about_a_failed_launch(
    world: World, talk: Talk, way: str
) -> None:
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    await opened(world, pod_id, alice.id, "provision_failed")
    if way == "by command":
        await talk.types(alice, "/pod terminate train")
        await talk.clicks(alice, "pod_terminate")
    else:
        await talk.clicks(alice, "card_terminate", confirm=True)

    await talk.clicks(alice, "Undo")

    assert await nobody_has_decided(world, pod_id)


async def test_a_keep_has_decided_about_a_failed_launch(world: World, talk: Talk) -> None:
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    await opened(world, pod_id, alice.id, "provision_failed")

    await talk.types(alice, "/pod keep train 3d")

    assert not await nobody_has_decided(world, pod_id)


async def test_a_late_click_on_the_card_is_told_who_decided(world: World, talk: Talk) -> None:
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    question_id = await opened(world, pod_id, alice.id)
    await talk.types(alice, "/pod keep train 3d")

    await alice.sends_action("card_terminate", question_id)
    await talk.settled()

    await alice.sees("was decided already. :white_check_mark: @alice keeps it until")
    assert await world.house.db.read(lambda session: deeds_of(session, pod_id)) == []


@pytest.mark.parametrize("word", ["keep {} 3d", "terminate {}"])
async def test_who_may_not_decide_answers_no_card(world: World, talk: Talk, word: str) -> None:
    alice, bob = world.slack.people.alice, world.slack.people.bob
    pod_id = await owned(world, "train", alice.id)
    question_id = await opened(world, pod_id, alice.id)

    await talk.types(bob, f"/pod {word.format('train')}")

    assert (await as_it_stands(world, question_id)).state is QuestionState.OPEN
    assert await world.house.db.read(lambda session: keeps_of(session, pod_id)) == []


async def test_a_claimants_keep_answers_the_card_too(world: World, talk: Talk) -> None:
    alice = world.slack.people.alice
    pod_id = await foreign(world, "notebook")
    await claimed(world, pod_id, alice.id)
    question_id = await opened(world, pod_id, alice.id)

    await talk.types(alice, "/pod keep notebook 3d")

    assert (await as_it_stands(world, question_id)).decision == "keep"
