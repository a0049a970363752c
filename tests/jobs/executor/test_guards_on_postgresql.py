"""The guard table on PostgreSQL: each of its needs and columns closes some path there too.

The whole table is in `test_guards`, on SQLite.
"""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from sqlmodel import Session

from pods.guards import EVERYWHERE, GUARDS, Need, Path
from simulator.runpod.pod import Pod
from storage.database import Database
from storage.deed import DeedState
from storage.keep import Keep, give_keep
from storage.switches import ARMED_NEVER_RAN, PAUSED
from tests.jobs.executor.conftest import Desk
from tests.jobs.executor.paths import Situation, Step, shut, write
from tests.wireless import world_without_sockets
from tests.world import World


def _turns(key: str, value: str) -> Step:
    return lambda desk, _: desk.turns(key, value)


@write
def _is_kept(session: Session, desk: Desk, pod: Pod) -> None:
    now = desk.world.clock.now()
    assert give_keep(session, Keep("k", pod.id, desk.alice, "person", now, now + timedelta(hours=1)))


def _taken_in_turn(number: int, need: Need) -> Path:
    """A path that has the need: another one for each, so that all paths come up."""
    having = [path for path in Path if need in EVERYWHERE | GUARDS[path].needs]
    return having[number % len(having)]


NEEDS = [(_taken_in_turn(number, need), need) for number, need in enumerate(Need)]
COLUMNS = [
    (Path.FENCE, _is_kept, {}, "kept"),
    (Path.NEVER_RAN, _turns(ARMED_NEVER_RAN, "off"), {}, "disarmed"),
    (Path.STOP, _turns(PAUSED, "on"), {}, "paused"),
    (Path.AGENT, None, {"agent_ends_per_day": 0}, "over_limit"),
]


@pytest.fixture
def engine_name() -> str:
    return "postgresql"


@pytest.fixture
async def world(database: Database) -> AsyncIterator[World]:
    """How RunPod's answers come in makes no difference to the guards."""
    async with world_without_sockets(database) as made:
        yield made


def test_every_path_of_the_table_is_among_them() -> None:
    assert {path for path, _ in NEEDS} | {path for path, *_ in COLUMNS} == set(Path)


async def test_with_every_guard_open_a_path_acts_once(desk: Desk) -> None:
    _, _, calls = await Situation(desk, Path.STALE).acts()

    assert calls == 1


@pytest.mark.parametrize(("path", "need"), NEEDS)
async def test_each_need_alone_keeps_a_path_from_acting(desk: Desk, path: Path, need: Need) -> None:
    pod, deed, calls = await shut(desk, path, need).acts()

    assert (deed.state, calls) == (DeedState.REFUSED, 0)
    assert await desk.guard_that_refused(pod) == need


@pytest.mark.parametrize(("path", "after", "policy", "guard"), COLUMNS)
async def test_each_other_column_keeps_a_path_from_acting(
    desk: Desk, path: Path, after: Step | None, policy: dict[str, int], guard: str
) -> None:
    pod, deed, calls = await Situation(desk, path, policy=policy, after=after).acts()

    assert (deed.state, calls) == (DeedState.REFUSED, 0)
    assert await desk.guard_that_refused(pod) == guard
