"""How large the database is after a year of two hundred pods, and how much slower an audit on it is.

Every pod is stopped or started about once a week, five seconds before a poll, so that each start is seen
half way too; the polls of the next minutes follow, judged and heard, and an audit a day; questions are
closed and rows pruned as in service. Then nothing changes until the next half day. Polls of that time only
move the bounds of rows that are there, so they are left out of the year; that an hour of them adds nothing
is measured beside it. Slack takes what is sent. An audit's time is the processor's.
"""

import asyncio
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median

from sqlmodel import Session, col

from jobs.hearing.passing import Hearing
from jobs.house import House
from jobs.judgement.judging import judged_now
from jobs.observe.looking import Observer
from jobs.questions import Questions
from jobs.watch import Watcher
from pods.policy import Policy
from pods.provision.outcomes import Outcome
from simulator.runpod.fleet import Fleet
from simulator.runpod.history import rent
from simulator.runpod.refusal import RefusedError
from simulator.runpod.rest import RestApi
from storage import migrations
from storage.database import Database
from storage.outbox import OutboxRow
from storage.retention import prune
from storage.rows import change
from tests.ledger import enter
from tests.wireless import ALICE, house_without_sockets
from tests.world import HandClock

PODS, OURS = 200, 60
MINUTE, STEP, STEPS, CHANGES_PER_STEP = timedelta(minutes=1), timedelta(hours=12), 730, 1 / 14
BEFORE_A_POLL = timedelta(seconds=5)
POLLS_AFTER, MINUTE_POLLS, AUDITS = 3, 60, 51
NOON = 12
POLICY = Policy(max_gap=timedelta(hours=13))


@dataclass(frozen=True, slots=True)
class Lived:
    """What a life left behind."""

    house: House
    added_mb: float
    """By polls in which nothing changed."""


def run() -> str:
    """One line."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as closing:
        fresh = asyncio.run(_lived(closing, Path(folder) / "fresh.db", 2))
        year = asyncio.run(_lived(closing, Path(folder) / "year.db", STEPS))
        size = (Path(folder) / "year.db").stat().st_size / 1e6
        ratio = _audit_ratio(fresh.house, year.house)
    return (
        f"BENCH year_growth {size:.1f} added_by_{MINUTE_POLLS}_minute_polls_mb={year.added_mb:.3f}"
        f" audit_ratio={ratio:.2f}"
    )


async def _lived(closing: ExitStack, file: Path, steps: int) -> Lived:
    migrations.upgrade(f"sqlite:///{file}")
    database = Database(f"sqlite:///{file}")
    closing.callback(database.close)
    clock, dice = HandClock(), Random(1)
    fleet = Fleet(clock, 1)
    house = house_without_sockets(clock, database, RestApi(fleet), POLICY)
    fleet.calls.keeps_reads = False
    pods = [await _rented(house, fleet, n) for n in range(PODS)]
    observer = Observer(house)
    for _ in range(steps):
        await _step(house, clock, fleet, observer, pods, dice)
    await _poll(house, observer)
    before = _pages(database)
    for _ in range(MINUTE_POLLS):
        await clock.pass_by(MINUTE)
        await _poll(house, observer)
    return Lived(house, (_pages(database) - before) / 1e6)


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
    await clock.pass_by(BEFORE_A_POLL)
    for _ in range(POLLS_AFTER):
        await _poll(house, observer)
        await clock.pass_by(MINUTE)
    await Questions(house).run()
    await house.db.run(lambda session: prune(session, clock.now()))
    await clock.pass_by(STEP - POLLS_AFTER * MINUTE - BEFORE_A_POLL)
    if clock.now().hour >= NOON:
        await Watcher(house).stale_audit()
    await house.db.run(lambda session: _slack_takes_all(session, clock.now()))


async def _poll(house: House, observer: Observer) -> None:
    await observer.run()
    await Watcher(house).judge()
    await Hearing(house).run()


def _slack_takes_all(session: Session, now: datetime) -> None:
    waiting = col(OutboxRow.delivered_at).is_(None)
    change(session, OutboxRow, waiting, delivered_at=now, due_at=None, channel="D1", ts="1.0")


def _toggle(fleet: Fleet, pod_id: str) -> None:
    try:
        fleet.stop(pod_id, "console:carol")
    except RefusedError:
        fleet.start(pod_id, "console:carol")


def _audit_ratio(fresh: House, year: House) -> float:
    """How much longer an audit takes after the year. The two take turns."""
    times = [(_audit_seconds(fresh), _audit_seconds(year)) for _ in range(AUDITS)]
    return median(after for _, after in times) / median(before for before, _ in times)


def _audit_seconds(house: House) -> float:
    began = time.process_time()
    house.db.read_now(lambda session: judged_now(session, house))
    return time.process_time() - began


def _pages(database: Database) -> int:
    """Bytes in use."""

    def counted(pragma: str) -> int:
        return int(
            database.read_now(lambda session: session.connection().exec_driver_sql(pragma).scalar_one())
        )

    return counted("PRAGMA page_count") * counted("PRAGMA page_size")
