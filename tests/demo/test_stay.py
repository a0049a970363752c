"""After the tour the page stays until somebody ends it, whatever the demo was started from."""

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO, cast

import aiohttp
import pytest

from bot.cli import run
from bot.demo.stay import stay
from bot.demo.telling import Telling
from bot.demo.town import DemoFailed, Town, town
from simulator.slack import SlackSimulator

ENOUGH_SECONDS = 50.0


class Place:
    """As much of the town as a visitor sees."""

    def __init__(self, slack: SlackSimulator) -> None:
        self.slack = slack
        self.page = slack.base_url


@pytest.fixture
async def place() -> AsyncIterator[Town]:
    async with SlackSimulator() as slack:
        yield cast(Town, Place(slack))


@pytest.fixture(params=["nothing", "/dev/null", "an empty file", "a closed pipe"])
def silent(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TextIO | None]:
    with ExitStack() as opened:
        match request.param:
            case "nothing":
                yield None
            case "/dev/null":
                yield opened.enter_context(Path(os.devnull).open())
            case "an empty file":
                (tmp_path / "empty").touch()
                yield opened.enter_context((tmp_path / "empty").open())
            case _:
                reading, writing = os.pipe()
                os.close(writing)
                yield opened.enter_context(os.fdopen(reading))


async def told(words: str, capsys: pytest.CaptureFixture[str]) -> str:
    """All that the visitor was told since the last look, as soon as these words are in it."""
    heard = ""
    async with asyncio.timeout(ENOUGH_SECONDS):
        while words not in heard:
            heard += capsys.readouterr().out
            await asyncio.sleep(0.01)
    return heard


async def test_the_page_stays_until_a_signal_where_nothing_can_be_read(
    place: Town, silent: TextIO | None, capsys: pytest.CaptureFixture[str]
) -> None:
    stopping = asyncio.Event()
    staying = asyncio.create_task(stay(place, Telling(), stopping, silent))
    await told("The page stays", capsys)

    async with aiohttp.ClientSession() as visitor, visitor.get(place.page) as seen:
        assert (seen.status, staying.done()) == (200, False)
    stopping.set()
    await asyncio.wait_for(staying, ENOUGH_SECONDS)


async def test_ctrl_c_ends_the_stay_in_peace(place: Town, capsys: pytest.CaptureFixture[str]) -> None:
    staying = asyncio.create_task(stay(place, Telling(), asyncio.Event(), None))
    await told("The page stays", capsys)

    os.kill(os.getpid(), signal.SIGINT)

    await asyncio.wait_for(staying, ENOUGH_SECONDS)


async def test_what_is_written_at_once_is_done_line_by_line_until_quit(
    place: Town, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lines").write_text("nobody: reads\n\nnobody else: reads\nquit\nnever: reads")
    with (tmp_path / "lines").open() as lines:
        await asyncio.wait_for(stay(place, Telling(), asyncio.Event(), lines), ENOUGH_SECONDS)

    said = capsys.readouterr().out
    assert "nobody called 'nobody'" in said
    assert "nobody called 'nobody else'" in said
    assert "never" not in said


async def test_a_port_that_is_taken_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]

        with pytest.raises(DemoFailed, match=rf"port {port} \(Address already in use\)"):
            async with town(60, port):
                pass


@pytest.mark.parametrize("given", ["99999", "-1", "web"])
def test_a_number_that_is_no_port_is_wrong_usage(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        run(["demo", f"--port={given}"])

    assert left.value.code == 2
    assert f"{given} is no port" in capsys.readouterr().err


@pytest.mark.parametrize("given", ["fast", "nan", "0"])
def test_a_speed_that_is_none_is_wrong_usage(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        run(["demo", "--speed", given])

    assert left.value.code == 2
    assert "between 1 and 120" in capsys.readouterr().err
