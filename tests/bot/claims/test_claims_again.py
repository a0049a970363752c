"""Claims and hand-overs after things have changed: what was once said or offered does not bind for ever."""

from datetime import timedelta

from pods.ownership import Grade
from tests.bot.account import foreign, later, owned, whose
from tests.bot.asking import sent
from tests.bot.talk import Talk
from tests.world import World

OPS = "#gpu-ops"
DAY = timedelta(days=1)


async def test_who_comes_back_keeps_the_pod_that_somebody_wanted_to_take_over(world: World, talk: Talk):
    dee, bob, dana = world.slack.people.dee, world.slack.people.bob, world.slack.people.dana
    pod_id = await owned(world, "train", dee.id)
    await bob.sends_action("take_over", pod_id)
    await talk.settled()
    await sent(world)

    world.slack.workspace.reactivate(dee.id)
    told = await talk.clicks(dana, "Confirm")

    assert "is here again, so only they can give this pod" in told
    assert (await whose(world, pod_id)).owner == dee.id


async def test_who_comes_back_keeps_the_pod_that_an_admin_wanted_to_give_away(world: World, talk: Talk):
    dee, bob, dana = world.slack.people.dee, world.slack.people.bob, world.slack.people.dana
    pod_id = await owned(world, "train", dee.id)
    await talk.types(dana, "/pod give train @bob")
    await sent(world)

    world.slack.workspace.reactivate(dee.id)
    told = await talk.clicks(bob, "Accept")

    assert "is here again, so only they can give this pod" in told
    assert (await whose(world, pod_id)).owner == dee.id


async def test_who_said_not_mine_of_a_pod_rented_for_them_can_give_it_away(world: World, talk: Talk):
    alice, bob = world.slack.people.alice, world.slack.people.bob
    pod_id = await owned(world, "train", alice.id)
    await talk.types(alice, "/pod unclaim train")
    await later(world)
    await talk.types(alice, "/pod give train @bob")
    await sent(world)
    await later(world)

    await talk.clicks(bob, "Accept")

    assert (await whose(world, pod_id)).owner == bob.id


async def test_a_claim_that_nobody_could_read_of_gives_no_right_to_end(world: World, talk: Talk):
    bob = world.slack.people.bob
    pod_id = await foreign(world, "notebook")
    world.slack.workspace.archive(OPS)
    await talk.types(bob, "/pod claim notebook")
    await sent(world)

    await world.clock.pass_by(2 * DAY)

    assert not (await whose(world, pod_id)).may_end
    assert "you can end it from" in await talk.types(bob, "/pod terminate notebook")


async def test_a_claim_that_waited_for_a_lost_channel_settles_a_day_after_all_could_read_it(
    world: World, talk: Talk
):
    pod_id = await foreign(world, "notebook")
    world.slack.workspace.archive(OPS)
    await talk.types(world.slack.people.bob, "/pod claim notebook")
    await sent(world)
    await world.clock.pass_by(2 * DAY)

    world.slack.workspace.archive(OPS, archived=False)
    await sent(world)
    at_once = (await whose(world, pod_id)).may_end
    await world.clock.pass_by(DAY)

    assert not at_once
    assert (await whose(world, pod_id)).may_end


async def test_a_conflict_can_be_decided_though_an_admin_decided_an_earlier_one(world: World, talk: Talk):
    alice, bob, dana = world.slack.people.alice, world.slack.people.bob, world.slack.people.dana
    pod_id = await foreign(world, "notebook")
    for claimant in (alice, bob):
        await talk.types(claimant, "/pod claim notebook")
        await sent(world)
        await later(world)
    await talk.clicks(dana, "Confirm")
    await later(world)
    loser = alice if (await whose(world, pod_id)).owner == bob.id else bob
    await talk.types(loser, "/pod claim notebook")
    await sent(world)
    await later(world)
    in_conflict = (await whose(world, pod_id)).grade

    await talk.clicks(dana, "Confirm")

    assert in_conflict is Grade.CONFLICTING
    assert (await whose(world, pod_id)).grade is Grade.CLAIMED
