"""A row of a provision that cannot be read harms nobody: not its pod, not the other launches."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import Session, col, select

from bot.provision.news import draw_damaged
from pods.exit_codes import ExitCode
from storage.deed import DeedRow
from storage.outbox import OutboxRow
from storage.provision import ProvisionRow
from storage.rows import change
from storage.trail import TrailRow
from tests.jobs.provision.launching import Launches, exit_code, quick
from tests.world import World


@pytest.fixture
def launches(world: World, tmp_path: Path) -> Launches:
    world.runpod.quirks.every_pod(allocation_s=2, pull_s=2, start_s=1)
    return Launches(quick(world, tmp_path, bootstrap="sleep 1\n"))


def cut(run: str) -> str:
    return run[: len(run) // 2]


def of_a_stage_that_nobody_knows(run: str) -> str:
    return json.dumps({**json.loads(run), "stage": "levitating"})


def without_its_order(run: str) -> str:
    return json.dumps({name: value for name, value in json.loads(run).items() if name != "order"})


def emptied(_run: str) -> str:
    return ""


@pytest.fixture(params=[cut, of_a_stage_that_nobody_knows, without_its_order, emptied])
async def damaged(request: pytest.FixtureRequest, launches: Launches) -> str:
    """A launch at work whose row is damaged."""
    wished = await launches.wish("damaged")
    found = await launches.until(lambda found: found.pod_id is not None, wished)
    broken = request.param(found.run)
    this = col(ProvisionRow.id) == wished
    await launches.world.house.db.run(
        lambda session: change(session, ProvisionRow, this, run=broken, due_at=launches.world.clock.now())
    )
    return wished


async def test_the_ops_channel_and_its_owner_hear_of_it_each_day(launches: Launches, damaged: str) -> None:
    for _ in range(3 * 4):
        await launches.look()
        await launches.world.passes(timedelta(hours=6))

    told = select(OutboxRow.target).where(OutboxRow.kind == "provision_damaged")
    targets = await launches.world.house.db.read(lambda session: session.exec(told).all())
    ops, owner = launches.world.house.ops_channel, launches.world.slack.people.alice.id
    assert sorted(targets) == sorted([ops, owner] * 4)


async def test_within_a_day_it_is_said_once(launches: Launches, damaged: str) -> None:
    for _ in range(4):
        await launches.look()
        await launches.world.passes(timedelta(minutes=6))

    def said(session: Session) -> list[tuple[str, str]]:
        told = select(OutboxRow.target, OutboxRow.kind).where(OutboxRow.kind == "provision_damaged")
        return [(target, kind) for target, kind in session.exec(told)]

    db = launches.world.house.db
    assert (launches.world.house.ops_channel, "provision_damaged") in await db.read(said)
    assert len(await db.read(said)) == 2
    refs, now = {"provision": damaged}, launches.world.clock.now()
    drawn = await db.read(lambda session: draw_damaged(session, dict(refs), now))
    assert drawn is not None
    assert "`damaged`" in drawn.text
    written = select(TrailRow.kind).where(TrailRow.subject == damaged, TrailRow.kind == "provision.damaged")
    assert len(await db.read(lambda session: session.exec(written).all())) == 1


async def test_its_pod_is_left_alive(launches: Launches, damaged: str) -> None:
    for _ in range(10):
        await launches.look()
        await launches.world.passes(timedelta(minutes=20))
    [pod] = launches.world.runpod.fleet.ever()
    assert pod.ended_at is None
    assert not await launches.world.house.db.read(lambda session: session.exec(select(DeedRow)).all())


async def test_other_launches_go_on(launches: Launches, damaged: str) -> None:
    assert exit_code(await launches.over(await launches.wish("another"))) is ExitCode.OK
