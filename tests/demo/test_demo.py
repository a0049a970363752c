"""The demo does the main job for real, and says so when it does not."""

import asyncio
import subprocess
import sys
from datetime import UTC, datetime

import pytest

from bot.demo import tour as steps
from bot.demo.fleet import furnish
from bot.demo.settings import clock_line
from bot.demo.telling import Telling
from bot.demo.town import town
from tests.house.sources import ROOT


@pytest.mark.timeout(240)
def test_the_whole_tour_ends_well() -> None:
    demo = subprocess.run(
        [sys.executable, "-m", "bot", "demo", "--once"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )

    assert demo.returncode == 0, demo.stdout[-3000:] + demo.stderr[-3000:]
    assert "BOOTSTRAP-OK pod=first-run" in demo.stdout
    assert "The teammates' pods are all still there." in demo.stdout


@pytest.mark.timeout(120)
async def test_a_step_that_breaks_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "READY_WITHIN_SECONDS", 5.0)
    async with town(60) as place:
        place.runpod.quirks.pods_named(r"^first-run", ssh="refuses")

        with pytest.raises(AssertionError, match="BOOTSTRAP-OK"):
            await steps.Tour(place, Telling(), furnish(place.runpod)).provision()


async def test_nothing_of_the_demo_is_left_behind() -> None:
    async with town(60) as place:
        folder, bot = place.folder, place.bot

    assert not await asyncio.to_thread(folder.exists)
    assert bot.returncode == 0


@pytest.mark.parametrize("weekday", range(7))
def test_the_demo_starts_in_working_hours_whenever_it_is_run(weekday: int) -> None:
    wall = datetime(2026, 3, 2 + weekday, 3, tzinfo=UTC).timestamp()

    start = datetime.fromtimestamp(float(clock_line(wall, 60).split(":")[1].split("@")[0]), UTC)

    assert (start.hour, start.weekday() < 5) == (13, True)
