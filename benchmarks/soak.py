"""`make soak`: random lives of accounts, each deed, each create call and each hearing held against the truth.

A pod-day counts if every listing of it came a quarter of an hour after the last one and showed the pod, and
it was judged each hour. Two kinds of lives take turns: *busy* ones, in which much is ended in a small fleet
that is judged at every poll, and *calm* ones, large fleets in which little happens. Before them launches are
lived through whose service is really killed (`launch_kills`).

SOAK_MINUTES (75) bounds the time, SOAK_WORKERS (one for each spare core) the processes; SOAK_SEED (1) is the
first seed. Writes `benchmarks/soak.json`. With SOAK_GOES_ON=1 it adds to what that file says, with seeds that
follow on it. Ends with 1 if something was wrong, with the seed that shows it, or if less was lived through
than the target.
"""

import asyncio
import gc
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from random import Random

from structlog.testing import capture_logs

from benchmarks import launch_kills
from pods.guards import Path as GuardPath
from storage import migrations
from storage.database import Database
from tests.life import Life, Pace
from tests.living import Habits, Living, begin

TARGET_POD_DAYS = 1_000_000
TARGET_ENDS = 1_000
PATHS = tuple(GuardPath)
RESULT = Path(__file__).with_name("soak.json")
IN_MEMORY = Path("/dev/shm")
"""Where a life's database is, if the machine has it: nothing of it outlives the run."""
TELL_EVERY_S = 60.0


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of life."""

    name: str
    pace: Pace
    habits: Habits
    polls: int


BUSY = Kind("busy", Pace(judged_every=1), Habits(120, 0.5, wishes=0.5, misfortunes=0.4, faults=0.01), 200)
CALM = Kind(
    "calm", Pace(judged_every=4), Habits(5_000, 0.5, wishes=0.03, misfortunes=0.03, faults=0.001), 1_000
)


@dataclass(slots=True)
class Figures:
    """What was lived through."""

    pod_days: float = 0.0
    lives: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    heard: Counter[str] = field(default_factory=Counter)
    creates: int = 0
    wrong: list[str] = field(default_factory=list)
    seeds: list[int] = field(default_factory=list)
    minutes: float = 0.0
    commits: list[str] = field(default_factory=list)
    launches: dict[str, object] | None = None

    def add(self, other: "Figures") -> None:
        self.pod_days += other.pod_days
        for mine, theirs in ((self.lives, other.lives), (self.ends, other.ends), (self.heard, other.heard)):
            mine.update(theirs)
        self.creates += other.creates
        self.wrong += other.wrong
        self.seeds += other.seeds

    @property
    def enough(self) -> bool:
        return self.pod_days >= TARGET_POD_DAYS and self.enough_ends

    @property
    def enough_ends(self) -> bool:
        return all(self.ends[path] >= TARGET_ENDS for path in PATHS)


def one_life(kind: Kind, seed: int, until: float) -> Figures:
    """Lead one account's life, until `until` (of `time.time`) at most."""
    # A large fleet lives long; to search all of it for garbage at each poll takes a tenth of the time.
    gc.set_threshold(100_000, 50, 1_000)
    parent = IN_MEMORY if IN_MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="soak-", dir=parent) as folder:
        url = f"sqlite:///{folder}/life.db"
        migrations.upgrade(url)
        database = Database(url)
        try:
            with capture_logs() as troubles:
                life = Life(database, seed=seed, pace=kind.pace, troubles=troubles)
                return asyncio.run(_live(life, kind, seed, until))
        finally:
            database.close()


async def _live(life: Life, kind: Kind, seed: int, until: float) -> Figures:
    living = Living(life, Random(seed), kind.habits)
    figures = Figures(lives=Counter({kind.name: 1}), seeds=[seed])
    told_at, began_at = time.monotonic(), time.monotonic()
    try:
        await begin(life)
        while life.polls < kind.polls and time.time() < until:
            await living.poll()
            if time.monotonic() - told_at > TELL_EVERY_S:
                told_at = time.monotonic()
                ends, minutes = living.oracle.ends.total(), (told_at - began_at) / 60
                _say(
                    f"{kind.name} life {seed}: {life.pod_days:,.0f} pod-days, {ends} ends, {minutes:.0f} min"
                )
    except AssertionError as wrong:
        figures.wrong.append(f"seed {seed}, {kind.name}, poll {life.polls}: {wrong}")
    figures.pod_days = life.pod_days
    figures.ends, figures.heard = living.oracle.ends, living.heard.done
    figures.creates = sum(len(made) for made in living.oracle.created.values())
    return figures


