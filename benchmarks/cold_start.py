"""From the start of `podkeeper serve`, on an up-to-date database, to the first command acknowledged.

Its bytecode is there, as after the set-up: what compiles it first does not count.
"""

import asyncio
import compileall
import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import psutil

from simulator.runpod import RunPodSimulator
from simulator.slack import SlackSimulator
from storage import migrations

ROOMS = ("bot", "gateways", "jobs", "pods", "storage")
RUNS = 5
MEGABYTE = 1_000_000


def run() -> str:
    """`BENCH cold_start <seconds> s`, with the memory that the process holds then."""
    for room in ROOMS:
        compileall.compile_dir(room, quiet=1)
    starts = [asyncio.run(_start()) for _ in range(RUNS)]
    seconds, rss = median(start[0] for start in starts), median(start[1] for start in starts)
    return f"BENCH cold_start {seconds:.2f} s rss_mb {rss / MEGABYTE:.0f}"


async def _start() -> tuple[float, int]:
    async with SlackSimulator() as slack, RunPodSimulator() as runpod:
        with tempfile.TemporaryDirectory() as folder:
            settings = _settings(slack, runpod, Path(folder))
            await asyncio.to_thread(migrations.upgrade, settings["DATABASE_URL"])
            began = time.monotonic()
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "bot",
                "serve",
                env={**os.environ, **settings},
                stderr=asyncio.subprocess.DEVNULL,
            )
            try:
                await slack.connected(within=60)
                outcome = await slack.people.alice.types("/pod help")
                seconds = time.monotonic() - began
                assert outcome.acknowledged, outcome
                return seconds, psutil.Process(process.pid).memory_info().rss
            finally:
                process.terminate()
                await process.wait()


def _settings(slack: SlackSimulator, runpod: RunPodSimulator, folder: Path) -> dict[str, str]:
    return {
        "SLACK_API_URL": slack.api_url,
        "SLACK_BOT_TOKEN": slack.bot_token,
        "SLACK_APP_TOKEN": slack.app_token,
        "RUNPOD_API_BASE_URL": runpod.url,
        "RUNPOD_API_KEY": runpod.api_key,
        "DATABASE_URL": f"sqlite:///{folder / 'podkeeper.db'}",
        "PODKEEPER_SECRET_FILE": str(folder / "secret"),
        "PODKEEPER_SSH_KEY": str(folder / "key"),
        "PODKEEPER_HTTP_PORT": "0",
        "PODKEEPER_OPS_CHANNEL": slack.channel("#gpu-ops").id,
        "PODKEEPER_ADMINS": slack.people.dana.id,
    }
