"""`make soak`: random life of an account for as long as SOAK_MINUTES says, each end held against the truth.

A pod-day counts because every pod is observed and judged every five simulated minutes. Writes
`benchmarks/soak.json`. Ends with 1 if an end was wrong, or if less was lived through than the target.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

from storage import migrations
from storage.database import Database
from tests.life import POLL, Life
from tests.living import begin, live

TARGET_POD_DAYS = 1_000_000
TARGET_ENDS = 1_000
PATHS = ("never_ran", "fence", "stale", "owner")
"""The paths of the guard table that this life takes; the others are proved by the executor's own tests."""
POLLS_A_LIFE = 400
RESULT = Path(__file__).with_name("soak.json")


async def one_life(seed: int, ends: Counter[str]) -> float:
    """Lead one account's life; returns its pod-days. Raises AssertionError for a wrong end."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/life.db"
        migrations.upgrade(url)
        database = Database(url)
        try:
            life = Life(database, seed=seed)
            await begin(life)
            await live(life, Random(seed), POLLS_A_LIFE)
        finally:
            database.close()
        ends.update(life.ends)
        return life.pod_days


def main() -> int:
    """Live until the time or the target is reached."""
    minutes, seed = float(os.environ.get("SOAK_MINUTES", "10")), int(os.environ.get("SOAK_SEED", "1"))
    until, began = time.monotonic() + minutes * 60, time.monotonic()
    first, pod_days = seed, 0.0
    ends: Counter[str] = Counter()
    while time.monotonic() < until and not _reached(pod_days, ends):
        pod_days += asyncio.run(one_life(seed, ends))
        seed += 1
    figures = {
        "pod_days": round(pod_days),
        "target_pod_days": TARGET_POD_DAYS,
        "rightful_ends": {path: ends[path] for path in PATHS},
        "target_ends_per_path": TARGET_ENDS,
        "wrongful_ends": 0,
        "poll_s": POLL.total_seconds(),
        "seeds": [first, seed - 1],
        "minutes": round((time.monotonic() - began) / 60, 1),
        "commit": _commit(),
    }
    RESULT.write_text(json.dumps(figures, indent=2) + "\n")
    sys.stdout.write(json.dumps(figures) + "\n")
    if not _reached(pod_days, ends):
        sys.stdout.write("No wrongful end, but short of the target: give it more time with SOAK_MINUTES.\n")
        return 1
    return 0


def _reached(pod_days: float, ends: Counter[str]) -> bool:
    return pod_days >= TARGET_POD_DAYS and all(ends[path] >= TARGET_ENDS for path in PATHS)


def _commit() -> str:
    asked = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    return asked.stdout.strip() or "unknown"


if __name__ == "__main__":
    sys.exit(main())
