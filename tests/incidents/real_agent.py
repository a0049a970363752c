"""An agent as it lives: `serve` and the client in processes of their own, against the two simulators."""

import asyncio
import os
import re
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from simulator.runpod import RunPodSimulator
from simulator.slack import SlackSimulator
from tests.bot.forked import Forked, forked
from tests.bot.process import HERE, environment

Client = asyncio.subprocess.Process


@dataclass(frozen=True)
class RealAgent:
    """The agent `scout` of Alice's, who has pressed *Yes, mine*."""

    runpod: RunPodSimulator
    slack: SlackSimulator
    folder: Path
    settings: dict[str, str]
    serve: Forked
    secret: str

    async def runs(self, *words: str) -> Client:
        """Start `podkeeper WORDS`."""
        agent = {
            "PODKEEPER_URL": f"http://127.0.0.1:{self.settings['PODKEEPER_HTTP_PORT']}",
            "PODKEEPER_AGENT": "scout",
            "PODKEEPER_AGENT_SECRET": self.secret,
        }
        return await _process(self.folder, agent, *words)

    async def ended(self, *words: str) -> tuple[int, list[str]]:
        """The exit code and the lines of `podkeeper WORDS`."""
        client = await self.runs(*words)
        out, _ = await client.communicate()
        assert client.returncode is not None
        return client.returncode, out.decode().splitlines()


@asynccontextmanager
async def real_agent(folder: Path, *, bootstrap: str, preflight: str) -> AsyncIterator[RealAgent]:
    """A running service whose pods come up within a second or two, with these scripts run on them."""
    async with RunPodSimulator() as runpod, SlackSimulator() as slack:
        runpod.quirks.every_pod(allocation_s=0.5, pull_s=0, start_s=0, ssh_s=0, ports_s=0)
        settings = {
            **environment(slack, runpod, folder),
            "PODKEEPER_HTTP_PORT": str(_free_port()),
            "PODKEEPER_BOOTSTRAP_SCRIPT": str(_script(folder, "bootstrap.sh", bootstrap)),
            "PODKEEPER_PREFLIGHT_SCRIPT": str(_script(folder, "preflight.sh", preflight)),
            "PODKEEPER_PROVISION_POLL": "1s",
        }
        async with forked(settings, folder) as serve:
            await slack.connected(within=120)
            await _answers(serve)
            alice = slack.people.alice
            async with forked(settings, folder, "agent", "add", "scout", "--owner", alice.id) as adding:
                assert await adding.ends() == 0, adding.said
            await alice.clicks("Yes, mine", within=120)
            await alice.sees("is yours", within=120)
            yield RealAgent(runpod, slack, folder, settings, serve, adding.out.read_text().strip())


async def first_line(client: Client) -> str:
    """The key of the provision that the client was told."""
    assert client.stdout is not None
    line = (await client.stdout.readline()).decode()
    found = re.fullmatch(r"PROVISION: id=(\w+) name=\S+\n", line)
    assert found, line
    return found[1]


async def _process(folder: Path, settings: dict[str, str], *words: str) -> Client:
    plain = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        *words,
        cwd=folder,
        env={**plain, "PYTHONPATH": str(HERE), **settings},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def _answers(serve: Forked) -> None:
    while "podkeeper serves" not in serve.said:
        assert serve.process.is_alive(), serve.said
        await asyncio.sleep(0.05)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def _script(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text)
    return file
