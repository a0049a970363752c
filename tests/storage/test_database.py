"""A unit of work: all or nothing, in its turn, with our own errors."""

import asyncio
import multiprocessing
import stat
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import StatementError
from sqlmodel import Session, col, select, update

from storage import engine, migrations
from storage.columns import NaiveTimeError
from storage.database import Database
from storage.errors import (
    DatabaseBusyError,
    DatabaseInUseError,
    DatabaseReadOnlyError,
    DatabaseUnavailableError,
)
from storage.switch import SwitchRow

SPAWN = multiprocessing.get_context("spawn")
STEPS = 200


def switch(key: str, value: str, at: datetime) -> Callable[[Session], None]:
    return lambda session: session.add(SwitchRow(key=key, value=value, set_by="U1", set_at=at))


def value_of(key: str) -> Callable[[Session], str | None]:
    return lambda session: session.exec(select(SwitchRow.value).where(SwitchRow.key == key)).one_or_none()


FULL = 2
"""SQLite's number for it (sqlite.org/pragma.html)."""


async def test_work_that_returns_is_committed(database: Database, now: datetime) -> None:
    await database.run(switch("paused", "on", now))

    assert await database.read(value_of("paused")) == "on"


async def test_work_that_raises_leaves_nothing(database: Database, now: datetime) -> None:
    def breaks(session: Session) -> None:
        switch("paused", "on", now)(session)
        session.flush()
        raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        await database.run(breaks)

    assert await database.read(value_of("paused")) is None


async def test_reading_cannot_write(database: Database, now: datetime) -> None:
    with pytest.raises(DatabaseReadOnlyError):
        await database.read(switch("paused", "on", now))


async def test_a_time_comes_back_aware_in_utc_to_the_microsecond(database: Database) -> None:
    west = datetime.fromisoformat("2026-11-30T12:34:56.789012-05:00")
    await database.run(switch("paused", "on", west))

    stored = await database.read(lambda session: session.exec(select(SwitchRow.set_at)).one())

    assert (stored, stored.utcoffset()) == (west, timedelta(0))


async def test_times_sort_as_instants(database: Database) -> None:
    early = datetime(2026, 1, 1, tzinfo=UTC)
    for hours, key in ((1, "b"), (100, "c"), (0, "a")):
        await database.run(switch(key, "on", early + timedelta(hours=hours)))

    def since(session: Session) -> list[str]:
        after = col(SwitchRow.set_at) > early
        return list(session.exec(select(SwitchRow.key).where(after).order_by(col(SwitchRow.set_at))))

    assert await database.read(since) == ["b", "c"]


async def test_a_time_without_a_zone_is_refused(database: Database) -> None:
    with pytest.raises(StatementError) as refusal:
        await database.run(switch("paused", "on", datetime(2026, 11, 30)))  # noqa: DTZ001

    assert isinstance(refusal.value.orig, NaiveTimeError)
    assert await database.read(value_of("paused")) is None


async def test_work_that_does_not_get_its_turn_in_time_is_never_done(
    database: Database, now: datetime
) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(session: Session) -> None:
        switch("slow", "on", now)(session)
        session.flush()
        begun.set()
        go_on.wait()

    blocker = asyncio.create_task(database.run(slow, within=timedelta(milliseconds=20)))
    await asyncio.to_thread(begun.wait)
    with pytest.raises(DatabaseBusyError, match="within"):
        await blocker
    go_on.set()

    await database.run(switch("later", "on", now))
    assert await database.read(value_of("slow")) is None
    assert await database.read(value_of("later")) == "on"


def count_up(url: str) -> None:
    database = Database(url)
    for _ in range(STEPS):
        database.run_now(_increment)
    database.close()


def _increment(session: Session) -> None:
    row = session.exec(select(SwitchRow).where(SwitchRow.key == "n").with_for_update()).one()
    row.value = str(int(row.value) + 1)


