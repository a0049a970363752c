"""A provision whose row cannot be read: nothing is done about it or its pod. The ops channel and its owner
hear of it each day, for the pod may bill.
"""

from datetime import timedelta
from zoneinfo import ZoneInfo

import structlog
from sqlmodel import Session

from jobs.house import House
from storage.columns import JsonObject
from storage.ledger import ProvisionRecord, put_off
from storage.outbox import Letter, is_known, send
from storage.trail import Event, record

DAMAGED = "provision_damaged"
LOOKED_AT_AGAIN_AFTER = timedelta(minutes=5)
"""Somebody may have mended the row."""


class DamagedRowError(Exception):
    """What is written down of a provision cannot be read."""


_log = structlog.get_logger(__name__)


async def leave_alone(house: House, taken: ProvisionRecord) -> None:
    """Say so, and let go of it for a while."""
    _log.error("a provision's row cannot be read; it is left alone", provision=taken.id, pod=taken.pod_id)
    await house.db.run(lambda session: _tell(session, house, taken))
    house.wakes.wake("outbox")


def _tell(session: Session, house: House, taken: ProvisionRecord) -> None:
    now = house.clock.now()
    if not put_off(session, taken, now + LOOKED_AT_AGAIN_AFTER):
        return
    name = f"provision/{taken.id}/damaged/{now.astimezone(ZoneInfo(house.schedules.zone)).date()}"
    if is_known(session, name):
        return
    refs: JsonObject = {"provision": taken.id}
    send(session, Letter(name, house.ops_channel, DAMAGED, refs, urgent=True), now)
    send(session, Letter(f"{name} to its owner", taken.owner, DAMAGED, refs, urgent=True), now)
    record(session, Event(now, "podkeeper", "provision.damaged", taken.id, {"pod": taken.pod_id}))
