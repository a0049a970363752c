"""One `serve` for each SQLite file. The lock goes with the process, however it ends."""

import fcntl
from dataclasses import dataclass
from typing import IO

from sqlalchemy import URL

from storage.engine import database_file
from storage.errors import DatabaseInUseError, DatabaseUnavailableError


@dataclass(frozen=True, slots=True)
class ServeLock:
    """Held from `take` to `release`, on a file beside the database that is never removed."""

    file: IO[str]

    @classmethod
    def take(cls, address: URL) -> "ServeLock":
        """Raises DatabaseInUseError if another process holds it."""
        database = database_file(address).resolve()
        beside = database.with_name(f"{database.name}-serve")
        try:
            file = beside.open("a")
        except OSError as error:
            raise DatabaseUnavailableError(
                f"Cannot write beside the database {database}: {error.strerror}. Look at DATABASE_URL."
            ) from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            raise DatabaseInUseError(
                f"Another `podkeeper serve` works on {database} already. Stop it first, or name another "
                "database in DATABASE_URL; for several at once use PostgreSQL."
            ) from None
        return cls(file)

    def release(self) -> None:
        self.file.close()
