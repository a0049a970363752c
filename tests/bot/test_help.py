"""Help, and what is said to a command that is none."""

from tests.bot.talk import Talk
from tests.world import World


async def test_a_bare_command_is_answered_with_help(world: World, talk: Talk):
    told = await talk.types(world.slack.people.alice, "/pod")

    assert "/pod help [command]" in told


async def test_help_about_one_command_shows_an_example(world: World, talk: Talk):
    told = await talk.types(world.slack.people.alice, "/pod help help")

    assert "For example: `/pod help terminate`" in told


async def test_only_the_asker_sees_the_answer(world: World, talk: Talk):
    await talk.types(world.slack.people.alice, "/pod help")

    await world.slack.people.bob.sees_not("/pod help [command]")


async def test_a_mistyped_command_is_answered_with_what_comes_near(world: World, talk: Talk):
    told = await talk.types(world.slack.people.alice, "/pod hepl")

    assert "There is no command `hepl`" in told
    assert "/pod help [command]" in told


async def test_an_open_quotation_is_named(world: World, talk: Talk):
    told = await talk.types(world.slack.people.alice, '/pod help "terminate')

    assert "a quotation is not closed" in told


async def test_a_message_to_the_bot_is_answered_with_how_to_talk_to_it(world: World, talk: Talk):
    await talk.types(world.slack.people.alice, "hello?", in_="dm")

    await world.slack.people.alice.sees("/pod help", in_="dm")
