"""A request's body, read once and bounded before anything looks into it."""

import json
from collections.abc import Iterable

from pydantic import JsonValue
from starlette.requests import ClientDisconnect, Request

from bot.agents.problems import Code, ProblemError

MAX_BYTES = 256 * 1024
MAX_DEPTH = 32


async def read_body(request: Request) -> bytes:
    """The body as sent. Raises ProblemError (too_large, bad_json) as soon as it is known to be of no use."""
    if request.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise _bad_json("Send the body as it is, without a Content-Encoding.")
    length = request.headers.get("content-length", "0")
    if length.isdecimal() and int(length) > MAX_BYTES:
        raise _too_large()
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_BYTES:
                raise _too_large()
    except ClientDisconnect as error:
        raise _bad_json("The body ended before it was whole.") from error
    return bytes(body)


def decoded(body: bytes) -> str:
    """The body as text. Raises ProblemError(bad_json)."""
    if not body.strip():
        raise _bad_json("The body is empty; it must be a JSON object.")
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise _bad_json(f"The body is not UTF-8 (at byte {error.start}).") from error


def parsed(text: str) -> JsonValue:
    """The JSON in the text. Raises ProblemError(bad_json) also for what no database can hold."""
    try:
        value: JsonValue = json.loads(text, parse_constant=_refuse_constant)
    except RecursionError as error:
        raise _too_deep() from error
    except ValueError as error:
        raise _bad_json(f"The body is not JSON: {error}.") from error
    for word in _words(value) if _needs_a_look(text) else ():
        if "\0" in word or not _is_unicode(word):
            raise _bad_json("A text in the body holds a NUL or half of a surrogate pair; leave it out.")
    return value


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _needs_a_look(text: str) -> bool:
    """Most bodies do not: only an escape can make what is not storable, and each level has an opening."""
    return "\\u" in text or text.count("[") + text.count("{") > MAX_DEPTH


def _words(root: JsonValue) -> Iterable[str]:
    """Every text in it, names of members included. Raises ProblemError if it is nested too deeply."""
    level: list[JsonValue] = [root]
    for _ in range(MAX_DEPTH):
        yield from (value for value in level if isinstance(value, str))
        lists = [value for value in level if isinstance(value, list)]
        objects = [value for value in level if isinstance(value, dict)]
        yield from (key for member in objects for key in member)
        level = [inner for values in lists for inner in values]
        level += [inner for member in objects for inner in member.values()]
        if not level:
            return
    raise _too_deep()


def _is_unicode(word: str) -> bool:
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


def _bad_json(detail: str) -> ProblemError:
    return ProblemError(Code.BAD_JSON, detail)


def _too_deep() -> ProblemError:
    return _bad_json(f"The body is nested more than {MAX_DEPTH} levels deep.")


def _too_large() -> ProblemError:
    return ProblemError(Code.TOO_LARGE, f"The body is larger than {MAX_BYTES} bytes (256 KiB).")
