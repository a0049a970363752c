"""Public ports on loopback: held from the moment a pod gets them, so that nobody else answers there."""

import contextlib
import socket

HOST = "127.0.0.1"


class PortDesk:
    """Bound sockets by port. A port that is held but not listened on refuses connections."""

    def __init__(self) -> None:
        self._held: dict[int, socket.socket] = {}

    def reserve(self) -> int:
        """Hold a free port."""
        held = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        held.bind((HOST, 0))
        held.setblocking(False)
        port: int = held.getsockname()[1]
        self._held[port] = held
        return port

    def take(self, port: int) -> socket.socket | None:
        """The socket of a held port, to listen on; whoever takes it closes it."""
        return self._held.pop(port, None)

    def keep_only(self, ports: set[int]) -> None:
        """Give back every held port but these."""
        for port in self._held.keys() - ports:
            self._held.pop(port).close()


class BlackHole:
    """A port where connecting only ever times out.

    The socket listens with the shortest backlog, never accepts, and its backlog is filled by connections of
    our own; the kernel (Linux) then drops further SYN packets, as a firewall on the way would.
    """

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        listener.listen(0)
        self._fillers: list[socket.socket] = []
        for _ in range(4):
            filler = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            filler.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                filler.connect(listener.getsockname())
            self._fillers.append(filler)

    async def close(self) -> None:
        """Give the port back."""
        for filler in [*self._fillers, self._listener]:
            filler.close()
