"""Logging in to a pod and running something short on it, by asyncssh.

Each call is a connection of its own. Nothing of the user's own SSH set-up (config, agent, known hosts)
takes part.
"""

import asyncio
import shlex
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import asyncssh

from gateways.ssh.results import (
    Banner,
    ConnectionFailed,
    HostKeyChanged,
    KeyRejected,
    LoggedIn,
    Login,
    NoLogin,
    PortRefused,
    PortTimedOut,
    PortUnreachable,
    Probe,
    Ran,
)
from pods.snapshot import SshEndpoint

CONNECT_SECONDS = 10.0
BANNER_SECONDS = 5.0
MOST_OUTPUT = 256 * 1024
_CLOSE_SECONDS = 2.0
_CIPHERS = "^aes128-gcm@openssh.com"
"""Wished for first: OpenSSL does it whole; ChaCha20-Poly1305 is put together in Python, packet by packet."""
_LONGEST_BANNER = 255
_SIGNALS = {"HUP": 1, "INT": 2, "QUIT": 3, "ILL": 4, "ABRT": 6, "FPE": 8, "KILL": 9, "SEGV": 11, "PIPE": 13}
_SIGNALS |= {"ALRM": 14, "TERM": 15}
_NOBODY: tuple[list[str], list[str], list[str]] = ([], [], [])
"""No known hosts at all: asyncssh takes an empty text to mean the user's own file."""


async def probe(endpoint: SshEndpoint, *, seconds: float = BANNER_SECONDS) -> Probe:
    """Connects and reads the server's banner, without logging in."""
    try:
        async with asyncio.timeout(seconds):
            reader, writer = await asyncio.open_connection(endpoint.host, endpoint.port)
            try:
                return await _read_banner(reader)
            finally:
                writer.close()
    except ConnectionRefusedError:
        return PortRefused()
    except TimeoutError:
        return PortTimedOut()
    except OSError as why:
        return PortUnreachable(_words(why))


async def _read_banner(reader: asyncio.StreamReader) -> Probe:
    """RFC 4253: the server may say other lines before the one that begins with "SSH-"."""
    try:
        while line := await reader.readline():
            if line.startswith(b"SSH-"):
                printable = line.decode("ascii", "replace").strip()[:_LONGEST_BANNER]
                return Banner("".join(c if c.isprintable() else "?" for c in printable))
    except ValueError:
        return PortUnreachable("what answers there is no SSH server")
    return PortUnreachable("the connection was closed before an SSH server named itself")


@dataclass(frozen=True, slots=True)
class Ssh:
    """Pods, opened with the service's key."""

    key: asyncssh.SSHKey
    user: str = "root"
    connect_seconds: float = CONNECT_SECONDS

    async def login(self, endpoint: SshEndpoint, *, pinned: str | None) -> Login:
        """Whether our key opens this server. `pinned`: its host key as seen before."""
        async with self._connection(endpoint, pinned) as connection:
            match connection:
                case _Open(host_key=host_key):
                    return LoggedIn(host_key)
                case failure:
                    return failure

    async def run(
        self,
        endpoint: SshEndpoint,
        script: str,
        *,
        pinned: str | None,
        seconds: float,
        stdin: bytes | None = None,
        most_output: int = MOST_OUTPUT,
    ) -> Ran | NoLogin:
        """Runs `script` in the login shell of the pod, for at most `seconds`; output is kept up to
        `most_output` bytes per stream."""
        async with self._connection(endpoint, pinned) as connection:
            match connection:
                case _Open(ssh=ssh, host_key=host_key):
                    return await _run(ssh, host_key, script, seconds, stdin, most_output)
                case failure:
                    return failure

    async def upload(
        self, endpoint: SshEndpoint, path: str, content: bytes, *, pinned: str | None, seconds: float = 30.0
    ) -> Ran | NoLogin:
        """Writes a small file of mode 600, making its folder. It appears whole or not at all; a relative
        path is below the user's home."""
        final, part = shlex.quote(path), shlex.quote(f"{path}.part")
        script = (
            f'umask 077 && mkdir -p -- "$(dirname -- {final})" && cat > {part} '
            f'&& [ "$(wc -c < {part})" -eq {len(content)} ] && mv -f -- {part} {final}'
        )
        return await self.run(endpoint, script, pinned=pinned, seconds=seconds, stdin=content)

    @asynccontextmanager
    async def _connection(
        self, endpoint: SshEndpoint, pinned: str | None
    ) -> "AsyncIterator[_Open | NoLogin]":
        """A connection, or why there is none. What breaks after the login is for the body to tell."""
        host_key = _HostKey(pinned)
        opened = await self._connect(endpoint, host_key)
        if not isinstance(opened, asyncssh.SSHClientConnection):
            yield opened
            return
        try:
            yield _Open(opened, host_key.seen or "")
        finally:
            await _close(opened)

    async def _connect(
        self, endpoint: SshEndpoint, host_key: "_HostKey"
    ) -> asyncssh.SSHClientConnection | NoLogin:
        try:
            async with asyncio.timeout(self.connect_seconds):
                return await asyncssh.connect(
                    endpoint.host,
                    endpoint.port,
                    username=self.user,
                    client_keys=[self.key],
                    client_factory=lambda: host_key,
                    known_hosts=_NOBODY,
                    config=None,
                    agent_path=None,
                    preferred_auth="publickey",
                    encryption_algs=_CIPHERS,
                    keepalive_interval=5,
                    keepalive_count_max=3,
                )
        except asyncssh.HostKeyNotVerifiable as why:
            return HostKeyChanged(host_key.seen) if host_key.seen else ConnectionFailed(_words(why))
        except asyncssh.PermissionDenied:
            return KeyRejected(host_key.seen)
        except ConnectionRefusedError as why:
            return ConnectionFailed(_words(why), refused=True)
        except TimeoutError:
            return ConnectionFailed(f"no answer within {self.connect_seconds:g} s", timed_out=True)
        except (OSError, asyncssh.Error) as why:
            return ConnectionFailed(_words(why))


