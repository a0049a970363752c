"""Bodies: bounded before they are read, JSON that a database can hold, or a sentence."""

import contextlib
import gzip
import json
from collections.abc import AsyncIterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request

from bot.agents.bodies import MAX_BYTES, MAX_DEPTH, decoded, parsed, read_body
from bot.agents.problems import Code, ProblemError

Headers = Sequence[tuple[bytes, bytes]]


def request(chunks: Sequence[bytes], headers: Headers = ()) -> tuple[Request, AsyncIterator[bytes]]:
    """A request whose body comes in these chunks; the iterator shows which were never asked for."""

    async def left() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk

    rest = left()

    async def receive() -> dict[str, object]:
        chunk = await anext(rest, None)
        if chunk is None:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": chunk, "more_body": chunk is not chunks[-1]}

    return Request({"type": "http", "headers": list(headers)}, receive), rest


async def refusal(chunks: Sequence[bytes], headers: Headers = ()) -> Code:
    with pytest.raises(ProblemError) as refused:
        await read_body(request(chunks, headers)[0])
    return refused.value.code


def unreadable(body: bytes) -> str:
    with pytest.raises(ProblemError) as refused:
        parsed(decoded(body))
    assert refused.value.code is Code.BAD_JSON
    return refused.value.detail


async def test_a_body_in_chunks_is_read_whole() -> None:
    assert await read_body(request([b'{"a"', b": 1}"])[0]) == b'{"a": 1}'


async def test_a_body_of_256_kib_is_let_in() -> None:
    assert len(await read_body(request([b"x" * MAX_BYTES])[0])) == MAX_BYTES


async def test_a_body_of_one_byte_more_is_too_large() -> None:
    assert await refusal([b"x" * MAX_BYTES, b"y"]) is Code.TOO_LARGE


async def test_a_body_announced_as_too_large_is_refused_before_any_of_it_is_read() -> None:
    announced, rest = request([b"x"], [(b"content-length", str(MAX_BYTES + 1).encode())])

    with pytest.raises(ProblemError) as refused:
        await read_body(announced)

    assert refused.value.code is Code.TOO_LARGE
    assert await anext(rest) == b"x"


async def test_an_endless_body_is_not_read_to_its_end() -> None:
    endless, rest = request([bytes([i % 256]) * 65536 for i in range(100)])

    with pytest.raises(ProblemError):
        await read_body(endless)

    assert await anext(rest) == bytes([5]) * 65536


@pytest.mark.parametrize("encoding", [b"gzip", b"deflate", b"br", b"identity, gzip"])
async def test_a_compressed_body_is_refused_unopened(encoding: bytes) -> None:
    bomb = gzip.compress(bytes(10_000_000))

    assert await refusal([bomb], [(b"content-encoding", encoding)]) is Code.BAD_JSON


async def test_a_body_that_breaks_off_is_refused() -> None:
    broken, _ = request([b"{", b"}"])

    async def receive() -> dict[str, object]:
        return {"type": "http.disconnect"}

    with pytest.raises(ProblemError) as refused:
        await read_body(Request(broken.scope, receive))
    assert refused.value.code is Code.BAD_JSON


@pytest.mark.parametrize(
    "body", [b"", b"  \n", b"{", b"{'a': 1}", b"nul", b"[1,]", b'{"a": NaN}', b"-Infinity"]
)
def test_what_is_no_json_is_refused(body: bytes) -> None:
    assert unreadable(body)


def test_a_body_that_is_not_utf8_is_refused_and_says_where() -> None:
    assert "byte 2" in unreadable(b'{"\xff": 1}')


def test_a_number_with_thousands_of_digits_is_refused() -> None:
    assert unreadable(b"9" * 5000)


@pytest.mark.parametrize("text", [r'"\u0000"', r'"\ud800"', r'{"\u0000": 1}', r'[[{"a": "\udfff"}]]'])
def test_text_that_no_database_can_hold_is_refused(text: str) -> None:
    assert "surrogate" in unreadable(text.encode())


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 500, 100_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_what_is_nested_too_deeply_is_refused(depth: int, opening: str, closing: str) -> None:
    assert unreadable((opening * depth + "1" + closing * depth).encode())


def test_what_is_nested_deeply_but_not_too_deeply_is_read() -> None:
    text = "[" * (MAX_DEPTH - 1) + "1" + "]" * (MAX_DEPTH - 1)

    assert json.dumps(parsed(text)) == text


@given(st.binary(max_size=200))
def test_no_bytes_whatever_raise_anything_but_a_problem(body: bytes) -> None:
    with contextlib.suppress(ProblemError):
        json.dumps(parsed(decoded(body)))
