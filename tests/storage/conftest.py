"""A migrated database for each test, on both engines: copied from one that was migrated once."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import URL

from storage import migrations
from storage.database import Database
from tests.postgres import fresh_database

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.fixture
def now() -> datetime:
    return NOW


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("migrated") / "template.db"
    migrations.upgrade(f"sqlite:///{file}")
    return file


@pytest.fixture(scope="session")
def migrated_template(postgres_server: URL) -> Iterator[str]:
    with fresh_database(postgres_server) as url:
        migrations.upgrade(url.render_as_string(hide_password=False))
        yield str(url.database)


@pytest.fixture
def sqlite_url(migrated_file: Path, tmp_path: Path) -> str:
    """A database of this version in a file of its own."""
    return f"sqlite:///{shutil.copyfile(migrated_file, tmp_path / 'test.db')}"


@pytest.fixture
def postgres_url(postgres_server: URL, migrated_template: str) -> Iterator[str]:
    """A database of this version on the server."""
    with fresh_database(postgres_server, migrated_template) as url:
        yield url.render_as_string(hide_password=False)


@pytest.fixture(params=["sqlite_url", "postgres_url"], ids=["sqlite", "postgresql"])
def migrated_url(request: pytest.FixtureRequest) -> str:
    """The address of a database of this version, for this test alone, once on each engine."""
    return str(request.getfixturevalue(request.param))


@pytest.fixture
def postgres_database(postgres_url: str) -> Iterator[Database]:
    database = Database(postgres_url)
    yield database
    database.close()


@pytest.fixture
def database(migrated_url: str) -> Iterator[Database]:
    database = Database(migrated_url)
    yield database
    database.close()
