"""A pod's log: bounded in time and lines, and what cannot be read is left out."""

import asyncio
from datetime import UTC, datetime

import aiohttp
import pytest

from gateways.runpod.errors import NotFound, Unreachable
from gateways.runpod.logs import LogLine, LogSource, read_events

EVENT = (
    b"id: 2026-06-01T12:02:03Z/000000000001\n"
    b'data: {"ts":"2026-06-01T12:02:03Z","source":"container","line":"hi"}\n\n'
)
LINE = LogLine(LogSource.CONTAINER, datetime(2026, 6, 1, 12, 2, 3, tzinfo=UTC), "hi")


async def chunks(*parts: bytes | Exception):
    for part in parts:
        if isinstance(part, Exception):
            raise part
        yield part


async def test_the_documented_event_is_a_line(runpod, provider, answer):
    provider.will_answer(answer(200, EVENT, "text/event-stream"))

    assert await runpod.logs("p1", LogSource.CONTAINER, tail=20) == (LINE,)
    assert provider.asked[0].path == "/v2/pods/p1/logs"
    assert provider.asked[0].query == {"source": "container", "tail": "20"}


async def test_since_replaces_tail(runpod, provider, answer):
    provider.will_answer(answer(200, b"", "text/event-stream"))

    assert await runpod.logs("p1", LogSource.SYSTEM, since=datetime(2026, 6, 1, 12, tzinfo=UTC)) == ()
    assert provider.asked[0].query == {"source": "system", "since": "2026-06-01T12:00:00+00:00"}


async def test_no_more_lines_are_read_than_wanted():
    assert len(await read_events(chunks(EVENT * 50), lines=3, seconds=5)) == 3


async def test_a_stream_that_stays_open_ends_with_the_time():
    async def open_for_ever():
        yield EVENT
        await asyncio.Event().wait()

    assert await read_events(open_for_ever(), lines=9, seconds=0.02) == (LINE,)


async def test_lines_may_come_in_any_pieces():
    pieces = [EVENT[i : i + 1] for i in range(len(EVENT))]

    assert await read_events(chunks(*pieces), lines=9, seconds=5) == (LINE,)


@pytest.mark.parametrize(
    "odd",
    [
        b"data: not json\n\n",
        b"data: null\n\n",
        b'data: {"source":"other","line":"x"}\n\n',
        b'data: {"source":"container","line":7}\n\n',
        b": keep-alive\n\n",
        b"data: " + b"x" * 600_000 + b"\n\n",
        b"\xff\xfe\n",
    ],
)
async def test_what_is_no_log_line_is_left_out(odd):
    assert await read_events(chunks(odd, EVENT), lines=9, seconds=5) == (LINE,)


async def test_a_line_without_a_readable_time_is_a_line_all_the_same():
    event = b'data: {"ts":"?","source":"system","line":"pulling"}\r\n'

    assert await read_events(chunks(event), lines=9, seconds=5) == (
        LogLine(LogSource.SYSTEM, None, "pulling"),
    )


async def test_what_came_before_a_break_is_kept():
    assert await read_events(chunks(EVENT, aiohttp.ClientPayloadError()), lines=9, seconds=5) == (LINE,)


async def test_a_stream_that_breaks_at_once_is_no_empty_log():
    with pytest.raises(aiohttp.ClientPayloadError):
        await read_events(chunks(aiohttp.ClientPayloadError()), lines=9, seconds=5)


async def test_a_log_that_is_none_says_why(runpod, provider, answer):
    provider.will_answer(answer(404, {"status": 404}), answer(200, b"<html>", "text/html"))

    with pytest.raises(NotFound):
        await runpod.logs("p1", LogSource.CONTAINER)
    with pytest.raises(Unreachable):
        await runpod.logs("p1", LogSource.CONTAINER)
