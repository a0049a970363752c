"""How much a pod that never ran costs before the armed watcher ends it, in units of grace times price.

Two hundred proved pods on which nothing ever runs, rented at odd moments over a week so that the default
limits never hold; default settings, a look and a judgement each minute. The bill is the simulator's.
"""

import asyncio
import shutil
import tempfile
from datetime import timedelta
from pathlib import Path
from random import Random

from jobs.executor.running import run as execute
from jobs.house import House
from jobs.observe.looking import Observer
from jobs.watch import Watcher
from pods.policy import Policy
from pods.provision.outcomes import Outcome
from simulator.runpod.fleet import Fleet
from simulator.runpod.history import rent
from simulator.runpod.rest import RestApi
from storage import migrations
from storage.database import Database
from storage.switch import Switch, set_switch
from storage.switches import ARMED_NEVER_RAN
from tests.ledger import enter
from tests.wireless import ALICE, DANA, house_without_sockets
from tests.world import HandClock

CASES, A_DAY = 200, 25
MINUTE = timedelta(minutes=1)
POLICY = Policy()


def run() -> str:
    """One line."""
    folder = Path(tempfile.mkdtemp())
    try:
        url = f"sqlite:///{folder}/leak.db"
        migrations.upgrade(url)
        database = Database(url)
        try:
            return f"BENCH leak_factor {asyncio.run(_mean_factor(database)):.3f}"
        finally:
            database.close()
    finally:
        shutil.rmtree(folder)


async def _mean_factor(database: Database) -> float:
    clock, dice = HandClock(), Random(1)
    fleet = Fleet(clock, 1)
    rent(fleet, "somebodys", by="console:carol")
    house = house_without_sockets(clock, database, RestApi(fleet), POLICY)
    armed = Switch(ARMED_NEVER_RAN, "on", DANA, clock.now())
    await house.db.run(lambda session: set_switch(session, armed))
    observer = Observer(house)
    cases: list[str] = []
    while len(cases) < CASES:
        cases += await _a_day(house, clock, fleet, observer, dice)
        await clock.pass_by(timedelta(days=1))
        await _minutes(house, clock, observer, 2)
    return sum(_factor(fleet, pod_id) for pod_id in cases) / len(cases)


async def _a_day(house: House, clock: HandClock, fleet: Fleet, observer: Observer, dice: Random) -> list[str]:
    cases = []
    for _ in range(A_DAY):
        before = timedelta(seconds=dice.uniform(1, 59))
        await clock.pass_by(before)
        cases.append(await _a_case(house, fleet))
        await clock.pass_by(MINUTE - before)
        await _minutes(house, clock, observer, 2)
    await _minutes(house, clock, observer, 25)
    return cases


async def _a_case(house: House, fleet: Fleet) -> str:
    now = house.clock.now()
    pod = rent(fleet, "stuck", by="api:bot", stuck_in="RUNNING")
    await house.db.run(lambda session: enter(session, pod.id, ALICE, now, name=pod.id, outcome=Outcome.READY))
    return pod.id


async def _minutes(house: House, clock: HandClock, observer: Observer, number: int) -> None:
    for _ in range(number):
        await observer.run()
        await Watcher(house).judge()
        await execute(house)
        await clock.pass_by(MINUTE)


def _factor(fleet: Fleet, pod_id: str) -> float:
    """What it was billed ÷ what the grace alone costs; a pod that still lives counts with what it cost so
    far."""
    truth = fleet.truth(pod_id)
    price = next(pod.price for pod in fleet.ever() if pod.id == pod_id)
    return truth.billed_usd / (price * (POLICY.never_ran_grace / timedelta(hours=1)))
