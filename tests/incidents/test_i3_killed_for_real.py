"""I3, the launch that died with its parent: `serve` is really killed, with -9, at each stage of a launch."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pods.line_order import faults_of
from pods.provision.stages import UNDER_WAY, Stage
from simulator.runpod import RunPodSimulator
from simulator.slack import SlackSimulator
from storage.database import Database
from storage.ledger import ProvisionRecord, lines, records
from tests.bot.process import environment, started

STAGES = [stage for stage in Stage if stage in UNDER_WAY and stage is not Stage.WISHED]
BOOTSTRAP = 'echo run >>"$HOME/runs"\nsleep 1.5\n'


@pytest.fixture
async def slack() -> AsyncIterator[SlackSimulator]:
    async with SlackSimulator() as simulator:
        yield simulator


@pytest.fixture
async def runpod() -> AsyncIterator[RunPodSimulator]:
    async with RunPodSimulator() as simulator:
        simulator.quirks.every_pod(allocation_s=1, pull_s=1, start_s=0.5, ssh_s=1.5, ports_s=0.5)
        yield simulator


@pytest.fixture
def settings(slack: SlackSimulator, runpod: RunPodSimulator, tmp_path: Path) -> dict[str, str]:
    """A service whose pods have a little to do."""
    (tmp_path / "bootstrap.sh").write_text(BOOTSTRAP)
    (tmp_path / "preflight.sh").write_text("sleep 1\n")
    return {
        **environment(slack, runpod, tmp_path),
        "PODKEEPER_BOOTSTRAP_SCRIPT": str(tmp_path / "bootstrap.sh"),
        "PODKEEPER_PREFLIGHT_SCRIPT": str(tmp_path / "preflight.sh"),
    }


async def the_launch(database: Database) -> ProvisionRecord | None:
    return next(iter(await database.read(records)), None)


async def until_stage(database: Database, stage: Stage, within: float = 60.0) -> None:
    """Wait until the launch is at the stage, or has passed it."""
    order, end, found = list(Stage), time.monotonic() + within, None
    while time.monotonic() < end:
        found = await the_launch(database)
        if found is not None and order.index(Stage(found.stage)) >= order.index(stage):
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"it never came to {stage}: {found}")


@pytest.mark.parametrize("stage", STAGES)
async def test_i3_a_service_killed_at_any_stage_goes_on_where_it_was(
    stage: Stage, slack: SlackSimulator, runpod: RunPodSimulator, settings: dict[str, str], tmp_path: Path
) -> None:
    alice = slack.people.alice
    async with started(settings, tmp_path) as serve:
        await slack.connected(within=30)
        await alice.types("/pod provision train --gpu 'H100 SXM'")
        database = Database(settings["DATABASE_URL"])
        await until_stage(database, stage)
        os.kill(serve.process.pid, signal.SIGKILL)
        await serve.ends()
    async with started(settings, tmp_path):
        await until_stage(database, Stage.READY, within=90)
    found = await the_launch(database)
    assert found is not None
    told = [line for _, line in await database.read(lambda session: lines(session, found.id))]
    database.close()
    assert found.outcome == "ready"
    assert faults_of(told) == []
    [pod] = runpod.fleet.ever()
    assert (runpod.containers.home(pod.id) / "runs").read_text() == "run\n"
