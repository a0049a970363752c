"""Socket Mode: WebSocket connections, each envelope to one of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from aiohttp import WSMsgType, web

from simulator.slack.changes import Changes
from simulator.slack.delivery.transport import Envelope, Result
from simulator.slack.jsontypes import Json, JsonObject, object_at, parse, text_at

ACCEPTS_ANSWER = {"slash_commands", "interactive"}


@dataclass(eq=False)
class Connection:
    """One WebSocket. `refreshing` once the app was told to come again: nothing more goes out on it."""

    socket: web.WebSocketResponse
    request: web.Request
    refreshing: bool = False


@dataclass
class SocketHub:
    """All connections of the app."""

    changes: Changes
    app_id: str
    acknowledged: Callable[[str], None]
    name: str = "socket"
    connections: list[Connection] = field(default_factory=list)
    _pending: dict[str, asyncio.Future[JsonObject]] = field(default_factory=dict)
    _tickets: set[str] = field(default_factory=set)
    _turn: int = 0
    _issued: int = 0

    def issue_ticket(self) -> str:
        self._issued += 1
        ticket = f"ticket-{self._issued}"
        self._tickets.add(ticket)
        return ticket

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """The app's WebSocket, until it closes. A ticket is good for one connection."""
        ticket = request.query.get("ticket", "")
        if ticket not in self._tickets:
            return web.Response(status=404, text="unknown ticket")
        self._tickets.discard(ticket)
        socket = web.WebSocketResponse(autoping=True)
        await socket.prepare(request)
        connection = Connection(socket, request)
        self.connections.append(connection)
        await socket.send_json(self._hello())
        self.changes.happened()
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    self._received(message.data)
        finally:
            self.connections.remove(connection)
            self.changes.happened()
        return socket

    def _hello(self) -> JsonObject:
        return {
            "type": "hello",
            "num_connections": len(self.connections),
            "connection_info": {"app_id": self.app_id},
            "debug_info": {"host": "simulated", "build_number": 1, "approximate_connection_time": 18060},
        }

    def _received(self, data: str) -> None:
        try:
            frame: Json = parse(data)
        except ValueError:
            return
        if not isinstance(frame, dict):
            return
        ident = text_at(frame, "envelope_id")
        self.acknowledged(ident)
        pending = self._pending.get(ident)
        if pending is not None and not pending.done():
            pending.set_result(object_at(frame, "payload"))

    async def deliver(self, envelope: Envelope, within: float) -> Result:
        """Sends to the next connection in turn; real Slack promises no pattern."""
        open_ones = [each for each in self.connections if not each.refreshing and not each.socket.closed]
        if not open_ones:
            return Result("no_connection")
        self._turn += 1
        connection = open_ones[self._turn % len(open_ones)]
        waiting = self._pending.setdefault(envelope.id, asyncio.get_running_loop().create_future())
        try:
            await connection.socket.send_json(_frame(envelope))
        except ConnectionError:
            return Result("connection_failed")
        await asyncio.wait({waiting}, timeout=within)
        self._pending.pop(envelope.id, None)
        return Result("acknowledged", waiting.result()) if waiting.done() else Result("timeout")

    async def cut(self) -> None:
        """Aborts every TCP connection, without a closing handshake."""
        for connection in list(self.connections):
            connection.refreshing = True
            if connection.request.transport is not None:
                connection.request.transport.abort()
        await self.changes.wait_for(lambda: not any(each.refreshing for each in self.connections), 2)

    async def refresh(self) -> None:
        """Announces the end of every connection, as Slack does every few hours."""
        for connection in list(self.connections):
            connection.refreshing = True
            await connection.socket.send_json(
                {"type": "disconnect", "reason": "refresh_requested", "debug_info": {"host": "simulated"}}
            )

    async def close(self) -> None:
        for connection in list(self.connections):
            await connection.socket.close()


def _frame(envelope: Envelope) -> JsonObject:
    frame: JsonObject = {
        "envelope_id": envelope.id,
        "type": envelope.kind,
        "payload": envelope.payload,
        "accepts_response_payload": envelope.kind in ACCEPTS_ANSWER,
    }
    if envelope.kind == "events_api":
        frame |= {"retry_attempt": envelope.retry_attempt, "retry_reason": envelope.retry_reason}
    return frame
