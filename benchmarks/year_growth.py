"""How large the database is after a year of two hundred pods, and how much slower an audit on it is.

Every pod is stopped or started about once a week. Polls between two changes only move the bounds of rows that
are there, so a poll each half day stands for all of them; that a poll each minute adds nothing is measured
beside it.
"""

import asyncio
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from random import Random
from statistics import median

from jobs.house import House
from jobs.judgement.judging import judged_now
from jobs.observe.looking import Observer
from jobs.watch import Watcher
from pods.policy import Policy
from pods.provision.outcomes import Outcome
from simulator.runpod.fleet import Fleet
from simulator.runpod.history import rent
from simulator.runpod.refusal import RefusedError
from simulator.runpod.rest import RestApi
from storage import migrations
from storage.database import Database
from tests.ledger import enter
from tests.wireless import ALICE, house_without_sockets
from tests.world import HandClock

PODS, OURS = 200, 60
STEP, STEPS, CHANGES_PER_STEP = timedelta(hours=12), 730, 1 / 14
MINUTE_POLLS, AUDITS = 60, 9
POLICY = Policy(max_gap=timedelta(hours=13))


def run() -> str:
    """One line."""
    with tempfile.TemporaryDirectory() as folder:
        young, old = Path(folder) / "young.db", Path(folder) / "old.db"
        fresh = asyncio.run(_lived(young, 2))
        year = asyncio.run(_lived(old, STEPS))
        size = old.stat().st_size / 1e6
    return (
        f"BENCH year_growth {size:.1f} added_by_{MINUTE_POLLS}_minute_polls_mb={year.added_mb:.3f}"
        f" audit_ratio={year.audit_s / fresh.audit_s:.2f}"
    )


class Lived:
    """What a life left behind."""

    def __init__(self, audit_s: float, added_mb: float) -> None:
        self.audit_s, self.added_mb = audit_s, added_mb


async def _lived(file: Path, steps: int) -> Lived:
    migrations.upgrade(f"sqlite:///{file}")
    database = Database(f"sqlite:///{file}")
    try:
        clock, dice = HandClock(), Random(1)
        fleet = Fleet(clock, 1)
        house = house_without_sockets(clock, database, RestApi(fleet), POLICY)
        fleet.calls.keeps_reads = False
        pods = [await _rented(house, fleet, n) for n in range(PODS)]
        observer = Observer(house)
        for _ in range(steps):
            await _step(house, clock, fleet, observer, pods, dice)
        before = _pages(database)
        for _ in range(MINUTE_POLLS):
            await clock.pass_by(timedelta(minutes=1))
            await observer.run()
            await Watcher(house).judge()
        return Lived(_audit_seconds(house), (_pages(database) - before) / 1e6)
    finally:
        database.close()


async def _rented(house: House, fleet: Fleet, n: int) -> str:
    now = house.clock.now()
    pod = rent(fleet, f"pod{n}", by="console:carol")
    if n < OURS:
        await house.db.run(
            lambda session: enter(session, pod.id, ALICE, now, name=f"pod{n}", outcome=Outcome.READY)
        )
    return pod.id


async def _step(
    house: House, clock: HandClock, fleet: Fleet, observer: Observer, pods: list[str], dice: Random
) -> None:
    for pod_id in pods:
        if dice.random() < CHANGES_PER_STEP:
            _toggle(fleet, pod_id)
    await clock.pass_by(STEP)
    await observer.run()
    await Watcher(house).judge()


def _toggle(fleet: Fleet, pod_id: str) -> None:
    try:
        fleet.stop(pod_id, "console:carol")
    except RefusedError:
        fleet.start(pod_id, "console:carol")


def _audit_seconds(house: House) -> float:
    times = []
    for _ in range(AUDITS):
        began = time.perf_counter()
        house.db.read_now(lambda session: judged_now(session, house))
        times.append(time.perf_counter() - began)
    return median(times)


def _pages(database: Database) -> int:
    """Bytes in use."""

    def counted(pragma: str) -> int:
        return int(
            database.read_now(lambda session: session.connection().exec_driver_sql(pragma).scalar_one())
        )

    return counted("PRAGMA page_count") * counted("PRAGMA page_size")
