"""RunPod's status text (`lastStatusChange`, GraphQL and REST v1), read strictly.

It is free text in one slot: a verb, who, a colon, and JavaScript's `Date.toString()`, if all goes well.
Every variant that was ever recorded is read; everything else is unreadable, never guessed.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from enum import StrEnum


class Verb(StrEnum):
    RENTED = "rented"
    EXITED = "exited"
    TERMINATED = "terminated"
    OUTBID = "outbid"


class Who(StrEnum):
    USER = "user"
    RUNPOD = "runpod"


@dataclass(frozen=True, slots=True)
class StatusText:
    """What the text says happened last."""

    verb: Verb
    who: Who | None
    at: datetime | None
    """None: the text has no date, no time of day, or one that cannot be read."""

    @property
    def exited_at(self) -> datetime | None:
        """When it says that the pod exited; None if it tells of something else."""
        return self.at if self.verb in (Verb.EXITED, Verb.OUTBID) else None


_SAID = re.compile(r"(?:(rented|exited|terminated) by (user|runpod)|(outbid)):(.*)", re.I | re.S)
_JAVASCRIPT = re.compile(
    r"([A-Z][a-z]{2}) ([A-Z][a-z]{2}) (\d{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2})"
    r" GMT([+-])(\d{2})(\d{2})(?: \([^()]*\))?",
    re.ASCII,
)
_PLAIN = re.compile(r"(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2}) UTC", re.ASCII)
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def status_text(text: str | None) -> StatusText | None:
    """What the text says; None if it is missing or of no recorded form."""
    said = _SAID.fullmatch(text.strip()) if text else None
    if said is None:
        return None
    verb, who, outbid, rest = said.groups()
    return StatusText(
        verb=Verb(verb.lower()) if verb else Verb(outbid.lower()),
        who=Who(who.lower()) if who else None,
        at=_moment(rest.strip()),
    )


def says_terminated(text: str | None) -> bool:
    """RunPod writes a terminate as EXITED with a text that begins so, whatever follows."""
    return text is not None and text.lstrip().lower().startswith("terminated")


def _moment(text: str) -> datetime | None:
    for form, read in _FORMS:
        if match := form.fullmatch(text):
            try:
                return read(match)
            except (ValueError, OverflowError):
                return None
    return None


def _javascript(match: re.Match[str]) -> datetime:
    day_name, month_name, day, year, hour, minute, second, sign, zone_hours, zone_minutes = match.groups()
    away = timedelta(hours=int(zone_hours), minutes=int(zone_minutes))
    zone = timezone(-away if sign == "-" else away)
    that_day = date(int(year), _MONTHS.index(month_name) + 1, int(day))
    if _DAYS.index(day_name) != that_day.weekday():
        raise ValueError("the weekday does not belong to the date")
    local = datetime(
        that_day.year, that_day.month, that_day.day, int(hour), int(minute), int(second), tzinfo=zone
    )
    return local.astimezone(UTC)


def _plain(match: re.Match[str]) -> datetime:
    year, month, day, hour, minute, second = map(int, match.groups())
    return datetime(year, month, day, hour, minute, second, tzinfo=UTC)


_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], datetime]], ...] = (
    (_JAVASCRIPT, _javascript),
    (_PLAIN, _plain),
)
