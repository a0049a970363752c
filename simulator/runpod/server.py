"""The API on a real socket: aiohttp in front of the plain function, with slow, cut and streamed answers."""

import asyncio
import json
from collections.abc import Awaitable, Callable

from aiohttp import web

from simulator.runpod.http import LogStream, Request, Response
from simulator.runpod.logs import LogLine, log_lines
from simulator.runpod.rest import RestApi

_STREAM_EVERY_S = 0.1


class Server:
    """Serves one `RestApi` on loopback, and whatever `extra` routes it is given."""

    def __init__(
        self, api: RestApi, before: Callable[[], Awaitable[None]], extra: list[web.RouteDef] | None = None
    ) -> None:
        """`before` runs ahead of every answer and after every change."""
        self._api = api
        self._follow = before
        self._extra = extra or []
        self._runner: web.AppRunner | None = None

    async def start(self, host: str, port: int) -> int:
        """Listen; 0 picks a free port. Returns the port."""
        app = web.Application(client_max_size=4 * 1024 * 1024)
        app.add_routes([*self._extra, web.route("*", "/{path:.*}", self._answer)])
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, host, port, reuse_address=True)
        await site.start()
        listening: int = self._runner.addresses[0][1]
        return listening

    async def stop(self) -> None:
        """Refuse connections from now on."""
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def _answer(self, http: web.Request) -> web.StreamResponse:
        request = await _read(http)
        await self._follow()
        answer = self._api.handle(request)
        await self._follow()
        delay = answer.delay_s + self._api.fleet.account.switches.slow_s
        if delay > 0:
            await asyncio.sleep(delay)
        if answer.cut:
            if http.transport is not None:
                http.transport.abort()
            return web.Response(status=500)
        if answer.stream is not None:
            return await self._stream(http, answer, answer.stream)
        return _write(answer)

    async def _stream(self, http: web.Request, answer: Response, stream: LogStream) -> web.StreamResponse:
        response = web.StreamResponse(headers={**answer.headers, "Content-Type": answer.content_type})
        await response.prepare(http)
        sent = -1
        while True:
            now = self._api.fleet.look()
            pod = self._api.fleet.find(stream.pod_id)
            if pod is None:
                return response
            lines = [line for line in log_lines(pod, now) if stream.source in (None, line.source)]
            if sent < 0:
                sent = _skipped(lines, stream)
            for line in lines[sent:]:
                await response.write(_event(line))
            sent = len(lines)
            await asyncio.sleep(_STREAM_EVERY_S)


async def _read(http: web.Request) -> Request:
    text = await http.read()
    body: object = None
    readable = True
    if text:
        try:
            body = json.loads(text)
        except ValueError:
            readable = False
    return Request(
        method=http.method,
        path=http.path,
        query=dict(http.query),
        headers={name.lower(): value for name, value in http.headers.items()},
        body=body,
        readable=readable,
    )


def _write(answer: Response) -> web.Response:
    headers = {**answer.headers, "Content-Type": answer.content_type}
    if answer.text is not None:
        return web.Response(status=answer.status, body=answer.text.encode(), headers=headers)
    if answer.body is None and answer.status == 204:
        return web.Response(status=204, headers=dict(answer.headers))
    return web.Response(status=answer.status, body=json.dumps(answer.body).encode(), headers=headers)


def _skipped(lines: list[LogLine], stream: LogStream) -> int:
    if stream.after is not None:
        return sum(1 for line in lines if line.at <= stream.after)
    return max(0, len(lines) - stream.tail)


def _event(line: LogLine) -> bytes:
    at = line.at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    data = json.dumps({"ts": at, "source": line.source, "line": line.line})
    return f"id: {at}/{line.number:012d}\ndata: {data}\n\n".encode()
