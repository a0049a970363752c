"""`python -m tests.scenarios.record FILE…`: plays conversations and writes down what everybody saw.

Somebody reads it before it is kept. Tests never do this.
"""

import asyncio
import sys
import tempfile
from pathlib import Path

from storage import migrations
from storage.database import Database
from tests.bot.talk import Talk, serving
from tests.scenarios.playing import Stage
from tests.world import world_of


async def played(script: str, database: Database) -> str:
    """The transcript."""
    async with world_of(database) as world, serving(world) as running:
        return await Stage(world, Talk(world, running)).play(script)


def record(script: Path) -> None:
    """Write the transcript in the place of the script."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/scenario.db"
        migrations.upgrade(url)
        database = Database(url)
        try:
            transcript = asyncio.run(played(script.read_text(encoding="utf-8"), database))
        finally:
            database.close()
    script.write_text(transcript, encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        record(Path(name))
