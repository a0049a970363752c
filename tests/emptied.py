"""A database that tests use one after the other, each of them as if it were new.

Most of what a test costs on a database of its own is to compile statements, which every engine does anew.
"""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
from psycopg import sql
from sqlalchemy import URL

from storage.database import POSTGRES_WRITERS, READERS, Database


def quiet(database: Database) -> None:
    """Nothing is being done any more of what a test asked for and did not wait for."""

    async def nothing() -> None:
        works = [database.run(lambda _: None) for _ in range(POSTGRES_WRITERS)]
        looks = [database.read(lambda _: None) for _ in range(READERS)]
        await asyncio.gather(*works, *looks)

    asyncio.run(nothing())


def as_new_sqlite(file: Path, template: Path) -> None:
    """Everything in the file is as in the template, also what the guards of the tables do not let anybody
    take away; connections to it stay open."""
    with closing(sqlite3.connect(template)) as source, closing(sqlite3.connect(file)) as target:
        source.backup(target)


def as_new_postgresql(address: URL) -> None:
    """Every table is empty but for the version. The guards of the tables look away for this transaction."""
    plain = address.set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain) as connection:
        connection.execute("SET LOCAL session_replication_role = replica")
        names = [name for (name,) in connection.execute(_TABLES)]
        asked = sql.SQL(" UNION ALL ").join(_has_rows(name) for name in names)
        full = [sql.Identifier(name) for name, has_rows in connection.execute(asked) if has_rows]
        if full:
            connection.execute(sql.SQL("TRUNCATE {} CASCADE").format(sql.SQL(", ").join(full)))


_TABLES = sql.SQL(
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version'"
)


def _has_rows(table: str) -> sql.Composed:
    question = sql.SQL("SELECT {}, EXISTS (SELECT 1 FROM {})")
    return question.format(sql.Literal(table), sql.Identifier(table))
