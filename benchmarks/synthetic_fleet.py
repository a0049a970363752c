"""A database with a large synthetic fleet: pods of ours and of other people, running and stopped."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import insert
from sqlmodel import Session

from jobs.observe.folding import CLOCKS, FLEET, WITNESS, Clocks
from pods.ids import PodId
from pods.listings import Fleet
from pods.witness import TRUSTED
from storage import migrations
from storage.database import Database
from storage.history import HistoryRow
from storage.listing import ListingPass, record_listing, remember
from storage.pod import PodRow
from storage.provision import CreateCallRow, ProvisionRow
from storage.rows import table_of

NOW = datetime(2026, 7, 22, 9, 37, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
OWNERS = 200
AT_ONCE = 10_000


def fleet_database(file: Path, pods: int) -> Database:
    """A migrated SQLite database with so many pods: half of them ours, a third stopped."""
    url = f"sqlite:///{file}"
    migrations.upgrade(url)
    database = Database(url)
    database.run_now(lambda session: _fill(session, pods))
    return database


def exited_hours_ago(n: int) -> int:
    """How long ago the n-th pod stopped, if it did: from none to twenty-nine hours."""
    return n % 30


def is_exited(n: int) -> bool:
    """Every third pod is stopped."""
    return n % 3 == 0


def is_ours(n: int) -> bool:
    """Every second pod is in the ledger."""
    return n % 2 == 0


def _fill(session: Session, pods: int) -> None:
    for start in range(0, pods, AT_ONCE):
        some = range(start, min(start + AT_ONCE, pods))
        _insert(session, PodRow, (_pod(n) for n in some))
        _insert(session, HistoryRow, (_history(n) for n in some))
        ours = [n for n in some if is_ours(n)]
        _insert(session, ProvisionRow, (_provision(n) for n in ours))
        _insert(session, CreateCallRow, (_call(n) for n in ours))
    everything = frozenset(PodId(f"pod{n:08}") for n in range(pods))
    remember(session, FLEET, Fleet(everything, confirmed=True, last_at=NOW), NOW)
    remember(session, CLOCKS, Clocks(doubtful=False, jumped=False), NOW)
    remember(session, WITNESS, TRUSTED, NOW)
    record_listing(session, ListingPass(NOW, NOW, whole=True, complete=True, pods=pods))


def _insert(session: Session, row: type, values: Iterator[dict[str, object]]) -> None:
    if many := list(values):
        session.connection().execute(insert(table_of(row)), many)


def _pod(n: int) -> dict[str, object]:
    return {
        "pod_id": f"pod{n:08}",
        "sight": "seen",
        "phase": "exited" if is_exited(n) else "running",
        "status": "EXITED" if is_exited(n) else "RUNNING",
        "shows_life": not is_exited(n),
        "created_at": NOW - 10 * DAY,
        "started_at": NOW - 10 * DAY,
        "gpu_type": "NVIDIA H100 80GB HBM3",
        "gpu_count": 1,
        "usd_per_hour": 2.39,
        "locked": False,
        "cluster_member": False,
        "actions": [],
        "name": f"work-{n}",
        "listed_at": NOW,
    }


def _history(n: int) -> dict[str, object]:
    exited = is_exited(n)
    since = NOW - exited_hours_ago(n) * HOUR if exited else NOW - 10 * DAY
    return {
        "pod_id": f"pod{n:08}",
        "first_seen_at": NOW - 10 * DAY,
        "at_first_listing": False,
        "last_seen_at": NOW,
        "last_counting_at": NOW,
        "gapless": True,
        "counting": 14_400,
        "has_run": "runtime",
        "has_run_at": NOW - 10 * DAY,
        "started_at": NOW - 10 * DAY,
        "nulls": 0,
        "last_unexited_at": since - MINUTE if exited else NOW,
        "exited_since": since if exited else None,
        "phase": "exited" if exited else "running",
        "since": since,
        "until": NOW,
        "observations": 1_440,
        "longest_gap_s": 61.0,
    }


def _provision(n: int) -> dict[str, object]:
    at = NOW - 10 * DAY
    return {
        "id": f"{n:08}",
        "name": f"work-{n}",
        "owner": f"U{n % OWNERS:08}",
        "asker": f"U{n % OWNERS:08}",
        "door": "slack",
        "created_at": at,
        "run": "{}",
        "stage": "ready",
        "stage_since": at,
        "keep_on_failure": False,
        "pod_id": f"pod{n:08}",
        "outcome": "ready",
        "finished_at": at,
        "reached_at": at,
        "asks": 0,
        "updated_at": at,
        "fencing": 0,
    }


def _call(n: int) -> dict[str, object]:
    at = NOW - 10 * DAY
    return {
        "provision_id": f"{n:08}",
        "n": 1,
        "token": f"token{n}",
        "started_at": at,
        "ended_at": at,
        "state": "bound",
        "pod_id": f"pod{n:08}",
    }