async def test_two_processes_that_count_lose_nothing(
    database: Database, migrated_url: str, now: datetime
) -> None:
    await database.run(switch("n", "0", now))

    processes = [SPAWN.Process(target=count_up, args=(migrated_url,)) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()

    assert [process.exitcode for process in processes] == [0, 0]
    assert await database.read(value_of("n")) == str(2 * STEPS)


async def test_two_transactions_in_each_others_way_both_get_done(database: Database, now: datetime) -> None:
    for key in "ab":
        await database.run(switch(key, "", now))
    both_began = threading.Barrier(2)

    def touches(first: str, second: str) -> Callable[[Session], None]:
        def work(session: Session) -> None:
            append(session, first)
            with suppress(threading.BrokenBarrierError):
                both_began.wait(timeout=0.2)
            append(session, second)

        return work

    def append(session: Session, key: str) -> None:
        longer = update(SwitchRow).where(col(SwitchRow.key) == key).values(value=SwitchRow.value + "x")
        session.exec(longer)

    await asyncio.gather(database.run(touches("a", "b")), database.run(touches("b", "a")))

    assert await database.read(value_of("a")) == "xx"
    assert await database.read(value_of("b")) == "xx"


def sqlite(folder: Path) -> str:
    url = f"sqlite:///{folder}/test.db"
    migrations.upgrade(url)
    return url


def hold_the_serve_lock(url: str, ready: object, leave: object) -> None:
    database = Database(url)
    database.lock_for_serve()
    ready.set()  # type: ignore[attr-defined]
    leave.wait()  # type: ignore[attr-defined]


def test_a_second_serve_on_one_sqlite_file_is_refused_until_the_first_is_gone(tmp_path: Path) -> None:
    url = sqlite(tmp_path)
    ready, leave = SPAWN.Event(), SPAWN.Event()
    first = SPAWN.Process(target=hold_the_serve_lock, args=(url, ready, leave))
    first.start()
    ready.wait()
    second = Database(url)

    with pytest.raises(DatabaseInUseError, match=r"serve.*DATABASE_URL"):
        second.lock_for_serve()
    first.kill()
    first.join()
    second.lock_for_serve()

    second.close()


def test_several_may_serve_on_postgresql(postgres_server: object) -> None:
    first, second = Database(str(postgres_server)), Database(str(postgres_server))

    first.lock_for_serve()
    second.lock_for_serve()

    first.close()
    second.close()


def test_a_commit_on_sqlite_is_on_the_disk_before_anybody_hears_of_it(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'test.db'}")
    asked = text("PRAGMA synchronous")

    try:
        assert database.run_now(lambda session: session.connection().execute(asked).scalar()) == FULL
    finally:
        database.close()


def test_other_commands_may_write_beside_a_serve(tmp_path: Path, now: datetime) -> None:
    serving, command = Database(sqlite(tmp_path)), Database(f"sqlite:///{tmp_path}/test.db")
    serving.lock_for_serve()

    command.run_now(switch("paused", "on", now))

    assert serving.read_now(value_of("paused")) == "on"
    command.close()
    serving.close()


def test_a_database_that_cannot_be_written_is_named_with_its_setting(
    database: Database, now: datetime
) -> None:
    read_only = Database(as_read_only(database))

    with pytest.raises(DatabaseReadOnlyError, match="DATABASE_URL"):
        read_only.run_now(switch("paused", "on", now))

    read_only.close()


def as_read_only(database: Database) -> str:
    address = database._address
    if address.get_backend_name() == "sqlite":
        return f"sqlite:///file:{address.database}?mode=ro&uri=true"
    options = {"options": "-c default_transaction_read_only=on"}
    return address.update_query_dict(options).render_as_string(hide_password=False)


def test_an_unreachable_server_is_named_without_its_password() -> None:
    database = Database("postgresql+psycopg://bot:secret@127.0.0.1:1/none")

    with pytest.raises(DatabaseUnavailableError, match=r"127\.0\.0\.1:1.*DATABASE_URL") as refusal:
        database.run_now(value_of("paused"))

    assert "secret" not in str(refusal.value)
    database.close()


@pytest.mark.parametrize("url", ["", "nonsense", "mysql://host/x", "sqlite://", "sqlite:///:memory:"])
def test_an_address_that_cannot_be_used_is_refused_by_name(url: str) -> None:
    with pytest.raises(DatabaseUnavailableError, match="DATABASE_URL"):
        Database(url)


def test_a_database_held_by_another_process_is_busy_not_broken(
    tmp_path: Path, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "BUSY_TIMEOUT_MS", 50)
    holder = Database(sqlite(tmp_path))
    begun, go_on = threading.Event(), threading.Event()

    def hold(session: Session) -> None:
        session.exec(text("SELECT 1"))  # type: ignore[call-overload]
        begun.set()
        go_on.wait()

    thread = threading.Thread(target=holder.run_now, args=(hold,))
    thread.start()
    begun.wait()
    impatient = Database(f"sqlite:///{tmp_path}/test.db")

    with pytest.raises(DatabaseBusyError, match="DATABASE_URL"):
        impatient.run_now(switch("paused", "on", now))

    go_on.set()
    thread.join()
    holder.close()
    impatient.close()


def test_the_database_file_is_for_its_user_alone(tmp_path: Path) -> None:
    sqlite(tmp_path)

    assert stat.S_IMODE((tmp_path / "test.db").stat().st_mode) & 0o077 == 0