def soak(total: Figures, minutes: float, workers: int, first_seed: int) -> None:
    """Lives, several at a time, until the time is over, the target is reached or something was wrong."""
    until = time.time() + minutes * 60
    seeds, waiting = count(first_seed), set[Future[Figures]]()
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        while waiting or not _over(total, until):
            while len(waiting) < workers and not _over(total, until):
                seed = next(seeds)
                waiting.add(pool.submit(one_life, _kind(total, seed), seed, until))
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for life in done:
                total.add(life.result())
                _keep(total)


def _over(total: Figures, until: float) -> bool:
    return time.time() >= until or total.enough or bool(total.wrong)


def _kind(total: Figures, seed: int) -> Kind:
    """Turn about, as long as both are wanted."""
    if total.enough_ends:
        return CALM
    return BUSY if seed % 2 or total.pod_days >= TARGET_POD_DAYS else CALM


def _keep(total: Figures) -> None:
    """A run that is cut off leaves what it had come to."""
    place = Path(tempfile.gettempdir()) / "soak-so-far.json"
    place.write_text(json.dumps(_shown(total), indent=2) + "\n")
    ends = ", ".join(f"{path} {total.ends[path]}" for path in PATHS)
    _say(f"so far {total.pod_days:,.0f} pod-days; {ends} (in {place})")


def _shown(total: Figures) -> dict[str, object]:
    return {
        "pod_days": round(total.pod_days),
        "target_pod_days": TARGET_POD_DAYS,
        "rightful_ends": {path.value: total.ends[path] for path in PATHS},
        "target_ends_per_path": TARGET_ENDS,
        "heard_in_time": dict(sorted((str(what), times) for what, times in total.heard.items())),
        "created_once": total.creates,
        "wrong": total.wrong,
        "target_reached": total.enough and not total.wrong,
        "lives": {kind.name: _described(kind, total) for kind in (BUSY, CALM)},
        "seeds": sorted(total.seeds),
        "minutes": round(total.minutes, 1),
        "commits": total.commits,
        "launches": total.launches,
    }


def _so_far() -> Figures:
    """What an earlier run came to."""
    known = json.loads(RESULT.read_text())
    return Figures(
        pod_days=known["pod_days"],
        lives=Counter({kind: of["lives"] for kind, of in known["lives"].items()}),
        ends=Counter(known["rightful_ends"]),
        heard=Counter(known["heard_in_time"]),
        creates=known["created_once"],
        wrong=known["wrong"],
        seeds=known["seeds"],
        minutes=known["minutes"],
        commits=known["commits"],
        launches=known["launches"],
    )


def _described(kind: Kind, total: Figures) -> dict[str, object]:
    pace = kind.pace
    return {
        "lives": total.lives[kind.name],
        "pods": kind.habits.fleet,
        "poll_s": pace.poll.total_seconds(),
        "judged_every_s": (pace.poll * pace.judged_every).total_seconds(),
        "max_gap_s": pace.policy.max_gap.total_seconds(),
    }


def _commit() -> str:
    asked = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    changed = subprocess.run(["git", "status", "--porcelain"], capture_output=True, text=True, check=False)
    return (asked.stdout.strip() or "unknown") + (" with changes" if changed.stdout.strip() else "")


def _say(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()


def _verdict(total: Figures) -> Iterator[str]:
    for wrong in total.wrong:
        yield f"WRONG: {wrong}"
    if total.pod_days < TARGET_POD_DAYS:
        yield f"Short: {total.pod_days:,.0f} of {TARGET_POD_DAYS:,} pod-days. SOAK_MINUTES gives more."
    for path in PATHS:
        if total.ends[path] < TARGET_ENDS:
            yield f"Short: {total.ends[path]} of {TARGET_ENDS:,} rightful ends by {path}."


def main() -> int:
    """Run it, write the figures, and say what is missing."""
    minutes, first_seed = float(os.environ.get("SOAK_MINUTES", "75")), int(os.environ.get("SOAK_SEED", "1"))
    workers = int(os.environ.get("SOAK_WORKERS", max(1, (os.cpu_count() or 1) - 1)))
    total = _so_far() if os.environ.get("SOAK_GOES_ON") else Figures()
    began_at = time.monotonic()
    if total.launches is None:
        launches = launch_kills.run()
        total.launches = asdict(launches)
        total.wrong += launches.wrong
    soak(total, minutes, workers, max([first_seed - 1, *total.seeds]) + 1)
    total.minutes += (time.monotonic() - began_at) / 60
    total.commits = [*dict.fromkeys([*total.commits, _commit()])]
    RESULT.write_text(json.dumps(_shown(total), indent=2) + "\n")
    sys.stdout.write(json.dumps(_shown(total)) + "\n")
    missing = [*_verdict(total)]
    sys.stdout.writelines(f"{sentence}\n" for sentence in missing)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
