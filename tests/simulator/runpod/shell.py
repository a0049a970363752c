"""Logging in to simulated pods, as the tests do."""

import asyncio
from typing import Any

import asyncssh
import psutil

from simulator.runpod import RunPodSimulator
from simulator.runpod.pod import Pod


def public(key: asyncssh.SSHKey) -> str:
    return key.export_public_key().decode().strip()


async def rent(runpod: RunPodSimulator, key: asyncssh.SSHKey, **details: Any) -> Pod:
    pod: Pod = runpod.rent("train", env={"PUBLIC_KEY": public(key), "TASK": "t-1"}, **details)
    await runpod.settle()
    return pod


def login(pod: Pod, key: asyncssh.SSHKey, **options: Any) -> Any:
    port = pod.run.ports[22]
    return asyncssh.connect(
        "127.0.0.1", port, username="root", client_keys=[key], known_hosts=None, config=None, **options
    )


async def said(pod: Pod, key: asyncssh.SSHKey, command: str) -> str:
    async with login(pod, key) as connection:
        done = await connection.run(command, check=True)
        assert isinstance(done.stdout, str)
        return done.stdout.strip()


async def gone(pid: int) -> bool:
    """Whether a process ends within two seconds; one that only waits to be reaped has ended."""
    for _ in range(100):
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        await asyncio.sleep(0.02)
    return False
