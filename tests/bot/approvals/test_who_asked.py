"""Whoever had somebody else asked about a pod hears what came of it."""

from datetime import timedelta

from jobs.questions import Questions
from simulator.slack.client.person import Person
from tests.bot.account import looked, owned
from tests.bot.asking import sent
from tests.bot.talk import Talk
from tests.world import World


async def bob_asks(world: World, talk: Talk, what: str = "terminate train it idles") -> str:
    """About a pod of Alice's. Returns its id."""
    pod_id = await owned(world, "train", world.slack.people.alice.id)
    await talk.types(world.slack.people.bob, f"/pod {what}")
    await sent(world)
    return pod_id


def told(person: Person) -> list[str]:
    return [message.text for message in person.messages("dm")]


async def test_who_asked_hears_that_the_owner_keeps_it(world: World, talk: Talk):
    alice, bob = world.slack.people.alice, world.slack.people.bob
    await bob_asks(world, talk)

    await talk.clicks(alice, "Keep 1 day")
    await sent(world)

    [message] = told(bob)
    assert message.startswith(f"You asked <@{alice.id}> to end *train*.")
    assert f"<@{alice.id}> keeps it until" in message


async def test_who_asked_sees_what_becomes_of_the_owners_yes(world: World, talk: Talk):
    alice, bob = world.slack.people.alice, world.slack.people.bob
    await bob_asks(world, talk, "stop train")
    await talk.clicks(alice, "Stop")
    await sent(world)
    [before] = told(bob)

    await talk.clicks(alice, "Undo")
    await sent(world)

    assert f"<@{alice.id}> decided to stop it" in before
    assert "That was called off" in told(bob)[0]


async def test_who_asked_hears_that_nobody_answered(world: World, talk: Talk):
    bob = world.slack.people.bob
    await bob_asks(world, talk)

    await world.clock.pass_by(world.house.answers.expires + timedelta(seconds=1))
    await looked(world)
    await Questions(world.house).run()
    await sent(world)

    [message] = told(bob)
    assert "Nobody answered in time, so nothing happened to it." in message


async def test_who_asked_hears_nothing_while_the_question_is_open(world: World, talk: Talk):
    await bob_asks(world, talk)

    assert told(world.slack.people.bob) == []
