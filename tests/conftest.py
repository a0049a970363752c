"""What every test may ask for: a database of its own on either engine, and the shared material."""

import os
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from pathlib import Path
from unittest import mock

import pytest
import stamina
import structlog
from hypothesis import settings
from sqlalchemy import URL

from storage import migrations
from storage.database import Database
from tests.emptied import as_new_postgresql, as_new_sqlite, quiet
from tests.machine import missing
from tests.postgres import ServerUnavailableError, fresh_database, running_server, server_from_environment
from tests.world import World, world_of

SETTINGS = ("PODKEEPER_", "RUNPOD_", "SLACK_", "DATABASE_URL")
Clean = Callable[[], None]
SHARED = Path(__file__).resolve().parents[2] / "shared"

structlog.configure(
    processors=[
        structlog.processors.format_exc_info,
        structlog.processors.KeyValueRenderer(key_order=["event"]),
    ]
)

settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture(autouse=True)
def environment_of_its_own() -> Iterator[None]:
    """No setting of the machine's reaches a test, and none that a test makes outlives it."""
    with mock.patch.dict(os.environ):
        for name in [name for name in os.environ if name.startswith(SETTINGS)]:
            del os.environ[name]
        yield


@pytest.fixture(autouse=True)
def no_pauses_between_retries() -> Iterator[None]:
    """What is tried again within one call is tried at once."""
    with stamina.set_testing(True, attempts=3, cap=True):
        yield


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder `../shared` beside the repository: design, contract, the provider's own API document."""
    if not SHARED.is_dir():
        missing(f"there is no folder {SHARED.name} beside the repository", "REQUIRE_SHARED")
    return SHARED


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[URL]:
    """One PostgreSQL server for the whole run (of this worker), or that of TEST_POSTGRES_URL."""
    given = server_from_environment()
    if given:
        yield given
        return
    try:
        with running_server() as started:
            yield started
    except ServerUnavailableError as reason:
        missing(str(reason), "REQUIRE_POSTGRES")


@pytest.fixture(params=["sqlite", "postgresql"])
def engine_name(request: pytest.FixtureRequest) -> str:
    """The engine that the test runs on: whatever stores is tested on both."""
    return str(request.param)


@pytest.fixture
def database_url(engine_name: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty database for this test alone."""
    if engine_name == "sqlite":
        yield f"sqlite:///{tmp_path / 'test.db'}"
        return
    with fresh_database(request.getfixturevalue("postgres_server")) as url:
        yield url.render_as_string(hide_password=False)


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated database that nobody writes to: the file to copy."""
    file = tmp_path_factory.mktemp("migrated") / "template.db"
    migrations.upgrade(f"sqlite:///{file}")
    return file


@pytest.fixture(scope="session")
def migrated_postgresql(postgres_server: URL) -> Iterator[str]:
    """A migrated database that nobody writes to: the name to copy from."""
    with fresh_database(postgres_server) as url:
        migrations.upgrade(url.render_as_string(hide_password=False))
        yield str(url.database)


@pytest.fixture
def migrated_database_url(engine_name: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a migrated database for this test alone: a copy, for migrating anew is slow."""
    if engine_name == "sqlite":
        yield f"sqlite:///{shutil.copy(request.getfixturevalue('migrated_sqlite'), tmp_path / 'test.db')}"
        return
    template = request.getfixturevalue("migrated_postgresql")
    with fresh_database(request.getfixturevalue("postgres_server"), template) as url:
        yield url.render_as_string(hide_password=False)


@pytest.fixture(scope="session")
def used_again_sqlite(
    migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Database, Clean]]:
    """An open database, and what makes it as new."""
    file = Path(shutil.copy(migrated_sqlite, tmp_path_factory.mktemp("used-again") / "test.db"))
    opened = Database(f"sqlite:///{file}")
    yield opened, partial(as_new_sqlite, file, migrated_sqlite)
    opened.close()


@pytest.fixture(scope="session")
def used_again_postgresql(postgres_server: URL, migrated_postgresql: str) -> Iterator[tuple[Database, Clean]]:
    """An open database, and what makes it as new."""
    with fresh_database(postgres_server, migrated_postgresql) as url:
        opened = Database(url.render_as_string(hide_password=False))
        yield opened, partial(as_new_postgresql, url)
        opened.close()


@pytest.fixture
def database(engine_name: str, request: pytest.FixtureRequest) -> Iterator[Database]:
    """A migrated database, open, in which nothing is yet. A test that asks for its address too has it for
    itself; all others use the same one after another."""
    if "migrated_database_url" in request.fixturenames:
        opened = Database(request.getfixturevalue("migrated_database_url"))
        yield opened
        opened.close()
        return
    shared, clean = request.getfixturevalue(f"used_again_{engine_name}")
    yield shared
    quiet(shared)
    clean()


@pytest.fixture
async def world(database: Database) -> AsyncIterator[World]:
    """The simulated RunPod and Slack, a clock set by hand, and a house that joins them."""
    async with world_of(database) as made:
        yield made
