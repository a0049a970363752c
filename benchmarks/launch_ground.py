"""The ground on which launches are measured: the whole service's jobs around the two simulators."""

import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import asyncssh

from bot.letters import letters
from bot.service import SWITCH_SECONDS
from gateways.runpod.budget import Budget
from gateways.runpod.client import connected as connected_runpod
from gateways.runpod.shared import SharedListing
from gateways.runpod.status_text import StatusTextWitness
from gateways.runpod.wire import Login
from gateways.slack.client import connected as connected_slack
from gateways.ssh.client import Ssh
from gateways.wall import Wall, clock_of
from jobs.house import House, OnPod
from jobs.outbox.sending import Sender
from jobs.provision.reconciler import Provisions
from jobs.ticker import Job, Ticker
from jobs.triggers import Every
from pods.order import Order, OrderDefaults
from pods.provision.entering import begin
from simulator.clock import WallClock
from simulator.runpod import RunPodSimulator
from simulator.runpod.plan import PodPlan
from simulator.slack import SlackSimulator
from storage import migrations
from storage.database import Database
from storage.keys import new_key
from storage.ledger import Asked, record, wish

IMAGE = "runpod/pytorch:1.0.7-cu1281-torch291-ubuntu2204"
GPU = "NVIDIA A40"
SECOND = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Ground:
    """A house whose outbox and provisions are being worked off."""

    house: House
    runpod: RunPodSimulator
    owner: str

    async def wish(self, name: str) -> str:
        """Somebody wishes for a pod, now. Returns the provision's id."""
        house, now = self.house, self.house.clock.now()
        provision = begin(new_key(), Order(name, (GPU,), image=IMAGE, disk_gb=50), now, house.waits)
        asked = Asked(self.owner, self.owner, "slack")
        await house.db.run(lambda session: wish(session, provision, asked, now))
        house.wakes.wake("provisions")
        return provision.id

    async def ready_at(self, provision_id: str) -> datetime | None:
        """When it was ready. Raises RuntimeError if it came to another end."""
        found = await self.house.db.read(lambda session: record(session, provision_id))
        if found is None or found.outcome is None:
            return None
        if found.outcome != "ready":
            raise RuntimeError(f"{found.name} came to {found.outcome}")
        return found.stage_since


@asynccontextmanager
async def ground(plan: PodPlan, rate: float = 1.0) -> AsyncIterator[Ground]:
    """Default settings, RunPod's own quota, scripts that end at once; time runs `rate` times as fast."""
    sys.setswitchinterval(SWITCH_SECONDS)
    at = time.time()
    pace = f"{at:.6f}:{at:.6f}@{rate:g}"
    clock, simulated = clock_of(pace), WallClock(pace)
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = f"sqlite:///{folder / 'bench.db'}"
        migrations.upgrade(url)
        database = Database(url)
        stack.callback(database.close)
        runpod = await stack.enter_async_context(RunPodSimulator(clock=simulated, plan=plan))
        slack = await stack.enter_async_context(SlackSimulator(clock=simulated))
        house = await _house(stack, clock, database, runpod, slack, folder)
        provisions = Provisions(house)
        jobs = [
            Job("outbox", Every(SECOND), Sender(house, letters(house)).run),
            Job("provisions", Every(SECOND), provisions.run),
        ]
        ticker = Ticker(clock, database, house.wakes, jobs, lambda: True)
        ticker.start()
        try:
            yield Ground(house, runpod, slack.people.alice.id)
        finally:
            await ticker.stop()
            await provisions.drain()


async def _house(
    stack: AsyncExitStack,
    clock: Wall,
    database: Database,
    runpod: RunPodSimulator,
    slack: SlackSimulator,
    folder: Path,
) -> House:
    login, budget = Login(runpod.url, runpod.api_key), Budget(clock)
    key = asyncssh.generate_private_key("ssh-ed25519", comment="podkeeper")
    script = folder / "nothing.sh"
    script.write_text("exit 0\n")
    runpod_client = await stack.enter_async_context(connected_runpod(login, clock, budget))
    slack_client = await stack.enter_async_context(connected_slack(slack.bot_token, slack.api_url))
    return House(
        clock=clock,
        db=database,
        runpod=runpod_client,
        listing=SharedListing(runpod_client, clock, 2 * SECOND),
        witness=StatusTextWitness(login, clock, budget),
        ssh=Ssh(key),
        public_key=key.export_public_key("openssh").decode().strip(),
        slack=slack_client,
        ops_channel=slack.channel("#gpu-ops").id,
        admins=frozenset({slack.people.dana.id}),
        defaults=OrderDefaults(image=IMAGE),
        on_pod=OnPod(bootstrap_script=script, preflight_script=script, account_keys=False),
    )
