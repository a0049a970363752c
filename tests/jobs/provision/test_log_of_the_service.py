"""The lines that other programs read stand in the service's own log as well, each once."""

from pathlib import Path

from structlog.testing import capture_logs

from tests.jobs.provision.launching import Launches, quick
from tests.world import World


async def test_every_line_of_a_provision_is_logged_once_and_in_order(world: World, tmp_path: Path) -> None:
    launches = Launches(quick(world, tmp_path))
    with capture_logs() as logged:
        wished = await launches.wish()
        await launches.over(wished)

    told = [str(entry["event"]) for entry in logged if entry.get("provision") == wished]
    assert told == await launches.lines(wished)
