"""The sshd of one running pod: a real SSH server with the pod's keys, or one of its recorded oddities."""

import asyncio
import contextlib
import signal
import socket
import subprocess
from collections.abc import Mapping
from functools import lru_cache
from typing import IO, Protocol, cast

import asyncssh

from simulator.runpod.pod import Pod
from simulator.runpod.ports import BlackHole
from simulator.runpod.processes import Processes
from simulator.runpod.stdin import Stdin

_BANNER = b"SSH-2.0-OpenSSH_9.6p1 Ubuntu-3ubuntu13\r\n"


class Listener(Protocol):
    """Whatever answers, or does not, on a pod's SSH port."""

    async def close(self) -> None:
        """Stop answering and cut what is connected."""
        ...


def sshd_runs(pod: Pod) -> bool:
    """Whether the image's start script brings sshd up: it honours PUBLIC_KEY, has one and is not replaced."""
    honours = pod.plan.image_starts_ssh
    if honours is None:
        honours = pod.order.image.startswith("runpod/")
    return honours and not pod.order.args and bool(_keys(pod.order.env))


async def listen(pod: Pod, sock: socket.socket, processes: Processes) -> Listener:
    """Answer on the pod's port as its plan says. A pod without sshd holds its port and refuses."""
    if not sshd_runs(pod) or pod.plan.ssh == "refuses":
        return _Refusing(sock)
    if pod.plan.ssh == "black_hole":
        return BlackHole(sock)
    if pod.plan.ssh in ("silent", "closes_after_banner"):
        return await _Mute.listen(sock, _BANNER if pod.plan.ssh == "closes_after_banner" else None)
    return await Sshd.listen(pod, sock, processes)


class Sshd:
    """A real SSH server for one container."""

    def __init__(self, pod: Pod, processes: Processes) -> None:
        self._allowed = set() if pod.plan.ssh == "rejects_key" else _keys(pod.order.env)
        self._drops_after_s = pod.plan.ssh_drops_after_s
        self._processes = processes
        self._connections: set[asyncssh.SSHServerConnection] = set()
        self._acceptor: asyncssh.SSHAcceptor | None = None
        self._serving: set[asyncio.Task[None]] = set()

    @classmethod
    async def listen(cls, pod: Pod, sock: socket.socket, processes: Processes) -> "Sshd":
        """Start serving on a bound socket."""
        sshd = cls(pod, processes)
        sshd._acceptor = await asyncssh.listen(
            sock=sock,
            server_factory=lambda: _Login(sshd),
            server_host_keys=[host_key(_host_key_name(pod))],
            process_factory=sshd._serve,
            encoding=None,
            login_timeout=30,
            agent_forwarding=False,
        )
        return sshd

    async def close(self) -> None:
        """Stop listening, cut every connection and kill what they run."""
        assert self._acceptor is not None
        self._acceptor.close()
        for connection in list(self._connections):
            connection.abort()
        await asyncio.to_thread(self._processes.kill)
        await asyncio.gather(*self._serving, return_exceptions=True)
        await self._acceptor.wait_closed()

    def opened(self, connection: asyncssh.SSHServerConnection) -> None:
        """A client connected."""
        self._connections.add(connection)
        if self._drops_after_s is not None:
            asyncio.get_running_loop().call_later(self._drops_after_s, connection.abort)

    def closed(self, connection: asyncssh.SSHServerConnection) -> None:
        """A client is gone."""
        self._connections.discard(connection)

    def allows(self, key: asyncssh.SSHKey) -> bool:
        """Whether a key is one of the pod's PUBLIC_KEY lines."""
        return key.public_data in self._allowed

    async def _serve(self, process: "asyncssh.SSHServerProcess[bytes]") -> None:
        task = asyncio.create_task(self._run(process))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)
        await asyncio.wait([task])

    async def _run(self, process: "asyncssh.SSHServerProcess[bytes]") -> None:
        child = self._processes.run(process.command, {"TERM": process.term_type or "dumb"})
        try:
            # Only `write` and `close` are asked of a target, though its type asks for a whole file.
            stdin = cast("IO[bytes]", await Stdin.of(child))
            # Without send_eof=False the end of one stream would cut off what the other still has to say.
            await process.redirect(stdin=stdin, stdout=child.stdout, stderr=child.stderr, send_eof=False)
            await _all_said(process)
            _report(process, await _exit_code(child))
        finally:
            process.close()
            await process.wait_closed()


async def _all_said(process: "asyncssh.SSHServerProcess[bytes]") -> None:
    """Until both streams have ended and are sent, or nobody is there any more to hear them."""
    said = asyncio.create_task(_drained(process))
    left = asyncio.create_task(process.channel.wait_closed())
    try:
        await asyncio.wait({said, left}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for waiting in (said, left):
            waiting.cancel()
        await asyncio.gather(said, left, return_exceptions=True)


async def _drained(process: "asyncssh.SSHServerProcess[bytes]") -> None:
    await process.stdout.drain()
    await process.stderr.drain()


async def _exit_code(child: "subprocess.Popen[bytes]") -> int:
    pause = 0.002
    while (code := child.poll()) is None:
        await asyncio.sleep(pause)
        pause = min(pause * 2, 0.05)
    return code


def _report(process: "asyncssh.SSHServerProcess[bytes]", code: int) -> None:
    if code < 0:
        process.exit_with_signal(signal.Signals(-code).name.removeprefix("SIG"))
    else:
        process.exit(code)


class _Login(asyncssh.SSHServer):
    def __init__(self, sshd: Sshd) -> None:
        self._sshd = sshd
        self._connection: asyncssh.SSHServerConnection | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._connection = conn
        self._sshd.opened(conn)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 (asyncssh's signature)
        if self._connection is not None:
            self._sshd.closed(self._connection)

    def begin_auth(self, username: str) -> bool:  # noqa: ARG002 (asyncssh's signature)
        return True

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:  # noqa: ARG002
        return self._sshd.allows(key)


class _Refusing:
    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock

    async def close(self) -> None:
        self._sock.close()


class _Mute:
    def __init__(self, banner: bytes | None) -> None:
        self._banner = banner
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()

    @classmethod
    async def listen(cls, sock: socket.socket, banner: bytes | None) -> "_Mute":
        mute = cls(banner)
        mute._server = await asyncio.start_server(mute._connected, sock=sock)
        return mute

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        with contextlib.suppress(ConnectionError):
            if self._banner is None:
                await reader.read()
            else:
                writer.write(self._banner)
                await writer.drain()
        writer.close()
        self._writers.discard(writer)

    async def close(self) -> None:
        assert self._server is not None
        self._server.close()
        for writer in list(self._writers):
            writer.transport.abort()
        await self._server.wait_closed()


@lru_cache(maxsize=4096)
def host_key(name: str) -> asyncssh.SSHKey:
    """The SSH host key that goes by a name within this process."""
    return asyncssh.generate_private_key("ssh-ed25519", comment=name)


def _host_key_name(pod: Pod) -> str:
    match pod.plan.host_key:
        case "stays":
            return pod.id
        case "per_disk":
            return f"{pod.id}/{pod.run.disk}"
        case "changes":
            return f"{pod.id}/run-{pod.run.number}"


def _keys(env: Mapping[str, str]) -> set[bytes]:
    text = env.get("SSH_PUBLIC_KEY") or env.get("PUBLIC_KEY") or ""
    found = set()
    for line in text.splitlines():
        with contextlib.suppress(asyncssh.KeyImportError):
            found.add(asyncssh.import_public_key(line.strip()).public_data)
    return found
