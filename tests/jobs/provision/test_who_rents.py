"""Only people who are full members now rent anything."""

from datetime import timedelta
from pathlib import Path

import pytest

from jobs.provision.people import FRESH_FOR
from pods.exit_codes import ExitCode
from pods.provision.outcomes import Outcome
from tests.jobs.provision.launching import Launches, exit_code, quick
from tests.world import World


@pytest.fixture
def launches(world: World, tmp_path: Path) -> Launches:
    world.runpod.quirks.every_pod(allocation_s=2, pull_s=2, start_s=1)
    return Launches(quick(world, tmp_path))


async def rents(launches: Launches, name: str) -> bool:
    """Whether alice's order goes out."""
    over = await launches.over(await launches.wish(name))
    return over.outcome != Outcome.NOT_ALLOWED


async def test_a_bot_rents_nothing(launches: Launches) -> None:
    robo = launches.world.slack.workspace.user("robo")
    assert robo is not None
    over = await launches.over(await launches.wish(owner=robo.id))
    assert exit_code(over) is ExitCode.REFUSED
    assert not list(launches.world.runpod.fleet.ever())


async def test_who_became_a_guest_a_few_minutes_ago_rents_nothing(launches: Launches) -> None:
    world = launches.world
    assert await rents(launches, "first")
    world.slack.workspace.change(world.slack.people.alice.id, is_restricted=True)
    await world.passes(FRESH_FOR)
    assert not await rents(launches, "second")


async def test_if_slack_cannot_say_who_somebody_is_now_the_order_goes_by_what_is_known(
    launches: Launches,
) -> None:
    world = launches.world
    assert await rents(launches, "first")
    await world.passes(FRESH_FOR + timedelta(hours=1))
    world.slack.faults.error("users.info", "missing_scope", times=500)
    assert await rents(launches, "second")
