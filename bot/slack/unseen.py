"""Clicks on what the clicker cannot see. Slack makes none; whoever made one learns nothing from it."""

from bot.slack.heard import Click
from jobs.house import House
from storage.columns import JsonObject
from storage.outbox import sent_to
from storage.trail import Event, record

_DIRECT = "D"
"""How Slack's ids of direct messages begin."""


async def turned_away(house: House, click: Click) -> bool:
    """Whether it was made on a message that was sent to another person: only somebody's own direct messages
    are closed to others. If so, it is recorded."""
    channel, ts = click.channel or "", click.message_ts
    if ts is None or not channel.startswith(_DIRECT):
        return False
    addressee = await house.db.read(lambda session: sent_to(session, channel, ts))
    if addressee is None or addressee in (click.user, channel):
        return False
    facts: JsonObject = {"button": click.action_id[:100], "value": (click.value or "")[:100], "told": None}
    event = Event(house.clock.now(), click.user, "press.refused", "message", facts)
    await house.db.run(lambda session: record(session, event))
    return True
