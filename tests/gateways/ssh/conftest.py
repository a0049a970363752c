"""A real SSH server with a real shell and a home of its own."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import asyncssh
import pytest

from gateways.ssh.client import Ssh
from pods.snapshot import SshEndpoint


@dataclass
class Server:
    home: Path
    accepted: asyncssh.SSHKey
    host_key: asyncssh.SSHKey = field(default_factory=lambda: asyncssh.generate_private_key("ssh-ed25519"))
    endpoint: SshEndpoint = field(default_factory=lambda: SshEndpoint("127.0.0.1", 0))
    acceptor: asyncssh.SSHAcceptor | None = None
    runs: set["asyncio.Task[None]"] = field(default_factory=set)
    hang_up: bool = False
    """Break the connection in the middle of a run."""

    async def start(self) -> None:
        authorized = asyncssh.import_authorized_keys(self.accepted.export_public_key().decode())
        self.acceptor = await asyncssh.listen(
            "127.0.0.1",
            self.endpoint.port,
            server_host_keys=[self.host_key],
            authorized_client_keys=authorized,
            process_factory=self.run,
            encoding=None,
        )
        self.endpoint = SshEndpoint("127.0.0.1", self.acceptor.get_port())

    async def restart_with_another_host_key(self) -> None:
        await self.stop()
        self.host_key = asyncssh.generate_private_key("ssh-ed25519")
        await self.start()

    async def stop(self) -> None:
        assert self.acceptor is not None
        self.acceptor.close()
        await self.acceptor.wait_closed()
        if self.runs:
            await asyncio.wait(self.runs)

    async def run(self, process: "asyncssh.SSHServerProcess[bytes]") -> None:
        current = asyncio.current_task()
        assert current is not None
        self.runs.add(current)
        current.add_done_callback(self.runs.discard)
        if self.hang_up:
            process.stdout.write(b"so far")
            await process.stdout.drain()
            process.get_extra_info("connection").abort()
            return
        shell = await asyncio.create_subprocess_exec(
            "/bin/sh",
            "-c",
            process.command or "",
            env={"HOME": str(self.home), "PATH": "/usr/bin:/bin"},
            cwd=self.home,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        serving = asyncio.create_task(serve(process, shell))
        leaving = asyncio.create_task(process.wait_closed())
        await asyncio.wait([serving, leaving], return_when=asyncio.FIRST_COMPLETED)
        if shell.returncode is None:
            shell.kill()
            await shell.wait()
        serving.cancel()
        leaving.cancel()


async def serve(process: "asyncssh.SSHServerProcess[bytes]", shell: asyncio.subprocess.Process) -> None:
    assert shell.stdin is not None
    feeding = asyncio.create_task(feed(process, shell.stdin))
    await asyncio.gather(pass_on(shell.stdout, process.stdout), pass_on(shell.stderr, process.stderr))
    status = await shell.wait()
    feeding.cancel()
    if status < 0:
        process.exit_with_signal("KILL" if status == -9 else "TERM")
    else:
        process.exit(status)


async def feed(process: "asyncssh.SSHServerProcess[bytes]", stdin: asyncio.StreamWriter) -> None:
    while chunk := await process.stdin.read(65536):
        stdin.write(chunk)
    stdin.close()


async def pass_on(source: asyncio.StreamReader | None, target: "asyncssh.SSHWriter[bytes]") -> None:
    assert source is not None
    while chunk := await source.read(65536):
        target.write(chunk)
        await target.drain()


@pytest.fixture
def key() -> asyncssh.SSHKey:
    return asyncssh.generate_private_key("ssh-ed25519")


@pytest.fixture
async def server(tmp_path, key) -> AsyncIterator[Server]:
    server = Server(tmp_path, key)
    await server.start()
    yield server
    await server.stop()


@pytest.fixture
def ssh(key) -> Ssh:
    return Ssh(key, user="root")
