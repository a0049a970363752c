"""`/pod keep`, `extend`, `unkeep`: for how long, by whom, and what cannot be kept."""

from datetime import timedelta

import pytest
from sqlmodel import select

from storage.keep import keeps_of
from storage.ledger import record_of_pod
from storage.pod import mark_gone
from storage.provision_asks import set_fence
from storage.trail import TrailRow
from tests.bot.account import claimed, foreign, owned
from tests.bot.asking import opened
from tests.bot.talk import Talk
from tests.world import World


@pytest.mark.parametrize(
    ("typed", "lasting"),
    [("2d", timedelta(days=2)), ("2 days", timedelta(days=2)), ("1h30m", timedelta(hours=1.5))],
)
async def test_a_keep_lasts_as_long_as_was_typed(world: World, talk: Talk, typed: str, lasting: timedelta):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)

    told = await talk.types(alice, f"/pod keep train {typed} long evaluation")

    [keep] = await world.house.db.read(lambda session: keeps_of(session, pod_id))
    assert "is kept until" in told
    assert (keep.until, keep.reason) == (world.clock.now() + lasting, "long evaluation")


@pytest.mark.parametrize("typed", ["soon", "0h", "2"])
async def test_what_is_no_duration_is_named_and_nothing_is_kept(world: World, talk: Talk, typed: str):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)

    told = await talk.types(alice, f"/pod keep train {typed}")

    assert "For example" in told
    assert await world.house.db.read(lambda session: keeps_of(session, pod_id)) == []


async def test_a_keep_beyond_the_limit_is_declined(world: World, talk: Talk):
    alice = world.slack.people.alice
    await owned(world, "train", alice.id)

    told = await talk.types(alice, "/pod keep train 15d")

    assert "14d at most" in told
    assert "It is not kept." in told


async def test_a_keep_beyond_the_limit_leaves_the_one_that_it_has(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    await talk.types(alice, "/pod keep train 2d")

    told = await talk.types(alice, "/pod keep train 99d")

    [keep] = await world.house.db.read(lambda session: keeps_of(session, pod_id))
    assert "It stays kept until" in told
    assert "not kept" not in told
    assert keep.until == world.clock.now() + timedelta(days=2)


async def test_a_keep_moves_the_fence_later_and_never_earlier(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    made = await world.house.db.read(lambda session: record_of_pod(session, pod_id))
    assert made is not None
    fence = world.clock.now() + timedelta(hours=8)
    await world.house.db.run(lambda session: set_fence(session, made.id, fence))

    await talk.types(alice, "/pod keep train 2h")
    after_less = await world.house.db.read(lambda session: record_of_pod(session, pod_id))
    await talk.types(alice, "/pod extend train 1d")
    after_more = await world.house.db.read(lambda session: record_of_pod(session, pod_id))

    assert after_less is not None
    assert after_more is not None
    assert after_less.fence_at == fence
    assert after_more.fence_at == world.clock.now() + timedelta(days=1)


async def test_a_pod_that_is_gone_cannot_be_kept(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    now = world.clock.now()
    await world.house.db.run(lambda session: mark_gone(session, [pod_id], now, "404"))  # type: ignore[list-item]

    assert "is gone since" in await talk.types(alice, f"/pod keep {pod_id} 2d")


async def test_a_stranger_cannot_keep_it(world: World, talk: Talk):
    pod_id = await owned(world, "train", world.slack.people.alice.id)

    told = await talk.types(world.slack.people.carol, "/pod keep train 2d")

    assert "only they or an admin" in told
    assert await world.house.db.read(lambda session: keeps_of(session, pod_id)) == []


async def test_unkeep_takes_every_keep_away(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    await talk.types(alice, "/pod keep train 2d")

    told = await talk.types(alice, "/pod unkeep train")

    [keep] = await world.house.db.read(lambda session: keeps_of(session, pod_id))
    assert "not kept any more" in told
    assert keep.lifted_by == alice.id
    assert "nothing to take away" in await talk.types(alice, "/pod unkeep train")


async def test_an_owner_who_was_told_that_it_never_ran_keeps_it_knowingly(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    await opened(world, pod_id, alice.id, "never_ran")

    await talk.types(alice, "/pod keep train 2d")

    [keep] = await world.house.db.read(lambda session: keeps_of(session, pod_id))
    assert keep.told_never_ran_at == world.clock.now()


async def test_a_keep_before_that_is_not_knowing(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)

    await talk.types(alice, "/pod keep train 2d")

    [keep] = await world.house.db.read(lambda session: keeps_of(session, pod_id))
    assert keep.told_never_ran_at is None


async def test_one_of_several_claimants_keeps_it_but_not_knowingly(world: World, talk: Talk):
    alice, bob = world.slack.people.alice, world.slack.people.bob
    pod_id = await foreign(world, "notebook")
    await claimed(world, pod_id, alice.id)
    await claimed(world, pod_id, bob.id)
    await opened(world, pod_id, alice.id, "never_ran_unproved")

    await talk.types(bob, f"/pod keep {pod_id} 2d")

    [keep] = await world.house.db.read(lambda session: keeps_of(session, pod_id))
    assert (keep.given_by, keep.told_never_ran_at) == (bob.id, None)


async def test_a_keep_is_in_the_trail(world: World, talk: Talk):
    alice = world.slack.people.alice
    await owned(world, "train", alice.id)

    await talk.types(alice, "/pod keep train 2d")

    kinds = await world.house.db.read(lambda session: list(session.exec(select(TrailRow.kind))))
    assert "pod.kept" in kinds
