"""Writes the initial migrations anew from the tables: `python -m storage.migrations.regenerate`.

For as long as nothing is released. Afterwards a change is a migration of its own.
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

from storage import tables
from storage.columns import FreeText, Instant
from storage.engine import parsed, writing_engine
from storage.migrations import configuration

VERSIONS = Path(__file__).with_name("versions")
STEPS = {
    "0001": (
        "ledger and agents",
        {
            "provision",
            "create_call",
            "provision_line",
            "ssh_host_key",
            "ssh_key",
            "agent",
            "agent_request",
            "note",
            "person",
            "bad_place",
        },
    ),
    "0002": (
        "pods and whose they are",
        {
            "pod",
            "episode",
            "listing_pass",
            "remembered",
            "statement",
            "history",
            "sign_of_life",
            "hand_over",
            "keep",
            "heartbeat",
            "verdict",
            "deed",
        },
    ),
    "0003": ("asking, telling, remembering", set(tables.metadata.tables)),
}


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


def main() -> None:
    for old in VERSIONS.glob("*.py"):
        old.unlink()
    with tempfile.TemporaryDirectory() as folder:
        engine = writing_engine(parsed(f"sqlite:///{folder}/empty.db"))
        for revision, (message, names) in STEPS.items():
            with engine.begin() as connection:
                config = configuration(connection)
                config.attributes.update(names=names, render=render)
                command.revision(config, message, autogenerate=True, rev_id=revision)
            with engine.begin() as connection:
                command.upgrade(configuration(connection), "head")
        engine.dispose()
    for new in VERSIONS.glob("*.py"):
        new.write_text(
            "".join(
                line
                for line in new.read_text().splitlines(keepends=True)
                if not line.strip().startswith("# ###")
            )
        )
    for tidy in (["format"], ["check", "--fix"]):
        subprocess.run([sys.executable, "-m", "ruff", *tidy, "--quiet", VERSIONS], check=True)


if __name__ == "__main__":
    main()
