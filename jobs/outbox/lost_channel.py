"""The ops channel is where nothing may pass unnoticed. Once it is lost, the admins hear of it and no clock
ends anything until it is reached again."""

from collections.abc import Iterable
from datetime import datetime

from sqlmodel import Session

from storage.outbox import Letter, send
from storage.switch import Switch, is_on, set_switch
from storage.switches import OPS_CHANNEL_LOST
from storage.trail import Event, record


def note_lost(session: Session, admins: Iterable[str], reason: str, at: datetime) -> None:
    """The ops channel takes no messages, for Slack's `reason`. Every admin hears of it, once a day."""
    if not is_on(session, OPS_CHANNEL_LOST):
        _turn(session, "on", at, reason)
    for admin in admins:
        name = f"ops channel lost {admin} {at.date()}"
        send(session, Letter(name, admin, "ops_channel_lost", {"reason": reason}, urgent=True), at)


def note_reached(session: Session, at: datetime) -> None:
    """The ops channel has taken a message."""
    if is_on(session, OPS_CHANNEL_LOST):
        _turn(session, "off", at, "it has taken a message")


def _turn(session: Session, value: str, at: datetime, why: str) -> None:
    set_switch(session, Switch(OPS_CHANNEL_LOST, value, "podkeeper", at))
    record(session, Event(at, "podkeeper", f"ops_channel.lost_{value}", "ops channel", {"why": why}))
