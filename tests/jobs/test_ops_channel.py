"""The ops channel is looked at although nothing is to be said there: its loss holds every clock."""

import pytest

from jobs.ops_channel import OpsChannel
from storage.switch import is_on
from storage.switches import OPS_CHANNEL_LOST
from tests.watching import Watch
from tests.world import World


@pytest.fixture
def looks(world: World) -> OpsChannel:
    return OpsChannel(world.house)


async def lost(world: World) -> bool:
    return await world.house.db.read(lambda session: is_on(session, OPS_CHANNEL_LOST))


async def test_a_channel_that_was_archived_is_lost_at_the_next_look(world: World, looks: OpsChannel) -> None:
    await looks.run()
    before = await lost(world)
    world.slack.workspace.archive(world.house.ops_channel)

    await looks.run()
    await looks.run()

    assert (before, await lost(world)) == (False, True)
    told = await Watch(world).written("ops_channel_lost")
    assert {one.target for one in told} == set(world.house.admins)
    assert len(told) == len(world.house.admins)
    assert all(one.urgent for one in told)


async def test_so_is_one_that_the_bot_was_taken_out_of(world: World, looks: OpsChannel) -> None:
    world.slack.workspace.channels[world.house.ops_channel].members.remove(
        world.slack.workspace.app.bot_user_id
    )

    await looks.run()

    assert await lost(world)


async def test_it_is_reached_again_once_it_has_taken_a_message(world: World, looks: OpsChannel) -> None:
    channel = world.slack.workspace.channels[world.house.ops_channel]
    channel.archived = True
    await looks.run()
    channel.archived = False

    await looks.run()
    await looks.run()

    [back] = await Watch(world).written("ops_channel_back")
    assert back.target == world.house.ops_channel
    assert await lost(world)


async def test_trouble_with_slack_says_nothing_about_the_channel(world: World, looks: OpsChannel) -> None:
    world.slack.faults.error("conversations.info", "internal_error")

    looked = await looks.run()

    assert not looked.complete
    assert not await lost(world)
