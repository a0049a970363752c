"""What the simulated account's tests share: a clock that stands still, the account, the document."""

import json
import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import asyncssh
import pytest

from simulator.clock import ManualClock
from simulator.runpod import Fleet, PodPlan, RestApi, RunPodSimulator
from tests.simulator.runpod.client import Client
from tests.simulator.runpod.document import Document

START = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(START)


@pytest.fixture
def fleet(clock: ManualClock) -> Fleet:
    return Fleet(clock)


@pytest.fixture
def api(fleet: Fleet) -> RestApi:
    return RestApi(fleet)


@pytest.fixture
def client(api: RestApi) -> Client:
    return Client(api)


@pytest.fixture
async def runpod(clock: ManualClock) -> AsyncIterator[RunPodSimulator]:
    async with RunPodSimulator(clock, plan=PodPlan.instant()) as running:
        yield running


@pytest.fixture(scope="session")
def key() -> asyncssh.SSHKey:
    return asyncssh.generate_private_key("ssh-ed25519", comment="me@example.com")


@pytest.fixture(scope="session")
def document(request: pytest.FixtureRequest) -> Document:
    given = os.environ.get("PODKEEPER_SHARED")
    shared = Path(given) if given else request.getfixturevalue("shared")
    return Document(json.loads((shared / "specs" / "runpod-rest-v2-openapi.json").read_text()))
