"""A migrated database for each test, on both engines."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from storage import migrations
from storage.database import Database

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.fixture
def now() -> datetime:
    return NOW


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    migrations.upgrade(database_url)
    database = Database(database_url)
    yield database
    database.close()
