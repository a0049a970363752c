"""Every stage of a launch x everything that can go wrong there, with the real `serve`, really killed.

The stages are the machine's own, so that a new one is met without anybody thinking of it. Each launch is
disturbed at one stage in one way, and each begins its trouble with a `kill -9`; it has to end ready all the
same, with one pod, on which the bootstrap has run once.
"""

import asyncio
import signal
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlmodel import select

from benchmarks.launch_strikes import CUT, HOW, How, strikes
from pods.line_order import faults_of
from pods.provision.stages import UNDER_WAY, Stage
from simulator.clock import WallClock
from simulator.runpod import RunPodSimulator
from simulator.runpod.plan import PodPlan
from simulator.slack import SlackSimulator
from storage import migrations
from storage.database import Database
from storage.ledger import lines, records
from storage.provision import ProvisionRow
from tests.bot.forked import Forked, forked
from tests.bot.process import environment
from tests.jobs.provision.trial import WORK

RATE = 60.0
TEN_MINUTES, FOUR_MINUTES = 600 / RATE, 240 / RATE
"""Of the service's clock, in real seconds."""
LONGEST_S = 300.0
"""Real seconds after which a launch hangs."""
ORDER = "/pod provision train --gpu 'H100 SXM' --repo https://example.com/team/code --branch issue-7"
CELLS = [(stage, how) for stage in Stage if stage in UNDER_WAY for how in How]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lived:
    """What was lived through. `wrong`: the launches that came to another end, and to which."""

    launches: int
    stages: int
    disturbances: tuple[str, ...]
    kills: int
    wrong: tuple[str, ...]
    minutes: float


def run() -> Lived:
    """Live through every cell."""
    began, kills, wrong = time.monotonic(), 0, []
    for stage, how in CELLS:
        try:
            kills += asyncio.run(_cell(stage, how))
        except (AssertionError, TimeoutError) as error:
            wrong.append(f"{stage} x {how}: {str(error) or 'it hangs'}")
    return Lived(
        launches=len(CELLS),
        stages=len({stage for stage, _ in CELLS}),
        disturbances=tuple(How),
        kills=kills,
        wrong=tuple(wrong),
        minutes=round((time.monotonic() - began) / 60, 1),
    )


@dataclass(frozen=True, slots=True)
class _Ground:
    """One account and one service for one launch."""

    runpod: RunPodSimulator
    slack: SlackSimulator
    database: Database
    settings: dict[str, str]
    folder: Path

    async def outcome(self) -> str | None:
        wanted = select(ProvisionRow.outcome)
        return await self.database.read(lambda session: session.exec(wanted).first())


async def _cell(stage: Stage, how: How) -> int:
    """One launch. Returns how often the service was killed."""
    async with _ground(stage, how) as ground, asyncio.timeout(LONGEST_S):
        kills, ordered = 0, False
        while await ground.outcome() is None:
            async with forked(ground.settings, ground.folder, before=strikes) as serve:
                if not ordered:
                    await ground.slack.connected(within=LONGEST_S)
                    await ground.slack.people.alice.types(ORDER)
                    ordered = True
                await _until_over_or_dead(ground, serve)
                if serve.process.is_alive():
                    break
                assert await serve.ends() == -signal.SIGKILL, serve.said
                kills += 1
            if kills == 1:
                kills += await _aftermath(ground, how)
        await _is_as_ever(ground)
        assert kills, "nothing ever happened to it"
        return kills


async def _until_over_or_dead(ground: _Ground, serve: Forked) -> None:
    while True:
        if not serve.process.is_alive() or await ground.outcome() is not None:
            return
        await asyncio.sleep(0.05)


async def _aftermath(ground: _Ground, how: How) -> int:
    """What happens between the first kill and the next start. Returns how many kills belong to it."""
    match how:
        case How.DOWN:
            await ground.runpod.goes_down()
            async with forked(ground.settings, ground.folder, before=strikes) as serve:
                await asyncio.sleep(TEN_MINUTES)
                await ground.runpod.comes_back()
                await serve.is_killed()
            return 1
        case How.CUT:
            (ground.folder / CUT).touch()
            async with forked(ground.settings, ground.folder, before=strikes) as serve:
                await asyncio.sleep(FOUR_MINUTES)
                await serve.is_killed()
            (ground.folder / CUT).unlink()
            return 1
        case How.BLIND:
            await asyncio.sleep(TEN_MINUTES)
            return 0
        case How.EXCEPTION | How.KILL | How.TWICE | How.LOST:
            return 0


async def _is_as_ever(ground: _Ground) -> None:
    [found] = await ground.database.read(records)
    told = [line for _, line in await ground.database.read(lambda session: lines(session, found.id))]
    assert found.outcome == "ready", f"it came to {found.outcome}"
    assert faults_of(told) == [], "its lines are out of order"
    pods = list(ground.runpod.fleet.ever())
    assert [pod.id for pod in pods] == [found.pod_id], f"it made {len(pods)} pods"
    assert pods[0].ended_at is None, "it lost its pod"
    runs = (ground.runpod.containers.home(pods[0].id) / "runs").read_text()
    assert runs == "run\n", f"the bootstrap ran as often as this tells: {runs!r}"


@asynccontextmanager
async def _ground(stage: Stage, how: How) -> AsyncIterator[_Ground]:
    pace = f"{time.time():.6f}:{time.time():.6f}@{RATE:g}"
    clock = WallClock(pace)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "bootstrap.sh").write_text(WORK)
        (folder / "preflight.sh").write_text("exit 0\n")
        async with RunPodSimulator(clock=clock, plan=PodPlan.instant()) as runpod, SlackSimulator() as slack:
            settings = {
                **environment(slack, runpod, folder),
                "PODKEEPER_CLOCK": pace,
                "PODKEEPER_BOOTSTRAP_SCRIPT": str(folder / "bootstrap.sh"),
                "PODKEEPER_PREFLIGHT_SCRIPT": str(folder / "preflight.sh"),
                HOW: f"{stage} {how}",
            }
            migrations.upgrade(settings["DATABASE_URL"])
            database = Database(settings["DATABASE_URL"])
            try:
                yield _Ground(runpod, slack, database, settings, folder)
            finally:
                database.close()
