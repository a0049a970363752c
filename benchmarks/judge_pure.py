"""How many verdicts the pure core gives in a second, on one core, over facts that are in memory."""

import gc
import tempfile
import time
from pathlib import Path
from statistics import median

from benchmarks.synthetic_fleet import NOW, fleet_database
from jobs.judgement.loading import load
from pods.judge import judge
from pods.policy import Policy

PODS, RUNS = 20_000, 7


def run() -> str:
    """One line."""
    with tempfile.TemporaryDirectory() as folder:
        database = fleet_database(Path(folder) / "fleet.db", PODS)
        try:
            loaded = database.read_now(lambda session: load(session, NOW, Policy()))
        finally:
            database.close()
    gc.disable()
    try:
        times = []
        for _ in range(RUNS):
            began = time.perf_counter()
            for pod in loaded.pods:
                judge(pod, loaded.pass_)
            times.append(time.perf_counter() - began)
    finally:
        gc.enable()
    return f"BENCH judge_pure {PODS / median(times):.0f}"
