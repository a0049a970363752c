"""Engines for SQLite and PostgreSQL, set up so that the same code is right on both."""

import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from storage.errors import DatabaseUnavailableError

BUSY_TIMEOUT_MS = 5_000
EXAMPLES = "sqlite:///podkeeper.db or postgresql+psycopg://user:password@host/name"


def parsed(url: str) -> URL:
    """The address in DATABASE_URL. Raises DatabaseUnavailableError if it is none that we can use."""
    try:
        address = make_url(url)
    except ArgumentError:
        raise DatabaseUnavailableError(f"DATABASE_URL is not an address like {EXAMPLES}.") from None
    if address.drivername in ("postgresql", "postgres"):
        address = address.set(drivername="postgresql+psycopg")
    if address.drivername not in ("sqlite", "postgresql+psycopg"):
        raise DatabaseUnavailableError(
            f"DATABASE_URL asks for {address.drivername}; use one like {EXAMPLES}."
        )
    if is_sqlite(address) and address.database in (None, "", ":memory:"):
        raise DatabaseUnavailableError("DATABASE_URL names no file; one in memory would forget everything.")
    return address


def is_sqlite(address: URL) -> bool:
    return address.get_backend_name() == "sqlite"


def shown(address: URL) -> str:
    """The address as it may be printed: without the password."""
    return address.render_as_string(hide_password=True)


def writing_engine(address: URL, connections: int = 1) -> Engine:
    """An engine whose transactions may write; on SQLite each takes the write lock when it begins."""
    return _sqlite(address, "BEGIN IMMEDIATE", 1) if is_sqlite(address) else _postgresql(address, connections)


def reading_engine(address: URL, connections: int = 2) -> Engine:
    """An engine whose transactions see one state of the database and write nothing."""
    if is_sqlite(address):
        return _sqlite(address, "BEGIN", connections)
    return _postgresql(address, connections).execution_options(
        isolation_level="REPEATABLE READ", postgresql_readonly=True
    )


def _postgresql(address: URL, connections: int) -> Engine:
    options = " ".join((*address.normalized_query.get("options", ()), "-c timezone=UTC"))
    return create_engine(
        address,
        pool_size=connections,
        max_overflow=0,
        pool_pre_ping=True,
        connect_args={"connect_timeout": 10, "options": options, "application_name": "podkeeper"},
    )


def _sqlite(address: URL, begin: str, connections: int) -> Engine:
    """`begin` is sent by us: by default the driver begins late, and an update that was decided on an old read
    is lost without a word."""
    engine = create_engine(
        address,
        pool_size=connections,
        max_overflow=0,
        connect_args={"isolation_level": None, "timeout": BUSY_TIMEOUT_MS / 1000, "check_same_thread": False},
    )
    reads_only = begin == "BEGIN"

    def on_connect(connection: sqlite3.Connection, _record: Any) -> None:
        connection.execute("PRAGMA foreign_keys = ON")
        # NORMAL would let a power cut take back the intent of a create or a delete that has gone out.
        connection.execute("PRAGMA synchronous = FULL")
        if reads_only:
            connection.execute("PRAGMA query_only = ON")
        else:
            connection.execute("PRAGMA journal_mode = WAL")

    def on_begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    event.listen(engine, "connect", on_connect)
    event.listen(engine, "begin", on_begin)
    return engine


def database_file(address: URL) -> Path:
    """The file of an SQLite database."""
    return Path(str(address.database))
