"""The running service: doors, jobs and the clock that ticks them, around one house."""

import asyncio
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

import uvicorn
from starlette.applications import Starlette

from bot.agents.door import Door, Rules
from bot.agents.rates import Rates
from bot.health import OK, Health
from bot.http import asgi_app
from bot.inbox import Handling
from bot.letters import letters
from bot.metrics import Metrics
from bot.provision.terms import Terms
from bot.slack.door import SlackDoor
from bot.slack.intake import WITHIN, Intake
from bot.slack.listeners import bolt_app
from bot.slack.socket import Socket
from bot.table import Tables
from bot.tables import TABLES
from gateways.slack.protocol import Identity
from jobs.catalogue import Catalogue
from jobs.house import House
from jobs.inbox import Inbox
from jobs.judgement.audit import audit
from jobs.observe.looking import Observer
from jobs.outbox.sending import Nap, Sender
from jobs.provision.reconciler import Provisions
from jobs.schedule import jobs_of
from jobs.ticker import Ticker
from pods.ceilings import Ceilings

ENDS_WITHIN_SECONDS = 8.0
SWITCH_SECONDS = 0.001
"""How long a busy event loop keeps the interpreter from the writer thread, on whose rows acknowledgements
wait. Python's default of 5 ms costs several times that for one INSERT."""
_NO_SOCKET = "Slack is not connected."


@dataclass(frozen=True, slots=True, kw_only=True)
class Doors:
    """What the doors need beside the house."""

    identity: Identity
    slack_api_url: str
    app_token: str | None
    signing_secret: str | None
    listening: socket.socket
    """Where the HTTP server answers."""
    master_key: bytes


@dataclass(frozen=True, slots=True)
class Pace:
    """What the service waits for on the machine's own clock. Slack's patience and its limits set it."""

    take_down_within: timedelta = WITHIN
    """So long an acknowledgement waits for the row."""
    nap: Nap = asyncio.sleep
    """How the sender waits between two messages to a channel."""


REAL = Pace()


@dataclass(slots=True)
class Service:
    """What runs. `url`: where the HTTP server listens."""

    house: House
    inbox: Inbox
    ticker: Ticker
    connection: Socket | None
    url: str


@asynccontextmanager
async def service(
    house: House, doors: Doors, metrics: Metrics, tables: Tables = TABLES, pace: Pace = REAL
) -> AsyncIterator[Service]:
    """Everything runs until the block ends; then what is being done is brought to its end."""
    sys.setswitchinterval(SWITCH_SECONDS)
    handling = Handling(house, tables)
    inbox = Inbox(house, handling.handle, handling.apologise)
    door = SlackDoor(
        Intake(house.db, inbox.begin, pace.take_down_within),
        house.clock,
        {callback_id: form.check for callback_id, form in tables.forms.items()},
        metrics.acknowledged,
    )
    slack = bolt_app(door, doors.slack_api_url, doors.identity, doors.signing_secret or "")
    connection = Socket(slack, doors.app_token) if doors.app_token else None
    health = Health(house, metrics, lambda: _slack_state(connection))
    http = asgi_app(health, _agents_door(house, doors.master_key), slack, doors.signing_secret)
    provisions = Provisions(house)
    ticker = _ticker(house, Sender(house, letters(house), pace.nap), inbox, provisions, metrics)
    async with _serving(http, doors.listening) as url, asyncio.TaskGroup() as tasks:
        connecting = tasks.create_task(connection.run(), name="socket mode") if connection else None
        ticker.start()
        try:
            yield Service(house, inbox, ticker, connection, url)
        finally:
            if connecting is not None:
                connecting.cancel()
            # What does not end in time is cut off; its row is taken up again after the next start.
            with suppress(TimeoutError):
                async with asyncio.timeout(ENDS_WITHIN_SECONDS):
                    await asyncio.gather(ticker.stop(), inbox.drain(), provisions.drain())


def _slack_state(connection: Socket | None) -> str:
    return OK if connection is None or connection.is_up else _NO_SOCKET


def _ticker(house: House, sender: Sender, inbox: Inbox, provisions: Provisions, metrics: Metrics) -> Ticker:
    observer = Observer(house)
    jobs = jobs_of(house, sender, inbox, provisions, observer)
    counted = [metrics.counted(job) for job in jobs]
    return Ticker(house.clock, house.db, house.wakes, counted, lambda: observer.listing_seen)


def _agents_door(house: House, master_key: bytes) -> Door:
    return Door(
        database=house.db,
        clock=house.clock,
        master_key=master_key,
        rates=Rates(house.agent_events_per_minute, house.clock.now),
        rules=Rules(
            keep_max=house.answers.keep_max,
            claim_settle=house.policy.claim_settle,
            approval_expires=house.answers.expires,
            terminate_wait=house.answers.terminate_wait,
            ends_per_day=house.policy.agent_ends_per_day,
            ops_channel=house.ops_channel,
        ),
        terms=Terms(
            house.defaults,
            Ceilings(house.ceilings.account, house.ceilings.per_owner, house.ceilings.confirm_above),
            house.waits,
            house.answers.expires,
        ),
        catalogue=Catalogue(house),
        audit=partial(audit, house),
        wake=house.wakes.wake,
    )


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; port 0: any that is free. Raises OSError if that cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family)


@asynccontextmanager
async def _serving(app: Starlette, listening: socket.socket) -> AsyncIterator[str]:
    """The HTTP server, in this event loop; gives its address."""
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="off",
        proxy_headers=False,
        timeout_graceful_shutdown=5,
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve([listening]), name="http server")
    host, port = listening.getsockname()[:2]
    try:
        yield f"http://{f'[{host}]' if ':' in host else host}:{port}"
    finally:
        server.should_exit = True
        await serving
        listening.close()
