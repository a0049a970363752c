"""A pod's log as RunPod streams it (Server-Sent Events), read for a bounded time and number of lines."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

import aiohttp

from gateways.runpod.json_values import NotJson, child, moment, parse_json

LONGEST_LINE = 4000
_LONGEST_EVENT = 256 * 1024


class LogSource(StrEnum):
    """`LogSource` of RunPod REST v2."""

    CONTAINER = "container"
    """What the container wrote: one line of it shows that it ran."""
    SYSTEM = "system"
    """What the host did: pulling the image, starting the container."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line; `at` is unknown if the line came without a readable time."""

    source: LogSource
    at: datetime | None
    text: str


async def read_events(stream: AsyncIterator[bytes], *, lines: int, seconds: float) -> tuple[LogLine, ...]:
    """The first log lines of an event stream: at most `lines`, and none after `seconds` of the wire.

    The stream stays open for ever, so that its end is the time-out; what cannot be read is left out. A
    stream that breaks raises only if it brought nothing.
    """
    found: list[LogLine] = []
    try:
        async with asyncio.timeout(seconds):
            async for raw in _split(stream):
                if (line := _log_line(raw)) is not None:
                    found.append(line)
                if len(found) >= lines:
                    break
    except TimeoutError:
        pass
    except aiohttp.ClientError:
        if not found:
            raise
    return tuple(found)


async def _split(stream: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    rest = b""
    async for chunk in stream:
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line
        rest = rest[:_LONGEST_EVENT]
    yield rest


def _log_line(raw: bytes) -> LogLine | None:
    field, _, value = raw.rstrip(b"\r").partition(b":")
    if field != b"data":
        return None
    try:
        data = parse_json(value)
    except NotJson:
        return None
    source, line = child(data, "source"), child(data, "line")
    if not isinstance(source, str) or source not in list(LogSource) or not isinstance(line, str):
        return None
    return LogLine(LogSource(source), moment(child(data, "ts")), line[:LONGEST_LINE])
