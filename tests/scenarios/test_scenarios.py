"""Each conversation is played again and compared with what is written; nothing is ever written here."""

from pathlib import Path

import pytest

from tests.bot.talk import Talk, serving
from tests.scenarios.playing import Stage
from tests.world import World

HERE = Path(__file__).parent
SCRIPTS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(HERE.glob("*.txt"))}


@pytest.fixture
def engine_name() -> str:
    """What is stored is tested on both engines elsewhere."""
    return "sqlite"


@pytest.mark.parametrize("script", SCRIPTS)
async def test_everybody_sees_what_is_written(world: World, script: str):
    written = SCRIPTS[script]
    async with serving(world) as running:
        played = await Stage(world, Talk(world, running)).play(written)

    assert played == written


def test_there_are_conversations_to_play() -> None:
    assert len(SCRIPTS) >= 5
