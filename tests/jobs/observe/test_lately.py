"""What an observer has in mind saves work and changes nothing: the rows are those without it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from sqlalchemy import select
from sqlmodel import Session, col

from jobs.observe.folding import Clocks, fold
from jobs.observe.lately import Lately, go_on, unchanged
from pods.ids import PodId
from pods.phase import Status
from pods.policy import Policy
from pods.snapshot import Listing, Snapshot, Unreadable
from storage.database import Database
from storage.history import EpisodeRow, HistoryRow, histories
from storage.pod import PodRow, mark_gone, put_status_text
from storage.rows import change, table_of
from tests.storage.test_pods import shown

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
POLL = timedelta(minutes=1)
SOUND = Clocks(doubtful=False, jumped=False)
POLICY = Policy()
PODS = [PodId(f"pod{n}") for n in range(7)]
Rows = list[list[tuple[object, ...]]]


class _RolledBack(Exception):
    """Nothing of it is to stay."""


def some_listings(dice: Random, start: datetime, number: int) -> Iterator[tuple[Listing, Clocks]]:
    """A fleet that mostly shows nothing new; now and then everything that a listing or a clock can be."""
    at, fleet = start, {pod_id: shown(start, pod_id) for pod_id in PODS}
    for n in range(number):
        at += dice.choice([*[1] * 10, 2, 9]) * POLL
        for pod_id in PODS:
            if dice.random() < 0.06:
                fleet[pod_id] = _otherwise(dice, shown(start, pod_id), at)
        if dice.random() < 0.03:
            fleet = {
                pod_id: replace(pod, status=Status.RUNNING, shows_life=False) for pod_id, pod in fleet.items()
            }
        if dice.random() < 0.1:
            fleet[PodId(f"new{n}")] = shown(at, f"new{n}")
        pods: dict[str, Snapshot | Unreadable] = {
            pod_id: pod for pod_id, pod in fleet.items() if dice.random() > 0.01
        }
        if dice.random() < 0.04:
            pods[PODS[0]] = Unreadable(PODS[0], "odd")
        whole = dice.random() > 0.04
        yield Listing(at, pods if whole else {}, whole), Clocks(dice.random() < 0.03, dice.random() < 0.03)


def _otherwise(dice: Random, pod: Snapshot, at: datetime) -> Snapshot:
    return replace(
        pod,
        status=dice.choice([*Status]),
        shows_life=dice.random() < 0.5,
        started_at=dice.choice([None, at, pod.created_at]),
        name=dice.choice(["a", "b"]),
    )


def lived(database: Database, listings: list[tuple[Listing, Clocks]], *, has_in_mind: bool) -> Rows:
    """The rows after each listing. All of it is rolled back."""
    seen: Rows = []

    def live(session: Session) -> None:
        lately = None
        for listing, clocks in listings:
            folded = fold(session, listing, clocks, POLICY, POLL, lately)
            lately = folded.lately if folded and has_in_mind else None
            seen.append(rows(session))
        raise _RolledBack

    with pytest.raises(_RolledBack):
        database.run_now(live)
    return seen


def rows(session: Session) -> list[tuple[object, ...]]:
    tables = [table_of(row) for row in (PodRow, HistoryRow, EpisodeRow)]
    return [
        tuple(row)
        for table in tables
        for row in session.connection().execute(select(table).order_by(*table.primary_key.columns))
    ]


@pytest.mark.parametrize("seed", range(2))
def test_what_is_in_mind_changes_no_row(database: Database, seed: int) -> None:
    listings = [*some_listings(Random(seed), NOW, 40)]

    assert lived(database, listings, has_in_mind=True) == lived(database, listings, has_in_mind=False)


def listed(at: datetime, fleet: Mapping[PodId, Snapshot]) -> Listing:
    pods: dict[str, Snapshot | Unreadable] = dict(fleet.items())
    return Listing(at, pods, whole=True)


def looked(session: Session, start: datetime, times: int, lately: Lately | None = None) -> Lately:
    """The same fleet, listed so often."""
    fleet = {pod_id: shown(start, pod_id) for pod_id in PODS}
    for n in range(1, times + 1):
        folded = fold(session, listed(start + n * POLL, fleet), SOUND, POLICY, POLL, lately)
        assert folded is not None
        lately = folded.lately
    assert lately is not None
    return lately


def test_pods_that_show_nothing_new_are_in_mind(database: Database) -> None:
    lately = database.run_now(lambda session: looked(session, NOW, 3))

    assert lately.steady.keys() == {*PODS}


@pytest.mark.parametrize("what", ["gone", "listed", "history"])
def test_a_row_that_somebody_else_has_changed_sends_all_the_long_way(database: Database, what: str) -> None:
    def goes_on(session: Session) -> tuple[bool, list[tuple[object, ...]], list[tuple[object, ...]]]:
        lately = looked(session, NOW, 3)
        match what:
            case "gone":
                mark_gone(session, [PODS[2]], NOW, "ended by us")
            case "listed":
                change(session, PodRow, col(PodRow.pod_id) == PODS[2], listed_at=NOW)
            case "history":
                change(session, HistoryRow, col(HistoryRow.pod_id) == PODS[2], last_seen_at=NOW)
        before = rows(session)
        at = lately.at + POLL
        same = unchanged(lately, listed(at, lately.steady), {})
        assert same is not None
        return go_on(session, same, at), before, rows(session)

    went_on, before, after = database.run_now(goes_on)

    assert not went_on
    assert before == after


def test_what_another_process_has_seen_since_counts(database: Database) -> None:
    """Two of the two that ran lose their runtime: the witness is out. This process saw seven run."""

    def two_processes(session: Session) -> bool:
        mine = looked(session, NOW, 3)
        five_exited = {
            pod_id: replace(pod, status=Status.EXITED) if pod_id in PODS[2:] else pod
            for pod_id, pod in mine.steady.items()
        }
        two_null = {
            pod_id: pod if pod_id in PODS[2:] else replace(pod, shows_life=False)
            for pod_id, pod in mine.steady.items()
        }
        fold(session, listed(mine.at + POLL, five_exited), SOUND, POLICY, POLL)
        folded = fold(session, listed(mine.at + 2 * POLL, two_null), SOUND, POLICY, POLL, mine)
        assert folded is not None
        return folded.witness.out

    assert database.run_now(two_processes)


def test_a_runtime_that_is_missed_from_now_on_is_something_new(database: Database) -> None:
    """A pod that never showed a runtime is started again, which is a sign that it ran."""

    def nulls(session: Session) -> int:
        lately = looked(session, NOW, 3)
        fleet, silent = lately.steady, replace(shown(NOW, "silent"), ssh=None, shows_life=False)
        never, again = replace(silent, started_at=NOW), replace(silent, started_at=NOW + POLL)
        for pod in (never, never, again, again, again):
            listing = listed(lately.at + POLL, {**fleet, PodId("silent"): pod})
            folded = fold(session, listing, SOUND, POLICY, POLL, lately)
            assert folded is not None
            assert folded.lately is not None
            lately = folded.lately
        return histories(session)[PodId("silent")].nulls

    assert database.run_now(nulls) == 2


def test_a_text_that_says_terminated_is_heard_of_a_pod_that_shows_nothing_new(database: Database) -> None:
    def told(session: Session) -> bool:
        lately = looked(session, NOW, 3)
        stopped = {**lately.steady, PODS[1]: replace(shown(NOW, PODS[1]), status=Status.EXITED)}
        listings = [listed(lately.at + n * POLL, stopped) for n in (1, 2, 3)]
        for listing in listings[:2]:
            folded = fold(session, listing, SOUND, POLICY, POLL, lately)
            assert folded is not None
            assert folded.lately is not None
            lately = folded.lately
        put_status_text(session, PODS[1], "Terminated by user", lately.at)
        folded = fold(session, listings[2], SOUND, POLICY, POLL, lately)
        assert folded is not None
        return PODS[1] in folded.exited

    assert database.run_now(told) is False
