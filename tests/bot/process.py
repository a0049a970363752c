"""`podkeeper serve` as users run it: its own process, against the two simulators."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from simulator.runpod import RunPodSimulator
from simulator.slack import SlackSimulator

HERE = Path(__file__).resolve().parents[2]


@dataclass(slots=True)
class Serve:
    """A running `serve`. `said`: what it has written on stderr."""

    process: asyncio.subprocess.Process
    lines: list[str] = field(default_factory=list)

    @property
    def said(self) -> str:
        return "\n".join(self.lines)

    async def ends(self, within: float = 55.0) -> int:
        """The exit status."""
        return await asyncio.wait_for(self.process.wait(), within)

    async def stops(self) -> int:
        """The exit status after SIGTERM."""
        self.process.send_signal(signal.SIGTERM)
        return await self.ends()

    async def listen(self) -> None:
        assert self.process.stderr is not None
        async for line in self.process.stderr:
            self.lines.append(line.decode().rstrip())


def environment(slack: SlackSimulator, runpod: RunPodSimulator, folder: Path) -> dict[str, str]:
    """Settings that are right."""
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


@asynccontextmanager
async def started(settings: Mapping[str, str], folder: Path, command: str = "serve") -> AsyncIterator[Serve]:
    """The process, ended with the block."""
    plain = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        command,
        cwd=folder,
        env={**plain, "PYTHONPATH": str(HERE), **settings},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    serve = Serve(process)
    listening = asyncio.create_task(serve.listen())
    try:
        yield serve
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        await listening
