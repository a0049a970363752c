"""I3, the launch that died with its parent: `serve` is really killed, with -9, at each stage of a launch."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlmodel import select

from pods.line_order import faults_of
from pods.provision.stages import UNDER_WAY, WITHOUT_POD, Stage
from simulator.runpod import RunPodSimulator
from simulator.runpod.quirks import CREATE
from simulator.slack import SlackSimulator
from storage.database import Database
from storage.ledger import lines, records
from storage.provision import ProvisionRow
from tests.bot.forked import forked
from tests.bot.process import environment

STAGES = [stage for stage in Stage if stage in UNDER_WAY and stage not in WITHOUT_POD]
"""The kill before these meets the create call: RunPod has made the pod, and its answer is on its way."""
WAITS = 'until [ -e "$HOME/{stage}-may-end" ]; do sleep 0.05; done\n'
BOOTSTRAP = """
echo run >>"$HOME/runs"
mkdir -p "$PODKEEPER_CHECKOUT" && cd "$PODKEEPER_CHECKOUT" || exit 1
git init -q -b "$PODKEEPER_BRANCH"
git -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m first
git checkout -q --detach
printf '#!/bin/sh\\n%sexec git-upload-pack "$HOME/work/code"\\n' '{asking}' >"$HOME/remote"
chmod +x "$HOME/remote"
git config core.sshCommand "$HOME/remote"
"""
"""Counts its runs; leaves a detached checkout, so that the branch is asked for at a remote, which waits."""


@pytest.fixture
async def slack() -> AsyncIterator[SlackSimulator]:
    async with SlackSimulator() as simulator:
        yield simulator


@pytest.fixture
async def runpod() -> AsyncIterator[RunPodSimulator]:
    async with RunPodSimulator() as simulator:
        simulator.quirks.every_pod(allocation_s=0, pull_s=0, start_s=0, ports_s=3, ssh_s=6)
        simulator.quirks.answer(*CREATE, delay_s=30)
        yield simulator


@pytest.fixture
def settings(slack: SlackSimulator, runpod: RunPodSimulator, tmp_path: Path) -> dict[str, str]:
    """A service on whose pods each work lasts until it may end, so that a kill meets it on a slow machine."""
    bootstrap = BOOTSTRAP.format(asking=WAITS.format(stage=Stage.BRANCH))
    (tmp_path / "bootstrap.sh").write_text(bootstrap + WAITS.format(stage=Stage.BOOTSTRAPPING))
    (tmp_path / "preflight.sh").write_text(WAITS.format(stage=Stage.PREFLIGHT))
    return {
        **environment(slack, runpod, tmp_path),
        "PODKEEPER_BOOTSTRAP_SCRIPT": str(tmp_path / "bootstrap.sh"),
        "PODKEEPER_PREFLIGHT_SCRIPT": str(tmp_path / "preflight.sh"),
    }


async def created(runpod: RunPodSimulator) -> None:
    """Until RunPod has made a pod."""
    while True:
        if list(runpod.fleet.ever()):
            return
        await asyncio.sleep(0.02)


async def until(database: Database, stage: Stage) -> None:
    """Until the launch is at the stage, or has passed it."""
    order = list(Stage)
    where = select(ProvisionRow.stage)
    while True:
        found = await database.read(lambda session: session.exec(where).first())
        if found is not None and order.index(Stage(found)) >= order.index(stage):
            return
        await asyncio.sleep(0.02)


@pytest.mark.timeout(300)
async def test_i3_a_service_killed_at_every_stage_goes_on_where_it_was(
    slack: SlackSimulator, runpod: RunPodSimulator, settings: dict[str, str], tmp_path: Path
) -> None:
    order = "/pod provision train --gpu 'H100 SXM' --repo ssh://git@example.com/team/code --branch issue-7"
    async with forked(settings, tmp_path) as serve:
        await slack.connected(within=120)
        await slack.people.alice.types(order)
        database = Database(settings["DATABASE_URL"])
        await created(runpod)
        await serve.is_killed()
    for stage in STAGES:
        async with forked(settings, tmp_path) as serve:
            await until(database, stage)
            await serve.is_killed()
        [pod] = runpod.fleet.ever()
        (runpod.containers.home(pod.id) / f"{stage}-may-end").touch()
    async with forked(settings, tmp_path):
        await until(database, Stage.READY)
    [found] = await database.read(records)
    told = [line for _, line in await database.read(lambda session: lines(session, found.id))]
    database.close()
    assert found.outcome == "ready"
    assert faults_of(told) == []
    [pod] = runpod.fleet.ever()
    assert (runpod.containers.home(pod.id) / "runs").read_text() == "run\n"
