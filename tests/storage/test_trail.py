"""The audit trail: append-only, one chain, and whoever tampers with it is noticed."""

import multiprocessing
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from storage import trail
from storage.database import Database
from storage.trail import Broken, BrokenHead, Event, Ok

SPAWN = multiprocessing.get_context("spawn")
EACH = 40


def event(at: datetime, subject: str = "pod1", **data: int) -> Event:
    return Event(at, "U1", "deed.done", subject, dict(data))


def append(*events: Event) -> Callable[[Session], None]:
    return lambda session: trail.record(session, *events)


def tamper(database: Database, statement: str) -> None:
    """What somebody does who owns the database file: take the guards down first."""

    def work(session: Session) -> None:
        for verb in ("update", "delete"):
            name = f"guard_trail_{verb}"
            on = "" if "sqlite" in str(database) else " ON trail"
            session.connection().exec_driver_sql(f"DROP TRIGGER {name}{on}")
        session.connection().execute(text(statement))

    database.run_now(work)


def test_an_untouched_chain_is_whole(database: Database, now: datetime) -> None:
    for n in range(3):
        database.run_now(append(event(now + timedelta(seconds=n), n=n), event(now, "pod2")))

    verified = database.read_now(trail.verify)

    assert verified == Ok(6, database.read_now(trail.head).head)


def test_an_empty_trail_is_whole(database: Database) -> None:
    assert database.read_now(trail.verify) == Ok(0, trail.GENESIS)


def test_an_event_is_undone_with_the_change_that_it_tells_of(database: Database, now: datetime) -> None:
    def breaks(session: Session) -> None:
        trail.record(session, event(now))
        raise RuntimeError

    with pytest.raises(RuntimeError):
        database.run_now(breaks)

    assert database.read_now(trail.verify) == Ok(0, trail.GENESIS)


@pytest.mark.parametrize("statement", ["UPDATE trail SET actor = 'U2'", "DELETE FROM trail"])
def test_the_database_refuses_to_change_the_trail(database: Database, now: datetime, statement: str) -> None:
    database.run_now(append(event(now)))

    with pytest.raises(DBAPIError, match="append-only"):
        database.run_now(lambda session: session.connection().execute(text(statement)))

    assert database.read_now(trail.verify) == Ok(1, database.read_now(trail.head).head)


@pytest.mark.parametrize(
    "change",
    [
        "actor = 'U2'",
        "kind = 'x'",
        "subject = 'x'",
        "data = '{}'",
        "at = '2026-11-30 12:00:00.000001+00:00'",
        f"prev_hash = '{trail.GENESIS}'",
        f"hash = '{trail.GENESIS}'",
    ],
)
def test_any_changed_column_breaks_the_chain_at_its_row(
    database: Database, now: datetime, change: str
) -> None:
    for n in range(3):
        database.run_now(append(event(now, n=n)))
    tamper(database, f"UPDATE trail SET {change} WHERE seq = 2")

    assert database.read_now(trail.verify) == Broken(2)


def test_a_missing_row_breaks_the_chain_where_it_was(database: Database, now: datetime) -> None:
    for n in range(3):
        database.run_now(append(event(now, n=n)))
    tamper(database, "DELETE FROM trail WHERE seq = 2")

    assert database.read_now(trail.verify) == Broken(2)


def test_a_chain_that_was_cut_off_is_noticed_by_a_head_that_somebody_noted(
    database: Database, now: datetime
) -> None:
    for n in range(3):
        database.run_now(append(event(now, n=n)))
    noted = database.read_now(trail.head).head
    tamper(database, "DELETE FROM trail WHERE seq = 3")

    verified = database.read_now(lambda session: trail.verify(session, noted))

    assert verified == BrokenHead(noted, database.read_now(trail.head).head)


def test_a_head_that_was_noted_earlier_is_found_in_a_longer_chain(database: Database, now: datetime) -> None:
    database.run_now(append(event(now)))
    noted = database.read_now(trail.head).head
    database.run_now(append(event(now)))

    verified = database.read_now(lambda session: trail.verify(session, noted))

    assert verified == Ok(2, database.read_now(trail.head).head)


def test_the_hash_before_the_first_row_is_no_head_of_a_trail_that_has_rows(
    database: Database, now: datetime
) -> None:
    database.run_now(append(event(now)))

    verified = database.read_now(lambda session: trail.verify(session, trail.GENESIS))

    assert verified == BrokenHead(trail.GENESIS, database.read_now(trail.head).head)


def append_many(url: str, now: datetime) -> None:
    database = Database(url)
    for n in range(EACH):
        database.run_now(append(event(now, n=n)))
    database.close()


def test_two_processes_write_one_chain(database: Database, migrated_url: str, now: datetime) -> None:
    processes = [SPAWN.Process(target=append_many, args=(migrated_url, now)) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()

    verified = database.read_now(trail.verify)

    assert [process.exitcode for process in processes] == [0, 0]
    assert verified == Ok(2 * EACH, database.read_now(trail.head).head)


def test_the_order_of_an_events_data_makes_no_difference(now: datetime) -> None:
    assert trail.canonical({"b": 1, "a": [True, None]}) == trail.canonical({"a": [True, None], "b": 1})


def test_what_json_cannot_say_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        trail.canonical({"money": float("nan")})
