"""The standard input of a process on a pod, fed from an SSH connection."""

import asyncio
import contextlib
import subprocess


class Stdin:
    """Takes what a client sends, no faster than the process reads it.

    Handed a bare pipe, asyncssh feeds it from within asyncio's own call for more, end of file included, and
    asyncio (`_UnixWritePipeTransport._write_ready`) then closes the pipe with its buffer full.
    """

    def __init__(self, pipe: asyncio.StreamWriter) -> None:
        self._pipe = pipe

    @classmethod
    async def of(cls, child: "subprocess.Popen[bytes]") -> "Stdin":
        """The one end of a child's pipe."""
        loop = asyncio.get_running_loop()
        transport, protocol = await loop.connect_write_pipe(
            lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), child.stdin
        )
        return cls(asyncio.StreamWriter(transport, protocol, None, loop))

    async def write(self, content: bytes) -> None:
        """Returns once the process keeps up. A process that has gone wants no more, and nobody is told."""
        self._pipe.write(content)
        with contextlib.suppress(ConnectionError):
            await self._pipe.drain()

    async def close(self) -> None:
        """The end of what there is to read."""
        self._pipe.close()
