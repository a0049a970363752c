"""I4, "OK" over a failed preflight, with the real reconciler against a whole simulated account."""

from pathlib import Path

import pytest

from bot.provision.news import draw_end
from pods.exit_codes import ExitCode
from pods.line_order import faults_of
from storage.columns import JsonObject
from storage.provision_asks import ask_for_retry
from tests.jobs.provision.launching import Launches, exit_code, quick, script
from tests.world import World

STALE = "echo 'error: failed to install torch: Stale file handle (os error 116)'\nexit 0\n"
FAILS = "echo 'CHECK gpus PASS 1 of 1'\necho 'CHECK imports FAIL torch cannot be imported'\nexit 2\n"


@pytest.fixture
def fast(world: World) -> World:
    world.runpod.quirks.every_pod(allocation_s=2, pull_s=2, start_s=1)
    return world


async def test_i4_a_failed_preflight_is_a_failed_provision(fast: World, tmp_path: Path) -> None:
    launches = Launches(quick(fast, tmp_path, preflight=FAILS))
    wished = await launches.wish()
    found = await launches.over(wished)
    assert exit_code(found) is ExitCode.PREFLIGHT_FAILED
    told = await launches.lines(wished)
    assert faults_of(told) == []
    assert "PREFLIGHT: FAIL rc=2" in told
    assert "BOOTSTRAP-FAILED pod=train rc=2" in told
    assert not any(line.startswith("BOOTSTRAP-OK") for line in told)


async def test_i4_the_pod_is_left_alive_for_its_owner(fast: World, tmp_path: Path) -> None:
    launches = Launches(quick(fast, tmp_path, preflight=FAILS))
    wished = await launches.wish()
    await launches.over(wished)
    [pod] = fast.runpod.fleet.ever()
    assert pod.ended_at is None
    assert not fast.runpod.calls.terminates()
    assert (await launches.lines(wished))[-1].startswith("SSH: ssh root@")


async def test_i4_the_end_says_which_check_failed_and_what_cures_a_known_failure(
    fast: World, tmp_path: Path
) -> None:
    launches = Launches(quick(fast, tmp_path, bootstrap=STALE, preflight=FAILS))
    wished = await launches.wish()
    found = await launches.over(wished)
    now = fast.clock.now()
    refs: JsonObject = {"provision": wished, "from": 0, "to": 99, "stage": None, "run": 1}
    drawn = await fast.house.db.read(lambda session: draw_end(session, refs, now))
    assert drawn is not None
    said = "\n".join(str(block) for block in drawn.blocks)
    assert "The check `imports` failed: torch cannot be imported" in said
    assert "errno 116" in said
    assert "--overlay-venv" in said
    assert f"<@{found.asker}>" in said


async def test_i4_retry_runs_the_bootstrap_again_as_a_new_numbered_run(fast: World, tmp_path: Path) -> None:
    world = quick(fast, tmp_path, preflight=FAILS)
    launches = Launches(world)
    wished = await launches.wish()
    failed = await launches.over(wished)
    script(tmp_path, "preflight.sh", "exit 0\n")
    await world.house.db.run(lambda session: ask_for_retry(session, wished, failed.asker, world.clock.now()))
    found = await launches.until(lambda found: found.outcome == "ready", wished)
    assert exit_code(found) is ExitCode.OK
    assert (await launches.lines(wished))[-2] == "BOOTSTRAP-OK pod=train"
    home = world.runpod.containers.home(str(found.pod_id))
    assert sorted(run.name for run in (home / "podkeeper" / wished).iterdir()) == ["1", "2"]
