"""A stop of somebody else's pod is put to its owner as a stop: it keeps the volume disk, an end does not."""

from storage.deed import deeds_of
from storage.question import open_questions
from tests.bot.account import looked, owned
from tests.bot.asking import sent
from tests.bot.talk import Talk
from tests.world import World


async def test_who_wants_to_stop_somebody_elses_pod_is_told_that_nothing_is_stopped(world: World, talk: Talk):
    alice, bob = world.slack.people.alice, world.slack.people.bob
    pod_id = await owned(world, "train", alice.id)

    told = await talk.types(bob, "/pod stop train")

    [question] = await world.house.db.read(open_questions)
    assert "I have asked them; nothing is stopped without their yes." in told
    assert (question.asked, question.asked_by, question.pod_id) == (alice.id, bob.id, pod_id)
    assert question.facts["act"] == "stop"
    assert await world.house.db.read(lambda session: deeds_of(session, pod_id)) == []


async def test_its_owner_is_asked_about_a_stop(world: World, talk: Talk):
    alice, bob = world.slack.people.alice, world.slack.people.bob
    await owned(world, "train", alice.id)

    await talk.types(bob, "/pod stop train")
    await sent(world)

    [card] = [message for message in alice.messages("dm") if message.buttons]
    assert f"<@{bob.id}> asks you to stop it." in card.text
    assert "If it stops: what is on its container disk is lost" in card.text
    assert "If it ends" not in card.text
    assert card.buttons == ["Keep 1 day", "Stop", "Terminate", "Not mine", "Why?"]


async def test_the_owners_yes_to_a_stop_is_a_stop(world: World, talk: Talk):
    alice, bob = world.slack.people.alice, world.slack.people.bob
    pod_id = await owned(world, "train", alice.id)
    await talk.types(bob, "/pod stop train")
    await sent(world)

    told = await talk.clicks(alice, "Stop")

    [deed] = await world.house.db.read(lambda session: deeds_of(session, pod_id))
    assert "stops in 10 seconds" in told
    assert (deed.path, deed.actor) == ("stop", alice.id)


async def test_an_end_that_somebody_wants_is_asked_about_as_an_end(world: World, talk: Talk):
    alice, bob = world.slack.people.alice, world.slack.people.bob
    await owned(world, "train", alice.id)

    told = await talk.types(bob, "/pod terminate train it idles")
    await sent(world)

    [card] = [message for message in alice.messages("dm") if message.buttons]
    assert "nothing is ended without their yes." in told
    assert f"<@{bob.id}> asks you to end it. In their words: “it idles”" in card.text
    assert card.buttons == ["Keep 1 day", "Stop", "Terminate", "Not mine", "Why?"]


async def test_a_stopped_pod_is_not_stopped_again(world: World, talk: Talk):
    alice, bob = world.slack.people.alice, world.slack.people.bob
    pod_id = await owned(world, "train", alice.id)
    world.runpod.console.stop(pod_id, by="console:alice")
    await looked(world)

    told = [await talk.types(person, "/pod stop train") for person in (alice, bob)]

    assert all("is stopped already, so there is nothing to stop." in each for each in told)
    assert await world.house.db.read(open_questions) == []


async def test_a_pod_that_runs_again_is_stopped_though_it_was_last_seen_stopped(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    world.runpod.console.stop(pod_id, by="console:alice")
    await looked(world)
    world.runpod.console.start(pod_id)

    told = await talk.types(alice, "/pod stop train")

    assert "is stopped already" not in told
