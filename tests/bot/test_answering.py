"""An answer finds its way to the person alone; where there is none, that is said, and nothing breaks."""

from bot.slack.answering import answer
from bot.slack.heard import Submission
from tests.bot.asking import sent
from tests.bot.talk import Talk
from tests.world import MONDAY_NOON, World


def form_of(user: str) -> Submission:
    """Somebody who waits for an answer, and of whom nothing else is known."""
    return Submission(
        key="slack.submission 1",
        at=MONDAY_NOON,
        user=user,
        callback_id="keep_form",
        values={},
        private_metadata="",
        trigger_id=None,
        view_id=None,
    )


async def test_a_form_is_answered_in_the_direct_messages(world: World) -> None:
    alice = world.slack.people.alice

    await answer(world.house, form_of(alice.id), "it is kept")

    await alice.sees("it is kept", in_="dm")


async def test_a_command_whose_address_is_spent_is_answered_in_its_channel(world: World, talk: Talk) -> None:
    alice, bob = world.slack.people.alice, world.slack.people.bob
    world.slack.faults.response_url(404)

    assert "/pod help" in await talk.types(alice, "/pod help")
    assert "/pod help" not in bob.reads("#general")


async def test_where_the_direct_messages_are_shut_only_that_person_sees_it_in_the_ops_channel(
    world: World,
) -> None:
    alice, bob = world.slack.people.alice, world.slack.people.bob
    world.slack.faults.error("conversations.open", "messages_tab_disabled")

    await answer(world.house, form_of(alice.id), "it is kept")

    await alice.sees("it is kept", in_="#gpu-ops")
    assert "it is kept" not in bob.reads("#gpu-ops")


async def test_who_cannot_be_reached_at_all_is_named_in_the_ops_channel_without_the_answer(
    world: World,
) -> None:
    alice, bob = world.slack.people.alice, world.slack.people.bob
    world.slack.faults.error("conversations.open", "user_not_visible", times=2)
    world.slack.faults.error("chat.postEphemeral", "user_not_in_channel", times=2)

    await answer(world.house, form_of(alice.id), "it is kept")
    await answer(world.house, form_of(alice.id), "it is kept")
    await sent(world)

    said = bob.reads("#gpu-ops")
    assert said.count("I could not answer @alice") == 1
    assert "user_not_visible" in said
    assert "it is kept" not in said
