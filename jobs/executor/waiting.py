"""What a deed waits for before anybody looks at its pod."""

from datetime import datetime, timedelta

from sqlmodel import Session

from jobs.executor.evidence import warning
from jobs.executor.facts import standing
from jobs.executor.pauses import HELD_LOOK, later
from jobs.house import House
from jobs.judgement.loading import pass_facts
from pods.guards import GUARDS, OnPause, Path
from pods.never_ran import never_ran
from pods.permission import ADMIN_WARNING
from storage.deed import Deed
from storage.switch import is_on
from storage.switches import PAUSED

_PUT_OFF = frozenset(path for path, guard in GUARDS.items() if guard.on_pause is OnPause.PUT_OFF)
WARNING_LOOK = timedelta(seconds=15)


def waits_until(session: Session, house: House, deed: Deed, now: datetime) -> datetime | None:
    """When to look again; None: it waits for nothing, and the guards decide."""
    if deed.path in _PUT_OFF and is_on(session, PAUSED):
        return later(house, HELD_LOOK, now)
    if deed.path == Path.ADMIN:
        return _owner_hears_first(session, house, deed, now)
    return None


def _owner_hears_first(session: Session, house: House, deed: Deed, now: datetime) -> datetime | None:
    told = warning(session, deed.id)
    if told is None or told.gave_up_at is not None or _never_ran(session, house, deed, now):
        return None
    if told.delivered_at is None:
        return later(house, WARNING_LOOK, now)
    ready_at = told.delivered_at + ADMIN_WARNING
    return ready_at if now < ready_at else None


def _never_ran(session: Session, house: House, deed: Deed, now: datetime) -> bool:
    pod = standing(session, deed.pod_id, now, house.policy)
    if pod is None:
        return False
    return never_ran(pod.facts, pass_facts(session, now, house.policy))
