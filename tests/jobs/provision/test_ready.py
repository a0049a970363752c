"""A provision from wish to ready."""

from pathlib import Path

from pods.exit_codes import ExitCode
from pods.line_order import faults_of
from tests.jobs.provision.launching import Launches, exit_code, quick
from tests.world import World


async def test_a_wish_becomes_a_ready_pod(world: World, tmp_path: Path) -> None:
    launches = Launches(quick(world, tmp_path))
    wished = await launches.wish()
    found = await launches.over(wished)
    assert exit_code(found) is ExitCode.OK
    told = await launches.lines(wished)
    assert faults_of(told) == []
    assert [line.split()[0] for line in told] == [
        "PROVISION:",
        "WAIT:",
        "POD:",
        "FENCE:",
        "PREFLIGHT:",
        "BOOTSTRAP-OK",
        "SSH:",
    ]
