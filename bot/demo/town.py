"""The demo's world: two simulators in this process, and the real bot in one of its own, as users run it."""

import asyncio
import os
import shutil
import signal
import sys
import tempfile
import time
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.demo.settings import clock_line, environment
from simulator.clock import WallClock
from simulator.runpod import RunPodSimulator
from simulator.slack import SlackSimulator

CONNECTS_WITHIN_SECONDS = 30.0
STOPS_WITHIN_SECONDS = 20.0


class DemoFailed(Exception):
    """Something in the demo did not happen as it has to; the message says what."""


@dataclass(frozen=True, slots=True)
class Town:
    """Everything that the demo plays with."""

    runpod: RunPodSimulator
    slack: SlackSimulator
    bot: Process
    folder: Path
    log: Path
    """What the bot's process writes."""
    speed: float

    @property
    def page(self) -> str:
        """Where the visitor goes on by hand, as any of the people."""
        return self.slack.base_url


@asynccontextmanager
async def town(speed: float, port: int = 0) -> AsyncIterator[Town]:
    """The world until the block ends; then no process and no file of it is left.

    Raises:
        DemoFailed: nothing can listen on the page's port, or the bot did not connect to the simulated Slack.
    """
    folder = Path(tempfile.mkdtemp(prefix="podkeeper-demo-"))
    line = clock_line(time.time(), speed)
    clock = WallClock(line)
    try:
        async with RunPodSimulator(clock=clock) as runpod, _workspace(clock, port) as slack:
            repo = await repository(folder / "project")
            log = folder / "bot.log"
            bot = await _bot(line, runpod, slack, folder, log, repo)
            try:
                await _connected(slack, bot, log)
                yield Town(runpod, slack, bot, folder, log, speed)
            finally:
                await _end(bot)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@asynccontextmanager
async def _workspace(clock: WallClock, port: int) -> AsyncIterator[SlackSimulator]:
    slack = SlackSimulator(clock=clock, port=port)
    try:
        try:
            await slack.start()
        except OSError as error:
            why = os.strerror(error.errno) if error.errno else error
            raise DemoFailed(f"the page cannot be on port {port} ({why}); give another --port") from error
        yield slack
    finally:
        await slack.stop()


async def _bot(
    clock: str, runpod: RunPodSimulator, slack: SlackSimulator, folder: Path, log: Path, repo: str
) -> Process:
    settings = environment(
        os.environ,
        folder,
        clock=clock,
        slack={
            "SLACK_API_URL": slack.api_url,
            "SLACK_BOT_TOKEN": slack.bot_token,
            "SLACK_APP_TOKEN": slack.app_token,
        },
        runpod={"RUNPOD_API_BASE_URL": runpod.url, "RUNPOD_API_KEY": runpod.api_key},
        ops_channel=slack.channel("#gpu-ops").id,
        admin=slack.people.dana.id,
        repo=repo,
    )
    with log.open("wb") as output:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "bot", "serve"),
            env=settings | {"PYTHONPATH": os.pathsep.join(sys.path)},
            cwd=folder,
            stdin=DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )


async def _connected(slack: SlackSimulator, bot: Process, log: Path) -> None:
    connecting = asyncio.ensure_future(slack.connected(within=CONNECTS_WITHIN_SECONDS))
    ended = asyncio.ensure_future(bot.wait())
    done, pending = await asyncio.wait({connecting, ended}, return_when=asyncio.FIRST_COMPLETED)
    for task in pending:
        task.cancel()
    await asyncio.gather(*pending, return_exceptions=True)
    if connecting not in done or connecting.exception() is not None:
        raise DemoFailed(f"the bot did not connect to the simulated Slack:\n{last_words(log)}")


def last_words(log: Path, lines: int = 15) -> str:
    """The end of what the bot's process wrote."""
    return "\n".join(log.read_text(errors="replace").splitlines()[-lines:])


async def _end(bot: Process) -> None:
    """Ask the bot to stop, as a service manager does; nothing is left of it either way."""
    if bot.returncode is None:
        bot.send_signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(bot.wait(), STOPS_WITHIN_SECONDS)
        except TimeoutError:
            os.killpg(bot.pid, signal.SIGKILL)
            await bot.wait()


async def repository(folder: Path) -> str:
    """A small git repository for pods to check out; returns its address."""
    await asyncio.to_thread(_first_file, folder)
    identity = ("-c", "user.name=demo", "-c", "user.email=demo@example.com")
    for words in (
        ("init", "--quiet", "--initial-branch", "main"),
        ("add", "."),
        (*identity, "commit", "--quiet", "--message", "Begin"),
        ("branch", "experiment"),
    ):
        git = await asyncio.create_subprocess_exec("git", *words, cwd=folder, stdout=DEVNULL)
        if await git.wait() != 0:
            raise DemoFailed(f"git {words[0]} failed; the demo needs git")
    return f"file://{folder}"


def _first_file(folder: Path) -> None:
    folder.mkdir()
    (folder / "README.md").write_text("A project of the demo.\n")
