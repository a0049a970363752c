"""What every test may ask for: a database of its own on either engine, and the shared material."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from sqlalchemy import URL

from tests.machine import missing
from tests.postgres import ServerUnavailableError, fresh_database, running_server, server_from_environment

SHARED = Path(__file__).resolve().parents[2] / "shared"

settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


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
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty database for this test alone, once on each engine."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'test.db'}"
        return
    server: URL = request.getfixturevalue("postgres_server")
    with fresh_database(server) as url:
        yield url.render_as_string(hide_password=False)
