"""Fifty people type at once while every call to RunPod takes ten seconds: how long until Slack has its
acknowledgement, against a Bolt handler that does nothing but acknowledge. Both in the same run, in turns; the
first turn, in which everything is loaded, does not count."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from itertools import count
from pathlib import Path
from statistics import median, quantiles

import asyncssh
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp

from bot.metrics import Metrics
from bot.service import Doors, listen, service
from gateways.runpod.budget import Budget
from gateways.runpod.client import connected as connected_runpod
from gateways.runpod.shared import SharedListing
from gateways.runpod.status_text import StatusTextWitness
from gateways.runpod.wire import Login
from gateways.slack.client import connected as connected_slack
from gateways.slack.client import web_client
from gateways.ssh.client import Ssh
from gateways.wall import clock_of
from jobs.house import House
from pods.order import OrderDefaults
from simulator.runpod import RunPodSimulator
from simulator.slack import SlackSimulator
from storage import migrations
from storage.database import Database

PEOPLE, ROUNDS = 50, 8
_NUMBERS = count()


def run() -> str:
    """`BENCH ack_p99 <ms> ms vs bare_bolt <ms> ratio <r>`, and how many came after three seconds."""
    ours, bare = asyncio.run(_measured())
    mine, other = median(map(_p99, ours)), median(map(_p99, bare))
    late = sum(seconds >= 3 for burst in ours for seconds in burst)
    compared = f"vs bare_bolt {other * 1000:.1f} ratio {mine / other:.2f}"
    return f"BENCH ack_p99 {mine * 1000:.1f} ms {compared} late {late}"


async def _measured() -> tuple[list[list[float]], list[list[float]]]:
    ours: list[list[float]] = []
    bare: list[list[float]] = []
    async with _podkeeper() as slack, _bare_bolt() as other:
        for _ in range(ROUNDS):
            ours.append(await _burst(slack))
            bare.append(await _burst(other))
    return ours[1:], bare[1:]


async def _burst(slack: SlackSimulator) -> list[float]:
    """Each of fifty people types once."""
    people = [slack.people.add(f"person{next(_NUMBERS)}") for _ in range(PEOPLE)]
    outcomes = await asyncio.gather(*(person.types("/pod gpus") for person in people))
    assert all(outcome.acknowledged for outcome in outcomes)
    return [outcome.ack_seconds or 0.0 for outcome in outcomes]


def _p99(burst: list[float]) -> float:
    return quantiles(burst, n=100)[98]


@asynccontextmanager
async def _bare_bolt() -> AsyncIterator[SlackSimulator]:
    async with SlackSimulator() as slack:
        app = AsyncApp(client=web_client(slack.bot_token, slack.api_url), signing_secret="unused")

        @app.command("/pod")
        async def acknowledge(ack):  # type: ignore[no-untyped-def]  # Bolt looks at the argument's name
            await ack()

        handler = AsyncSocketModeHandler(app, slack.app_token)
        await handler.connect_async()  # type: ignore[no-untyped-call]  # Bolt's own
        try:
            await slack.connected()
            yield slack
        finally:
            await handler.close_async()  # type: ignore[no-untyped-call]  # Bolt's own


@asynccontextmanager
async def _podkeeper() -> AsyncIterator[SlackSimulator]:
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'podkeeper.db'}"
        migrations.upgrade(url)
        database = Database(url)
        async with SlackSimulator() as slack, RunPodSimulator() as runpod:
            runpod.quirks.account.slow_s = 10
            async with _house(database, slack, runpod) as house:
                doors = Doors(
                    identity=await house.slack.who(),
                    slack_api_url=slack.api_url,
                    app_token=slack.app_token,
                    signing_secret=None,
                    listening=listen("127.0.0.1", 0),
                    master_key=bytes(32),
                )
                async with service(house, doors, Metrics()):
                    await slack.connected()
                    yield slack
        database.close()


@asynccontextmanager
async def _house(database: Database, slack: SlackSimulator, runpod: RunPodSimulator) -> AsyncIterator[House]:
    clock = clock_of("system")
    login, budget = Login(runpod.url, runpod.api_key), Budget(clock)
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with (
        connected_runpod(login, clock, budget) as runpod_client,
        connected_slack(slack.bot_token, slack.api_url) as slack_client,
    ):
        yield House(
            clock=clock,
            db=database,
            runpod=runpod_client,
            listing=SharedListing(runpod_client, clock, timedelta(seconds=2)),
            witness=StatusTextWitness(login, clock, budget),
            ssh=Ssh(key),
            public_key=key.export_public_key("openssh").decode().strip(),
            slack=slack_client,
            ops_channel=slack.channel("#gpu-ops").id,
            admins=frozenset({slack.people.dana.id}),
            defaults=OrderDefaults(image="runpod/pytorch"),
        )
