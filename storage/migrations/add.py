"""Writes the migration for what the tables have become: `python -m storage.migrations.add "what changes"`.

It is a proposal to be read: what happens to rows that are there already, nobody can tell from the tables.
`HEAD` is set to it by hand.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Literal

from alembic import command
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import Text
from sqlmodel.sql.sqltypes import AutoString

from storage import migrations
from storage.columns import FreeText, Instant
from storage.engine import parsed, writing_engine

VERSIONS = Path(__file__).with_name("versions")


def render(kind: str, item: object, context: AutogenContext) -> str | Literal[False]:
    """How a type of ours is written in a migration, which must not change when the tables' code does."""
    match item:
        case Instant() if kind == "type":
            context.imports.add("from storage.columns import Instant")
            return "Instant()"
        case FreeText() | Text() if kind == "type":
            return "sa.Text()"
        case AutoString() if kind == "type":
            return "sa.String()"
        case _:
            return False


def add(message: str) -> Path:
    """The new file, next in number. Its upgrade leads from the last migration to the tables of the code."""
    number = f"{int(migrations.HEAD) + 1:04}"
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/last.db"
        migrations.upgrade(url)
        engine = writing_engine(parsed(url))
        with engine.begin() as connection:
            config = migrations.configuration(connection)
            config.attributes.update(render=render)
            command.revision(config, message, autogenerate=True, rev_id=number)
        engine.dispose()
    [file] = VERSIONS.glob(f"{number}_*.py")
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(line for line in lines if not line.strip().startswith("# ###")))
    for tidy in (["format"], ["check", "--fix"]):
        subprocess.run([sys.executable, "-m", "ruff", *tidy, "--quiet", file], check=True)
    return file


def main(words: list[str]) -> None:
    if len(words) != 1:
        sys.exit('usage: python -m storage.migrations.add "what changes"')
    sys.stdout.write(f"{add(words[0])}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
