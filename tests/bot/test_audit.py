"""`/pod audit` and `/pod why`: the judgement, shown to people."""

from datetime import timedelta

from jobs.observe.looking import Observer
from tests.bot.account import claimed, foreign, looked, owned
from tests.bot.talk import Talk
from tests.world import World


async def observed(world: World, passes: int = 3) -> None:
    observer = Observer(world.house)
    for _ in range(passes):
        await observer.run()
        await world.passes(timedelta(minutes=1))


async def test_an_account_in_order_needs_nobody(world: World, talk: Talk):
    await foreign(world, "notebook")
    await observed(world)

    told = await talk.types(world.slack.people.alice, "/pod audit")

    assert "*0 of 1 pods need somebody.*" in told
    assert "Nothing to do for the rest: 1 running." in told


async def test_what_needs_somebody_is_shown_with_its_reason(world: World, talk: Talk):
    alice, bob = world.slack.people.alice, world.slack.people.bob
    pod_id = await foreign(world, "notebook")
    await claimed(world, pod_id, alice.id)
    await claimed(world, pod_id, bob.id)
    await observed(world)

    told = await talk.types(alice, "/pod audit")

    assert "*1 of 1 pods need somebody.*" in told
    assert "*notebook*" in told


async def test_an_incomplete_look_is_said_aloud(world: World, talk: Talk):
    await foreign(world, "notebook")
    await observed(world)
    world.runpod.quirks.account.listing = "html"
    await observed(world, passes=1)

    assert "was not complete" in await talk.types(world.slack.people.alice, "/pod audit")


async def test_why_tells_who_rented_it_what_was_seen_and_what_it_cost(world: World, talk: Talk):
    alice = world.slack.people.alice
    await owned(world, "train", alice.id)
    await observed(world)

    told = await talk.types(alice, "/pod why train")

    assert "I rented it myself, for" in told
    assert "What I saw" in told
    assert "so far" in told


async def test_why_of_a_foreign_pod_says_that_it_is_not_ours(world: World, talk: Talk):
    await foreign(world, "notebook")
    await observed(world)

    told = await talk.types(world.slack.people.alice, "/pod why notebook")

    assert "I did not rent it, and nobody has said whose it is." in told


async def test_audit_with_a_pod_is_why(world: World, talk: Talk):
    await foreign(world, "notebook")
    await observed(world)

    assert "I did not rent it" in await talk.types(world.slack.people.alice, "/pod audit notebook")


async def test_looking_ends_nothing_and_asks_nobody(world: World, talk: Talk):
    await foreign(world, "notebook")
    await looked(world)

    await talk.types(world.slack.people.alice, "/pod audit")

    assert not world.runpod.calls.terminates()
