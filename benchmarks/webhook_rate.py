"""How many signed, durable events one process takes in a second, on SQLite, over real HTTP.

The server runs in a process of its own; what sends has its requests signed beforehand, over connections that
stay open. The events are signs of life of an agent for a pod that it provisioned. The compared run is the
same server and the same requests, answered with an empty 202.
"""

import asyncio
import gc
import itertools
import json
import multiprocessing
import socket
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection
from pathlib import Path

import uvicorn
from sqlmodel import Session
from standardwebhooks import Webhook
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bot.agents.app import HANDLERS, routes
from bot.agents.door import Door, Rules
from bot.agents.rates import Rates
from bot.agents.secrets import agent_secret
from bot.provision.terms import Terms
from bot.service import SWITCH_SECONDS
from gateways.wall import clock_of
from pods.ceilings import Ceilings
from pods.gpus import GpuType
from pods.order import Order, OrderDefaults
from pods.provision.decision import Policy
from pods.provision.entering import begin
from storage import migrations
from storage.agent import add_agent, confirm_agent
from storage.columns import JsonObject
from storage.database import Database
from storage.keys import new_key
from storage.ledger import Asked, wish
from storage.provision import CreateCallRow
from storage.rows import insert_new

KEY, AGENT, OWNER, POD = bytes(32), "bench", "UBENCH", "p1"
CONNECTIONS, SECONDS, PER_SECOND_AT_MOST = 64, 6, 30_000
"""The run is over when the requests are, on a machine that answers more."""


def run() -> str:
    """`BENCH webhook_rate <events/s>`; target ≥ 1,000."""
    empty, events = _rate("empty"), _rate("events")
    compared = f"{events / empty:.2f} of an empty 202 at {empty:.0f}/s"
    return f"BENCH webhook_rate {events:.0f} events/s ({compared}, target >= 1000)"


def _rate(kind: str) -> float:
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = context.Pipe()
        server = context.Process(target=_serve, args=(kind, folder, theirs), daemon=True)
        server.start()
        try:
            return asyncio.run(_send(ours.recv()))
        finally:
            server.terminate()
            server.join()


def _serve(kind: str, folder: str, ready: Connection) -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    app = (
        _door(Path(folder))
        if kind == "events"
        else Starlette(routes=[Route("/{_:path}", _empty, methods=["POST"])])
    )
    # As `serve` does both.
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.freeze()
    config = uvicorn.Config(
        app, log_config=None, lifespan="off", access_log=False, proxy_headers=False, loop="asyncio"
    )
    ready.send(listening.getsockname()[1])
    uvicorn.Server(config).run(sockets=[listening])


async def _empty(request: Request) -> Response:
    await request.body()
    return Response(status_code=202)


class NothingToRent:
    """A catalogue that nobody here asks for."""

    async def types(self) -> Sequence[GpuType]:
        return ()

    async def data_centers(self) -> Sequence[str]:
        return ()


def _door(folder: Path) -> Starlette:
    url = f"sqlite:///{folder / 'bench.db'}"
    migrations.prepare(url)
    database, clock = Database(url), clock_of("system")

    def settle_in(session: Session) -> None:
        add_agent(session, AGENT, OWNER, OWNER, clock.now())
        confirm_agent(session, AGENT, clock.now())
        begun = begin(new_key(), Order("train", ("NVIDIA A40",)), clock.now(), Policy())
        wish(session, begun, Asked(OWNER, f"agent:{AGENT}", "agent", AGENT), clock.now())
        call = {"token": "t", "started_at": clock.now(), "state": "bound", "pod_id": POD}
        insert_new(session, CreateCallRow, {"provision_id": begun.id, "n": 1, **call})

    database.run_now(settle_in)
    week = timedelta(days=7)
    door = Door(
        database=database,
        clock=clock,
        master_key=KEY,
        rates=Rates(10**9, clock.now),
        rules=Rules(week, week, week, week, 20, "COPS"),
        terms=Terms(OrderDefaults("image"), Ceilings(), Policy(), week),
        catalogue=NothingToRent(),
        audit=_no_audit,
        wake=lambda _: None,
    )
    return Starlette(routes=routes(door), exception_handlers=dict(HANDLERS))


async def _no_audit(_: str | None) -> JsonObject:
    return {}


async def _send(port: int) -> float:
    requests = iter(_signed(SECONDS * PER_SECOND_AT_MOST))
    accepted, begin = itertools.count(), time.perf_counter()
    until = begin + SECONDS

    async def one_connection() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while time.perf_counter() < until and (request := next(requests, None)):
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            if not head.startswith(b"HTTP/1.1 202"):
                raise RuntimeError(f"the server answered {head[:100]!r}")
            next(accepted)
            length = head.lower().split(b"content-length: ")[1].split(b"\r\n")[0]
            await reader.readexactly(int(length))
        writer.close()

    await asyncio.gather(*(one_connection() for _ in range(CONNECTIONS)))
    return next(accepted) / (time.perf_counter() - begin)


def _signed(many: int) -> list[bytes]:
    """Heartbeats, each with an id of its own, as they go over the wire."""
    webhook, now = Webhook(agent_secret(KEY, AGENT, 1)), datetime.now(UTC)
    event = {"type": "run.heartbeat", "timestamp": now.isoformat(), "data": {"pod_id": POD}}
    body = json.dumps(event)
    head = f"POST /agents/{AGENT}/events HTTP/1.1\r\nhost: bench\r\ncontent-length: {len(body)}\r\n"
    stamp = f"webhook-timestamp: {int(now.timestamp())}\r\n"

    def request(webhook_id: str) -> bytes:
        signature = f"webhook-signature: {webhook.sign(webhook_id, now, body)}\r\n"
        return f"{head}webhook-id: {webhook_id}\r\n{stamp}{signature}\r\n{body}".encode()

    return [request(f"m{n}") for n in range(many)]
