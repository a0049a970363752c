"""A simulated Slack and our client for it."""

from collections.abc import AsyncIterator

import pytest

from gateways.slack.client import WebSlack, connected
from simulator.slack import SlackSimulator


@pytest.fixture
async def workspace() -> AsyncIterator[SlackSimulator]:
    async with SlackSimulator() as simulator:
        yield simulator


@pytest.fixture
async def slack(workspace) -> AsyncIterator[WebSlack]:
    async with connected(workspace.bot_token, workspace.api_url) as client:
        yield client


@pytest.fixture
def general(workspace) -> str:
    return str(workspace.channel("#general").id)
