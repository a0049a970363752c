"""A small world for tests: a clock set by hand, the two simulators, a database, a house that joins them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import asyncssh
import yaml

from gateways.runpod.budget import Budget
from gateways.runpod.client import connected as connected_runpod
from gateways.runpod.shared import SharedListing
from gateways.runpod.status_text import StatusTextWitness
from gateways.runpod.wire import Login
from gateways.slack.client import connected as connected_slack
from gateways.ssh.client import Ssh
from jobs.house import House
from pods.order import OrderDefaults
from simulator.runpod import RunPodSimulator
from simulator.slack import SlackSimulator
from simulator.slack.manifest import Manifest
from simulator.slack.settings import Settings as SlackSettings
from storage.database import Database

MONDAY_NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
MANIFEST = Manifest.parse(
    yaml.safe_load((Path(__file__).parents[1] / "manifest.yml").read_text(encoding="utf-8"))
)
"""What the bot may do is what its manifest asks for."""
PATIENT = SlackSettings(ack_within=60, trigger_life=60, quiet=0.02)
"""A Slack that waits for a busy machine."""
IMAGE = "runpod/pytorch:1.0.7-cu1281-torch291-ubuntu2204"


@dataclass(slots=True)
class HandClock:
    """Stands still until it is moved. Whoever waits on it wakes when it is moved far enough."""

    moment: datetime = MONDAY_NOON
    rate: float = 1.0
    settings_seen: int = 0
    _moved: asyncio.Condition = field(default_factory=asyncio.Condition)
    _elapsed: timedelta = timedelta(0)

    def now(self) -> datetime:
        return self.moment

    def monotonic(self) -> float:
        """The monotonic clock that goes with it: a time that passed is no jump."""
        return self._elapsed.total_seconds()

    def seconds_until(self, moment: datetime) -> float:
        return max((moment - self.moment).total_seconds(), 0.0)

    async def sleep_until(self, moment: datetime) -> None:
        async with self._moved:
            await self._moved.wait_for(lambda: self.moment >= moment)

    async def pass_by(self, time: timedelta) -> None:
        """Let time pass."""
        self._elapsed += time
        await self._set(self.moment + time)

    async def jump(self, time: timedelta) -> None:
        """Set the clock otherwise than time passes."""
        self.settings_seen += 1
        await self._set(self.moment + time)

    async def _set(self, moment: datetime) -> None:
        async with self._moved:
            self.moment = moment
            self._moved.notify_all()


@dataclass(frozen=True, slots=True)
class World:
    """What a test plays with."""

    clock: HandClock
    runpod: RunPodSimulator
    slack: SlackSimulator
    house: House
    served: bool = True
    """The simulators can be reached over sockets, and the pods are SSH servers."""

    async def passes(self, time: timedelta) -> None:
        """Let time pass, and the pods' SSH servers, if there are any, follow."""
        await self.clock.pass_by(time)
        if self.served:
            await self.runpod.settle()

    def with_settings(self, **changes: object) -> "World":
        """The same world with other values in its house."""
        return replace(self, house=replace(self.house, **changes))  # type: ignore[arg-type]


@asynccontextmanager
async def world_of(database: Database, clock: HandClock | None = None) -> AsyncIterator[World]:
    """A world around this database: #gpu-ops is the ops channel, dana the admin."""
    clock = clock or HandClock()
    async with (
        RunPodSimulator(clock=clock) as runpod,
        SlackSimulator(clock=clock, manifest=MANIFEST, settings=PATIENT) as slack,
        house_in(clock, database, runpod, slack) as house,
    ):
        yield World(clock, runpod, slack, house)


@asynccontextmanager
async def house_in(
    clock: HandClock, database: Database, runpod: RunPodSimulator, slack: SlackSimulator
) -> AsyncIterator[House]:
    """One more replica of the service in the same world."""
    login = Login(runpod.url, runpod.api_key)
    budget = Budget(clock, per_minute=100_000, burst=100_000)
    key = asyncssh.generate_private_key("ssh-ed25519", comment="podkeeper")
    async with (
        connected_runpod(login, clock, budget) as runpod_client,
        connected_slack(slack.bot_token, slack.api_url) as slack_client,
    ):
        yield House(
            clock=clock,
            monotonic=clock.monotonic,
            db=database,
            runpod=runpod_client,
            listing=SharedListing(runpod_client, clock, timedelta(seconds=2)),
            witness=StatusTextWitness(login, clock, budget),
            ssh=Ssh(key),
            public_key=key.export_public_key("openssh").decode().strip(),
            slack=slack_client,
            ops_channel=slack.channel("#gpu-ops").id,
            admins=frozenset({slack.people.dana.id}),
            defaults=OrderDefaults(image=IMAGE),
        )
