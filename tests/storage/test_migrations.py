"""The tables that the migrations make are the tables that the code means, on both engines."""

import sqlite3
from pathlib import Path

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import text

from storage import migrations
from storage.engine import parsed, writing_engine
from storage.errors import DatabaseOutOfDateError, DatabaseUnavailableError


def test_the_migrations_make_exactly_the_tables_of_the_code(database_url: str) -> None:
    migrations.upgrade(database_url)
    engine = writing_engine(parsed(database_url))

    with engine.begin() as connection:
        command.check(migrations.configuration(connection))

    engine.dispose()


def test_the_version_that_the_code_needs_is_the_newest_migration(database_url: str) -> None:
    engine = writing_engine(parsed(database_url))

    with engine.begin() as connection:
        script = ScriptDirectory.from_config(migrations.configuration(connection))

    engine.dispose()
    assert script.get_heads() == [migrations.HEAD]


def test_a_new_database_is_created_and_found_current(database_url: str) -> None:
    assert migrations.version_of(database_url) is None

    migrations.prepare(database_url)

    assert migrations.is_current(database_url)


def test_upgrading_twice_changes_nothing(database_url: str) -> None:
    migrations.upgrade(database_url)
    migrations.upgrade(database_url)

    assert migrations.is_current(database_url)


@pytest.mark.parametrize("version", ["0001", "9999"])
def test_a_database_of_another_version_is_refused_with_the_remedy(database_url: str, version: str) -> None:
    migrations.upgrade(database_url)
    set_version(database_url, version)

    with pytest.raises(DatabaseOutOfDateError, match=f"DATABASE_URL.*{version}.*podkeeper db upgrade"):
        migrations.prepare(database_url)


def test_a_database_of_a_newer_podkeeper_is_not_touched_by_an_upgrade(database_url: str) -> None:
    migrations.upgrade(database_url)
    set_version(database_url, "9999")

    with pytest.raises(DatabaseOutOfDateError, match="9999"):
        migrations.upgrade(database_url)

    assert migrations.version_of(database_url) == "9999"


def test_asking_for_the_version_of_a_missing_file_makes_no_file(tmp_path: Path) -> None:
    assert migrations.version_of(f"sqlite:///{tmp_path}/none.db") is None
    assert not (tmp_path / "none.db").exists()


def test_a_file_that_is_no_database_is_named_with_its_setting(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_text("this is not a database, it is a long enough text about something else")

    with pytest.raises(DatabaseUnavailableError, match=r"x\.db.*DATABASE_URL"):
        migrations.prepare(f"sqlite:///{tmp_path}/x.db")


def test_a_folder_that_does_not_exist_is_named_with_its_setting(tmp_path: Path) -> None:
    with pytest.raises(DatabaseUnavailableError, match=r"no-such-folder/x.db.*DATABASE_URL"):
        migrations.prepare(f"sqlite:///{tmp_path}/no-such-folder/x.db")


def test_an_upgrade_that_breaks_half_way_leaves_nothing(tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE slot (in_the_way)")
    connection.close()

    with pytest.raises(Exception, match="slot"):
        migrations.upgrade(f"sqlite:///{file}")

    with sqlite3.connect(file) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    connection.close()
    assert tables == [("slot",)]


def set_version(url: str, version: str) -> None:
    engine = writing_engine(parsed(url))
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :version"), {"version": version})
    engine.dispose()
