"""Durations as people type them: `90s 45m 8h 2d 1w 1h30m`, also `2 days`."""

import re
from datetime import timedelta
from itertools import pairwise

_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_WORDS = {
    "s": "s sec secs second seconds",
    "m": "m min mins minute minutes",
    "h": "h hr hrs hour hours",
    "d": "d day days",
    "w": "w week weeks",
}
_UNIT = {word: unit for unit, words in _WORDS.items() for word in words.split()}
_PART = re.compile(r"([0-9]{1,7}) ?([a-z]+) ?")
_RIGHT = "write it like `90s`, `45m`, `8h`, `2d`, `1w` or `1h30m`"


def parse_duration(text: str, *, zero_is_fine: bool = False) -> timedelta:
    """The duration that was typed. Raises `ValueError` with a sentence that says what would be right."""
    words = " ".join(text.lower().split())
    parts: list[tuple[int, str]] = []
    at = 0
    while match := _PART.match(words, at):
        if match[2] not in _UNIT:
            raise ValueError(f"`{_short(text)}` is not a duration: `{match[2]}` is no unit of time; {_RIGHT}")
        parts.append((int(match[1]), _UNIT[match[2]]))
        at = match.end()
    if not parts or at != len(words):
        raise ValueError(f"`{_short(text)}` is not a duration; {_RIGHT}")
    if any(_SECONDS[left] <= _SECONDS[right] for (_, left), (_, right) in pairwise(parts)):
        raise ValueError(
            f"`{_short(text)}` is not a duration: the largest unit comes first, each once; {_RIGHT}"
        )
    duration = timedelta(seconds=sum(number * _SECONDS[unit] for number, unit in parts))
    if not duration and not zero_is_fine:
        raise ValueError(f"`{_short(text)}` is no time at all; {_RIGHT}")
    return duration


def continues_duration(typed: str, following: str) -> bool:
    """Whether `following` belongs to the duration begun by the bare number `typed`, as in `2 days`."""
    return typed.isascii() and typed.isdigit() and following.lower() in _UNIT


def format_duration(duration: timedelta) -> str:
    """The duration as people type it: `20m`, `1h30m`, `14d`. Fractions of a second are dropped.

    Raises `ValueError` for a negative duration.
    """
    if duration < timedelta(0):
        raise ValueError("a duration cannot be negative")
    seconds = int(duration.total_seconds())
    parts = []
    for unit in "dhms":
        number, seconds = divmod(seconds, _SECONDS[unit])
        if number:
            parts.append(f"{number}{unit}")
    return "".join(parts) or "0s"


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"
