"""Reading JSON from outside without trusting it: what is not plainly there is unknown."""

import json
import re
from datetime import UTC, datetime
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

_GO_TIME = re.compile(r"(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?) ([+-]\d{4})(?: [A-Za-z]+)?")
_FIRST_YEAR = 2000
_LARGEST = 2**31 - 1


class NotJson(ValueError):
    """The text is no JSON."""


def parse_json(raw: bytes) -> Json:
    """The value that `raw` holds.

    Raises:
        NotJson: HTML, an empty or cut text, undecodable bytes, or a nesting too deep to be honest.
    """
    try:
        value: Json = json.loads(raw)
    except (ValueError, RecursionError) as why:
        raise NotJson(str(why)) from why
    return value


def child(value: Json, key: str) -> Json:
    """The member `key` of an object; None if there is none, or if `value` is no object."""
    return value.get(key) if isinstance(value, dict) else None


def items(value: Json) -> list[Json]:
    """The elements of a list; none if it is no list."""
    return value if isinstance(value, list) else []


def text(value: Json) -> str | None:
    """A text that is not blank."""
    return value if isinstance(value, str) and value.strip() else None


def positive_int(value: Json) -> int | None:
    """A whole number above zero; zero is how RunPod writes "unknown"."""
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 < value <= _LARGEST else None


def positive_number(value: Json) -> float | None:
    """A finite number above zero."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 < value <= _LARGEST else None


def moment(value: Json) -> datetime | None:
    """A time in RFC 3339 or as Go prints it ("2026-08-20 06:16:19.436 +0000 UTC"), in UTC.

    A time without an offset, or before 2000 (Go's and Unix' zero), is unknown.
    """
    if not isinstance(value, str):
        return None
    go = _GO_TIME.fullmatch(value.strip())
    try:
        parsed = datetime.fromisoformat("{}T{}{}".format(*go.groups()) if go else value.strip())
        if parsed.tzinfo is None or parsed.year < _FIRST_YEAR:
            return None
        return parsed.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
