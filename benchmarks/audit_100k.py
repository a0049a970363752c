"""How many pods a full audit pass judges in a second, from the database, against Cloud Custodian's dry run.

Ours: facts loaded as columns, judged by all lines of the decision table, planned, and one verdict in a
hundred recorded as changed. Theirs: one of those rules, the stale one, over as many resources that are in
memory already; nothing is loaded and no change recorded. The two take turns, each in a process or a
transaction of its own; medians of three. The memory is what a pass adds to facts that are loaded. Cloud
Custodian comes from its package into an environment of its own; where that cannot be had, the line says so.
"""

import gc
import subprocess
import sys
import tempfile
import time
import tracemalloc
import venv
from pathlib import Path
from statistics import median

from sqlmodel import Session, update

from benchmarks import c7n_dry_run
from benchmarks.synthetic_fleet import NOW, fleet_database
from jobs.judgement.garbage import none_collected
from jobs.judgement.judging import write_changes
from jobs.judgement.loading import Loaded, load
from pods.plan import make_plan
from pods.policy import Policy
from storage.database import Database
from storage.rows import table_of
from storage.verdict import VerdictRow

PODS = 100_000
RUNS = 3
POLICY = Policy()
_PIP = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "c7n")


def run() -> str:
    """One line."""
    with tempfile.TemporaryDirectory() as folder:
        database = fleet_database(Path(folder) / "fleet.db", PODS)
        try:
            database.run_now(_pass)
            python = _custodian(Path(folder) / "c7n")
            ours, theirs = [], []
            for _ in range(RUNS):
                ours.append(_seconds(database))
                if python is not None:
                    theirs.append(_theirs(python)[0])
            memory = database.read_now(_memory_mb)
        finally:
            database.close()
        line = f"BENCH audit_100k {PODS / median(ours):.0f}"
        if python is None:
            return f"{line} (Cloud Custodian's package cannot be had here: not compared)"
        their_memory = _theirs(python, "memory")[1]
        return (
            f"{line} c7n={PODS / median(theirs):.0f} ratio={median(theirs) / median(ours):.2f}"
            f" memory_mb={memory:.1f} c7n_memory_mb={their_memory:.1f}"
            f" memory_ratio={their_memory / memory:.2f}"
        )


def _seconds(database: Database) -> float:
    database.run_now(_change_one_in_a_hundred)
    began = time.perf_counter()
    database.run_now(_pass)
    return time.perf_counter() - began


@none_collected()
def _pass(session: Session) -> int:
    loaded = load(session, NOW, POLICY)
    plan = make_plan(loaded.pods, loaded.pass_, loaded.spent)
    return write_changes(session, plan)


def _change_one_in_a_hundred(session: Session) -> None:
    row = table_of(VerdictRow)
    session.exec(update(row).where(row.c.pod_id.like("%00")).values(reason="starting"))


def _memory_mb(session: Session) -> float:
    """What judging and planning add to the facts, at most."""
    loaded = load(session, NOW, POLICY)
    gc.collect()
    tracemalloc.start()
    _plan(loaded)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def _plan(loaded: Loaded) -> None:
    make_plan(loaded.pods, loaded.pass_, loaded.spent)


def _custodian(folder: Path) -> Path | None:
    """A Python that has Cloud Custodian; None if it cannot be installed."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    installed = subprocess.run([python, *_PIP], capture_output=True, check=False, timeout=300)
    return python if installed.returncode == 0 else None


def _theirs(python: Path, *what: str) -> tuple[float, float]:
    """Seconds and MB of one dry run."""
    script = Path(str(c7n_dry_run.__file__))
    keys = {"AWS_ACCESS_KEY_ID": "none", "AWS_SECRET_ACCESS_KEY": "none", "AWS_DEFAULT_REGION": "us-east-1"}
    ran = subprocess.run(
        [python, script, str(PODS), *what], capture_output=True, text=True, check=True, env=keys
    )
    seconds, memory, _found = ran.stdout.split()
    return float(seconds), float(memory)


if __name__ == "__main__":
    sys.stdout.write(f"{run()}\n")
