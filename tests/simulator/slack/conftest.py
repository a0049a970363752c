"""A simulated Slack with short waits, and a client that holds the bot's token."""

from collections.abc import AsyncIterator

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from simulator.slack import SlackSimulator
from tests.simulator.slack.apps import FAST, IMPATIENT, bare_client


@pytest.fixture
async def slack() -> AsyncIterator[SlackSimulator]:
    async with SlackSimulator(settings=FAST) as simulator:
        yield simulator


@pytest.fixture
async def impatient() -> AsyncIterator[SlackSimulator]:
    """A Slack that gives up almost at once, for what is about its giving up."""
    async with SlackSimulator(settings=IMPATIENT) as simulator:
        yield simulator


@pytest.fixture
def client(slack: SlackSimulator) -> AsyncWebClient:
    return bare_client(slack)
