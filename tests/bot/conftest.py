"""The real service around the small world, as people and agents meet it."""

from collections.abc import AsyncIterator

import pytest

from bot.service import Service
from tests.bot.pressable import faults_of
from tests.bot.talk import Talk, serving
from tests.world import World


@pytest.fixture
def engine_name() -> str:
    """What the doors store is tested on both engines where it is written; here one will do."""
    return "sqlite"


@pytest.fixture
async def world(world: World) -> AsyncIterator[World]:
    """The same small world; whatever can be pressed in it is as the contract says."""
    yield world
    assert faults_of(world.slack.log.calls) == []


@pytest.fixture
async def bot(world: World) -> AsyncIterator[Service]:
    """The service in Socket Mode."""
    async with serving(world) as running:
        yield running


@pytest.fixture
def talk(world: World, bot: Service) -> Talk:
    """People who talk to the service."""
    return Talk(world, bot)
