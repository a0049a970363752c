"""What can be wrong with the database, each with a sentence that names the setting."""


class DatabaseError(Exception):
    """The database cannot be used; the message says why and what to do."""


class DatabaseUnavailableError(DatabaseError):
    """It cannot be reached or opened, or it broke."""


class DatabaseReadOnlyError(DatabaseError):
    """It can be read but not written."""


class DatabaseOutOfDateError(DatabaseError):
    """Its tables are not those of this version."""


class DatabaseInUseError(DatabaseError):
    """Another `serve` works on it."""


class DatabaseBusyError(DatabaseError):
    """The work did not get its turn in time. Nothing was written."""