@dataclass(frozen=True, slots=True)
class _Open:
    ssh: asyncssh.SSHClientConnection
    host_key: str


@dataclass(slots=True)
class _HostKey(asyncssh.SSHClient):
    """Takes the pinned host key only; without one it takes, and notes, the first that it sees."""

    pinned: str | None
    seen: str | None = field(default=None)

    def validate_host_public_key(self, _host: str, _addr: str, _port: int, key: asyncssh.SSHKey) -> bool:
        self.seen = key.export_public_key("openssh").decode("ascii").strip()
        return self.pinned is None or self.pinned.split()[:2] == self.seen.split()[:2]


async def _close(connection: asyncssh.SSHClientConnection) -> None:
    """A peer that no longer answers is not waited for."""
    connection.close()
    try:
        async with asyncio.timeout(_CLOSE_SECONDS):
            await connection.wait_closed()
    except TimeoutError:
        connection.abort()


async def _run(
    ssh: asyncssh.SSHClientConnection,
    host_key: str,
    script: str,
    seconds: float,
    stdin: bytes | None,
    most_output: int,
) -> Ran:
    out, err = _Kept(most_output), _Kept(most_output)
    process: asyncssh.SSHClientProcess[bytes] | None = None
    try:
        async with asyncio.timeout(seconds):
            process = await ssh.create_process(
                script, encoding=None, stdin=asyncssh.DEVNULL if stdin is None else asyncssh.PIPE
            )
            if stdin is not None:
                process.stdin.write(stdin)
                process.stdin.write_eof()
            await asyncio.gather(out.fill(process.stdout), err.fill(process.stderr))
            await process.wait_closed()
    except (TimeoutError, OSError, asyncssh.Error):
        pass
    status = None if process is None else _exit_status(process)
    return Ran(status, out.text(), err.text(), host_key, cut=out.cut or err.cut)


def _exit_status(process: "asyncssh.SSHClientProcess[bytes]") -> int | None:
    if process.exit_signal is not None:
        number = _SIGNALS.get(process.exit_signal[0])
        return None if number is None else 128 + number
    return process.exit_status


@dataclass(slots=True)
class _Kept:
    """The first bytes of a stream; the rest is read and dropped, so that the script is never held up."""

    most: int
    data: bytearray = field(default_factory=bytearray)
    cut: bool = False

    async def fill(self, stream: "asyncssh.SSHReader[bytes]") -> None:
        while chunk := await stream.read(64 * 1024):
            self.cut = self.cut or len(self.data) + len(chunk) > self.most
            self.data += chunk[: self.most - len(self.data)]

    def text(self) -> str:
        return self.data.decode("utf-8", "replace")


def _words(why: Exception) -> str:
    return str(why) or type(why).__name__
