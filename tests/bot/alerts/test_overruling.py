"""An admin tells what RunPod's answers do not, and everybody hears who said it."""

from datetime import timedelta

import pytest
from sqlmodel import select

from jobs.observe.folding import WITNESS
from pods.witness import Witness
from simulator.slack.client.person import Person
from storage.listing import last_listings, recall
from storage.trail import TrailRow
from tests.bot.asking import sent
from tests.bot.talk import Talk
from tests.watching import Watch, watched
from tests.world import World

MINUTE = timedelta(minutes=1)


@pytest.fixture
async def watch(world: World) -> Watch:
    """Three running pods of somebody's are known."""
    for n in range(3):
        world.runpod.rent(f"train-{n}", by="console:carol", created=world.runpod.ago(hours=2))
    return await watched(world)


@pytest.fixture
def dana(world: World) -> Person:
    """The admin."""
    return world.slack.people.dana


async def looks(watch: Watch) -> None:
    """A minute later."""
    await watch.for_(MINUTE)
    await sent(watch.world)


async def everything_vanishes(watch: Watch) -> None:
    for pod in watch.world.runpod.fleet.present():
        watch.world.runpod.console.terminate(pod.id, by="console:carol")
    await looks(watch)


async def all_is_seen(watch: Watch) -> bool:
    return (await watch.world.house.db.read(last_listings))[0].complete


async def witness_is_out(watch: Watch) -> bool:
    known = await watch.world.house.db.read(lambda session: recall(session, WITNESS, Witness))
    return known is not None and known.out


async def test_an_admin_who_says_that_the_account_is_empty_ends_the_blindness(
    watch: Watch, talk: Talk, dana: Person
) -> None:
    await everything_vanishes(watch)
    blind = await all_is_seen(watch)

    answer = await talk.clicks(dana, "It is empty", confirm=True)
    await looks(watch)

    assert (blind, await all_is_seen(watch)) == (False, True)
    assert "I go by that" in answer
    assert f"@{dana.name} says that the account is empty" in watch.world.slack.people.bob.reads("#gpu-ops")


async def test_an_account_whose_list_has_pods_is_not_empty_whoever_says_so(
    watch: Watch, talk: Talk, dana: Person
) -> None:
    await everything_vanishes(watch)
    watch.world.runpod.rent("another-scope", by="console:carol", created=watch.world.runpod.ago(hours=2))
    await looks(watch)

    answer = await talk.clicks(dana, "It is empty", confirm=True)

    assert "has pods in it" in answer
    assert not await all_is_seen(watch)


async def test_somebody_else_cannot_say_that_the_account_is_empty(watch: Watch, talk: Talk) -> None:
    await everything_vanishes(watch)

    answer = await talk.clicks(watch.world.slack.people.bob, "It is empty", confirm=True)
    await looks(watch)

    assert "Only admins" in answer
    assert not await all_is_seen(watch)


async def test_an_admin_who_says_that_the_nulls_are_true_ends_the_doubt(
    watch: Watch, talk: Talk, dana: Person
) -> None:
    everywhere = frozenset({"*"})
    watch.world.runpod.quirks.account.null_runtime_data_centers = everywhere
    await looks(watch)
    out = await witness_is_out(watch)

    await talk.clicks(dana, "The pods are dead", confirm=True)
    await looks(watch)

    assert (out, await witness_is_out(watch)) == (True, False)


async def test_what_an_admin_said_is_in_the_trail(watch: Watch, talk: Talk, dana: Person) -> None:
    await everything_vanishes(watch)

    await talk.clicks(dana, "It is empty", confirm=True)

    kinds = select(TrailRow.actor).where(TrailRow.kind == "observation.overruled")
    said = await watch.world.house.db.read(lambda session: session.exec(kinds).all())
    assert said == [dana.id]
