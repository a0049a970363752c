"""How people, moments and stretches of time are written; each edge has its own way (Slack's, plain text)."""

from datetime import UTC, datetime, timedelta
from typing import Protocol

from pods.ids import UserId

_UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))


class Words(Protocol):
    """What the sentences about pods are put together with."""

    def mention(self, user: UserId) -> str:
        """The person."""
        ...

    def when(self, moment: datetime) -> str:
        """A moment, in a form that follows "at", "since" and "until"."""
        ...

    def span(self, length: timedelta) -> str:
        """A stretch of time, in a form that goes before "ago" and after "for"."""
        ...


class PlainWords:
    """For a terminal: ids, UTC, and time in words."""

    def mention(self, user: UserId) -> str:
        return user

    def when(self, moment: datetime) -> str:
        return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")

    def span(self, length: timedelta) -> str:
        return span_in_words(length)


def span_in_words(length: timedelta) -> str:
    """`1 day 6 hours`: the two largest units, rounded down; a negative length is "no time"."""
    seconds = int(length.total_seconds())
    for place, (unit, size) in enumerate(_UNITS):
        if seconds >= size:
            number, rest = divmod(seconds, size)
            words = [_counted(number, unit)]
            if place + 1 < len(_UNITS) and (smaller := rest // _UNITS[place + 1][1]):
                words.append(_counted(smaller, _UNITS[place + 1][0]))
            return " ".join(words)
    return "no time"


def _counted(number: int, unit: str) -> str:
    return f"{number} {unit}" if number == 1 else f"{number} {unit}s"
