"""A script that our own machine cannot send: told at once, with the reason, while a pod waits and bills."""

from datetime import timedelta
from pathlib import Path

import pytest

from pods.exit_codes import ExitCode
from pods.line_order import faults_of
from storage.run_log import tail
from tests.jobs.provision.launching import Launches, exit_code, quick
from tests.world import World

SOON = timedelta(minutes=6)


@pytest.fixture
def engine_name() -> str:
    """What is stored is proved elsewhere; here the files are what matters."""
    return "sqlite"


@pytest.fixture
def launches(world: World, tmp_path: Path) -> Launches:
    world.runpod.quirks.every_pod(allocation_s=1, pull_s=1, start_s=1)
    return Launches(quick(world, tmp_path))


async def test_a_missing_bootstrap_script_fails_the_launch_at_once(
    launches: Launches, tmp_path: Path
) -> None:
    (tmp_path / "bootstrap.sh").unlink()
    wished = await launches.wish()
    found = await launches.over(wished, within=SOON)
    told = await launches.lines(wished)
    assert exit_code(found) is ExitCode.BOOTSTRAP_FAILED
    assert "BOOTSTRAP-FAILED pod=train rc=127" in told
    assert faults_of(told) == []


async def test_a_missing_preflight_script_fails_the_launch_at_once(
    launches: Launches, tmp_path: Path
) -> None:
    (tmp_path / "preflight.sh").unlink()
    wished = await launches.wish()
    found = await launches.over(wished, within=SOON)
    assert exit_code(found) is ExitCode.PREFLIGHT_FAILED
    assert "PREFLIGHT: FAIL rc=127" in await launches.lines(wished)


async def test_a_script_that_is_no_text_fails_the_launch_at_once(launches: Launches, tmp_path: Path) -> None:
    (tmp_path / "bootstrap.sh").write_bytes(b"echo \xff\xfe\n")
    wished = await launches.wish()
    await launches.over(wished, within=SOON)
    assert "BOOTSTRAP-FAILED pod=train rc=126" in await launches.lines(wished)


async def test_the_log_of_a_run_without_script_names_the_file(launches: Launches, tmp_path: Path) -> None:
    (tmp_path / "bootstrap.sh").unlink()
    wished = await launches.wish()
    await launches.over(wished, within=SOON)
    known = await launches.world.house.db.read(lambda session: tail(session, wished, 1, "bootstrap"))
    assert known is not None
    assert str(tmp_path / "bootstrap.sh") in known.text
