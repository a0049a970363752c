"""What an error of a database driver means to us."""

import sqlite3

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from storage.errors import DatabaseBusyError, DatabaseReadOnlyError, DatabaseUnavailableError

BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
BROKEN = {
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_PERM,
}
PRIMARY = 0xFF
READ_ONLY_SQL_TRANSACTION = "25006"
"""PostgreSQL's SQLSTATE. Its driver is not imported here: most installations never need it."""
IN_EACH_OTHERS_WAY = {"40001", "40P01"}
"""`serialization_failure` and `deadlock_detected`."""
UNREACHABLE = (OperationalError, InterfaceError)


def translated(error: DBAPIError, address: str) -> Exception:
    """Our own error if the database is at fault, else the error as it is: a broken rule of the tables is for
    whoever broke it."""
    original = error.orig
    match original:
        case sqlite3.Error() if _code(original) in BUSY:
            return DatabaseBusyError(
                f"Another process holds the database {address} (DATABASE_URL). Try again."
            )
        case sqlite3.Error() if _code(original) == sqlite3.SQLITE_READONLY:
            return _read_only(address)
        case _ if getattr(original, "sqlstate", None) == READ_ONLY_SQL_TRANSACTION:
            return _read_only(address)
        case sqlite3.Error() if _code(original) in BROKEN:
            return _unavailable(address, original)
        case _ if not isinstance(original, sqlite3.Error) and isinstance(error, UNREACHABLE):
            return _unavailable(address, original or error)
        case _:
            return error


def is_worth_repeating(error: DBAPIError) -> bool:
    """PostgreSQL undid the transaction because it and another one were in each other's way."""
    return getattr(error.orig, "sqlstate", None) in IN_EACH_OTHERS_WAY


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & PRIMARY


def _read_only(address: str) -> DatabaseReadOnlyError:
    return DatabaseReadOnlyError(
        f"The database {address} can be read but not written. Make it writable for the user who runs "
        "Podkeeper, or name another one in DATABASE_URL."
    )


def _unavailable(address: str, why: BaseException) -> DatabaseUnavailableError:
    reason = " ".join(str(why).split())
    return DatabaseUnavailableError(f"The database {address} cannot be used: {reason}. Look at DATABASE_URL.")
