"""A confirmation is worth what it showed: what has changed since is shown anew, and nothing is done."""

from storage.deed import Deed, deeds_of
from tests.bot.account import looked, owned
from tests.bot.asking import sent
from tests.bot.talk import Talk
from tests.world import World


async def deeds(world: World, pod_id: str) -> list[Deed]:
    return await world.house.db.read(lambda session: deeds_of(session, pod_id))


async def test_a_pod_that_changed_since_it_was_shown_is_left_alone(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    await talk.types(alice, "/pod terminate train")
    world.runpod.console.stop(pod_id, by="console:alice")
    await looked(world)

    told = await talk.clicks(alice, "Terminate")

    assert "has changed since you were asked, so nothing was done. This is how it stands now." in told
    assert "stopped" in told
    assert await deeds(world, pod_id) == []


async def test_one_more_click_ends_a_pod_that_changed_since_it_was_shown(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    await talk.types(alice, "/pod terminate train")
    world.runpod.console.stop(pod_id, by="console:alice")
    await looked(world)
    await talk.clicks(alice, "Terminate")

    assert "ends in 10 seconds" in await talk.clicks(alice, "Terminate")
    assert len(await deeds(world, pod_id)) == 1


async def test_whoever_gave_the_pod_away_meanwhile_is_shown_no_button(world: World, talk: Talk):
    alice, bob = world.slack.people.alice, world.slack.people.bob
    pod_id = await owned(world, "train", alice.id)
    await talk.types(alice, "/pod terminate train")
    await talk.types(alice, "/pod give train @bob")
    await sent(world)
    await talk.clicks(bob, "Accept")

    told = await talk.clicks(alice, "Terminate")

    assert "@bob's by now, so nothing was done" in told
    assert await deeds(world, pod_id) == []
