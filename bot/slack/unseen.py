"""Clicks on what the clicker cannot see. Slack makes none; whoever made one learns nothing from it."""

from datetime import datetime

from sqlmodel import Session

from bot.slack.heard import Click
from storage.columns import JsonObject
from storage.outbox import sent_to
from storage.trail import Event, record

_DIRECT = "D"
"""How Slack's ids of direct messages begin."""


def in_anothers_messages(click: Click) -> bool:
    """It may be so: only somebody's own direct messages are closed to others."""
    return click.message_ts is not None and (click.channel or "").startswith(_DIRECT)


def turned_away(session: Session, click: Click, now: datetime) -> bool:
    """Whether it was made on a message that was sent to another person. If so, it is recorded."""
    addressee = sent_to(session, click.channel or "", click.message_ts or "")
    if addressee is None or addressee in (click.user, click.channel):
        return False
    facts: JsonObject = {"button": click.action_id[:100], "value": (click.value or "")[:100], "told": None}
    record(session, Event(now, click.user, "press.refused", "message", facts))
    return True
