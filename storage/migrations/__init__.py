"""Bringing a database up to date, from within the program."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError

from storage.engine import database_file, is_sqlite, parsed, shown, writing_engine
from storage.errors import DatabaseOutOfDateError, DatabaseUnavailableError
from storage.faults import translated
from storage.migrations import guards

if TYPE_CHECKING:
    from alembic.config import Config

T = TypeVar("T")

HEAD = "0003"
VERSION_TABLE = "alembic_version"
UPGRADE_LOCK = 7_065_001


def prepare(url: str) -> None:
    """Create a new database; leave one that is up to date alone.

    Raises DatabaseOutOfDateError for any other: upgrading is a person's decision.
    """
    version = version_of(url)
    if version is None:
        upgrade(url)
    elif version != HEAD:
        raise DatabaseOutOfDateError(
            f"The database {shown(parsed(url))} (DATABASE_URL) is at version {version}, this Podkeeper "
            f"needs {HEAD}. Run `podkeeper db upgrade`, with the newest Podkeeper that has worked on it."
        )


def is_current(url: str) -> bool:
    """Whether the tables are those of this version. Raises DatabaseUnavailableError."""
    return version_of(url) == HEAD


def version_of(url: str) -> str | None:
    """The version of the tables, or None for a new database. Raises DatabaseUnavailableError."""
    address = parsed(url)
    if is_sqlite(address) and not database_file(address).exists():
        return None
    return _connected(url, _version)


def upgrade(url: str) -> None:
    """Bring the database up to date, all of it or nothing. Raises DatabaseUnavailableError or
    DatabaseOutOfDateError for one that a newer Podkeeper has worked on."""
    from alembic import command
    from alembic.util import CommandError

    if is_sqlite(parsed(url)):
        _new_file(database_file(parsed(url)))

    def work(connection: Connection) -> None:
        if not is_sqlite(parsed(url)):
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": UPGRADE_LOCK})
        command.upgrade(configuration(connection), "head")
        guards.put_up(connection)

    try:
        _connected(url, work)
    except CommandError as error:
        raise DatabaseOutOfDateError(f"The database {shown(parsed(url))} (DATABASE_URL): {error}.") from error


def _new_file(file: Path) -> None:
    """For its user alone: people's orders and words will be in it."""
    try:
        file.touch(mode=0o600)
    except OSError as error:
        raise DatabaseUnavailableError(
            f"The database file {file} cannot be made: {error.strerror}. Look at DATABASE_URL."
        ) from error


def configuration(connection: Connection) -> "Config":
    """What Alembic needs to work on this connection. Imported late: only an upgrade needs it."""
    from alembic.config import Config

    config = Config(stdout=sys.stdout)  # Its default is whatever that was when Alembic was imported.
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def _connected(url: str, work: Callable[[Connection], T]) -> T:
    address = parsed(url)
    engine = writing_engine(address)
    try:
        with engine.begin() as connection:
            return work(connection)
    except DBAPIError as error:
        raise translated(error, shown(address)) from error
    finally:
        engine.dispose()


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    return connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()
