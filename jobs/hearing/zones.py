"""When each person sleeps: the same hours, by the clock on their own wall."""

from datetime import time
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sqlmodel import Session

from jobs.house import House
from pods.quiet import QuietHours
from storage.person import person


def quiet_hours(session: Session, house: House, user: str | None) -> QuietHours:
    """The quiet hours of a person; of nobody, or somebody whose zone is unknown, those of the house."""
    known = person(session, user) if user is not None else None
    start, end = (time.fromisoformat(part) for part in house.schedules.quiet_hours.split("-"))
    return QuietHours(start, end, _zone(known.timezone if known else None, house))


def _zone(name: str | None, house: House) -> ZoneInfo:
    try:
        return ZoneInfo(name or house.schedules.zone)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo(house.schedules.zone)
