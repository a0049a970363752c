"""Clicks on somebody else's direct messages: recorded and not answered, whatever the button."""

import pytest

from simulator.slack.client.handles import SeenMessage
from tests.bot.account import owned
from tests.bot.asking import as_it_stands, opened, refused
from tests.bot.talk import Talk
from tests.world import World


@pytest.mark.parametrize("button", ["card_keep_1d", "card_why", "pod_terminate", "deed_undo", "claim"])
async def test_a_click_on_anothers_direct_message_is_recorded_and_not_answered(
    world: World, talk: Talk, button: str
):
    alice, carol = world.slack.people.alice, world.slack.people.carol
    question_id = await opened(world, await owned(world, "train", alice.id), alice.id)
    await talk.settled()
    card, before = await alice.sees("train", in_="dm"), carol.screen
    assert isinstance(card, SeenMessage)

    await carol.sends_action(button, question_id, on=card)
    await talk.settled()

    assert carol.screen == before
    assert await refused(world) == [carol.id]
    assert (await as_it_stands(world, question_id)).decision is None


async def test_the_addressee_of_a_direct_message_is_answered(world: World, talk: Talk):
    alice = world.slack.people.alice
    question_id = await opened(world, await owned(world, "train", alice.id), alice.id)
    await talk.settled()

    await talk.clicks(alice, "Keep 1 day")

    assert (await as_it_stands(world, question_id)).decision == "keep"
