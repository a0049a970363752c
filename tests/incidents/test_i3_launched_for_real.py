"""I3, the launch path, with the real reconciler against a whole simulated account."""

from datetime import timedelta
from pathlib import Path

import pytest

from pods.exit_codes import ExitCode
from pods.line_order import faults_of
from tests.jobs.provision.launching import Launches, exit_code, quick
from tests.world import World

REPO = "https://example.com/team/code"
CHECKOUT = """
mkdir -p "$PODKEEPER_CHECKOUT" && cd "$PODKEEPER_CHECKOUT" || exit 1
git init -q -b {branch}
git -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m first
"""


@pytest.fixture
def fast(world: World) -> World:
    world.runpod.quirks.every_pod(allocation_s=2, pull_s=2, start_s=1)
    return world


async def test_i3_a_branch_that_silently_became_main_is_a_loud_failure(fast: World, tmp_path: Path) -> None:
    launches = Launches(quick(fast, tmp_path, bootstrap=CHECKOUT.format(branch="main")))
    wished = await launches.wish(repo=REPO, branch="issue-1689")
    found = await launches.over(wished)
    assert exit_code(found) is ExitCode.WRONG_BRANCH
    told = await launches.lines(wished)
    assert faults_of(told) == []
    assert any(line.startswith("BRANCH: MISMATCH requested=issue-1689 actual=main head=") for line in told)
    assert "BOOTSTRAP-FAILED pod=train rc=1" in told
    assert not any(line.startswith("BOOTSTRAP-OK") for line in told)


async def test_i3_the_branch_that_was_asked_for_reaches_the_pod(fast: World, tmp_path: Path) -> None:
    launches = Launches(quick(fast, tmp_path, bootstrap=CHECKOUT.format(branch='"$PODKEEPER_BRANCH"')))
    wished = await launches.wish(repo=REPO, branch="issue-1689")
    assert exit_code(await launches.over(wished)) is ExitCode.OK
    told = await launches.lines(wished)
    assert any(line.startswith("BRANCH: OK branch=issue-1689 head=") for line in told)


async def test_i3_no_branch_asked_for_means_that_main_is_fine(fast: World, tmp_path: Path) -> None:
    launches = Launches(quick(fast, tmp_path, bootstrap=CHECKOUT.format(branch="main")))
    wished = await launches.wish(repo=REPO)
    assert exit_code(await launches.over(wished)) is ExitCode.OK
    assert any(line.startswith("BRANCH: NOT-REQUESTED branch=main") for line in await launches.lines(wished))


async def test_i3_a_launch_goes_on_where_it_was_when_the_service_comes_back(
    fast: World, tmp_path: Path
) -> None:
    world = quick(fast, tmp_path, bootstrap='sleep 1\necho once >>"$HOME/runs"\n')
    first = Launches(world)
    wished = await first.wish()
    await first.until(lambda found: found.stage == "bootstrapping", wished)
    await world.passes(timedelta(minutes=20))
    second = Launches(world)
    found = await second.over(wished)
    assert exit_code(found) is ExitCode.OK
    home = world.runpod.containers.home(str(found.pod_id))
    assert (home / "runs").read_text() == "once\n"


async def test_i3_the_fence_that_is_told_is_the_one_in_force(fast: World, tmp_path: Path) -> None:
    launches = Launches(quick(fast, tmp_path))
    wished = await launches.wish(lifetime=timedelta(hours=15))
    found = await launches.over(wished)
    pod = next(iter(fast.runpod.fleet.ever()))
    assert found.fence_at == pod.created_at + timedelta(hours=15)
    at = found.fence_at.strftime("%Y-%m-%dT%H:%M:%SZ")
    told = await launches.lines(wished)
    assert f"FENCE: terminates_at={at} enforced_by=podkeeper" in told
    assert "WAIT: ssh=20m bootstrap=50m preflight=10m" in told


async def test_i3_without_for_no_fence_is_told(fast: World, tmp_path: Path) -> None:
    launches = Launches(quick(fast, tmp_path))
    wished = await launches.wish()
    assert (await launches.over(wished)).fence_at is None
    assert "FENCE: terminates_at=none enforced_by=none" in await launches.lines(wished)
