"""When a job is due: every so often, or in the slots of a cron schedule. Pure; `now` is an argument.

A slot is an instant. Schedules live in an IANA zone and mean what cron means: 0 and 7 are Sunday; a local
time that is skipped in spring runs at the next valid minute, one that comes twice in autumn runs once.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from cronsim import CronSim


@dataclass(frozen=True, slots=True)
class Every:
    """Every so often, counted from the start of the last pass."""

    pause: timedelta


@dataclass(frozen=True, slots=True)
class Cron:
    """In the slots of a cron schedule; after a downtime only the last missed one."""

    expression: str
    zone: str


Trigger = Every | Cron


def due_again(trigger: Every, last: datetime | None, now: datetime) -> bool:
    """Whether the pause is over. A clock that was set back does not silence the job."""
    return last is None or now - last >= trigger.pause or now < last


def latest_slot(trigger: Cron, since: datetime, now: datetime) -> datetime | None:
    """The last slot after `since` and at or before `now`, in UTC; None if there was none."""
    latest: datetime | None = None
    for slot in CronSim(trigger.expression, since.astimezone(ZoneInfo(trigger.zone))):
        moment = slot.astimezone(UTC)
        if moment > now:
            break
        latest = moment
    return latest
