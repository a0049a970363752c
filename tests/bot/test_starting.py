"""Slack or RunPod down at the start: said aloud, and tried again."""

import asyncio

import pytest

from bot import starting
from bot.starting import NotReady, identity_of
from tests.world import World


async def test_while_slack_is_down_it_keeps_trying(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(starting, "FIRST_PAUSE_SECONDS", 0.05)
    await world.slack.faults.down()
    looking = asyncio.create_task(identity_of(world.house))
    await asyncio.sleep(0.3)
    still_looking = not looking.done()
    world.slack.faults.up()

    identity = await asyncio.wait_for(looking, 20)

    assert still_looking
    assert identity.bot_user_id == world.slack.bot.bot_user_id


async def test_a_runpod_that_is_away_keeps_nobody_from_starting(world: World):
    await world.runpod.goes_down()
    try:
        assert (await identity_of(world.house)).bot_user_id
    finally:
        await world.runpod.comes_back()


async def test_an_archived_ops_channel_is_refused(world: World):
    world.slack.workspace.archive("#gpu-ops")

    with pytest.raises(NotReady, match="PODKEEPER_OPS_CHANNEL"):
        await identity_of(world.house)
