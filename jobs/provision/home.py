"""Where a provision lives in Slack: the channel it was asked from, or a direct message that says so."""

import asyncio
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from gateways.slack.errors import SlackError, Undeliverable
from jobs.house import House
from storage.columns import JsonObject
from storage.ledger import ProvisionRecord
from storage.outbox import Letter, OutboxRow, send
from storage.provision_asks import set_head_message

HEAD = "provision_head"
"""The kind of the message in whose thread a provision lives."""
ASK_SLACK_SECONDS = 3.0
"""A provision does not wait for Slack: after so long the channel is believed to take messages."""


@dataclass(frozen=True, slots=True)
class Home:
    """`head`: the id of the message; `target`: the channel or person it goes to."""

    head: str
    target: str


async def home_of(house: House, taken: ProvisionRecord) -> Home:
    """The home, made at the first look, and made anew as a direct message where the channel took none."""
    known = await house.db.read(lambda session: _standing(session, taken))
    if known is not None:
        return known
    person = taken.asker if taken.asker[:1] in "UW" else taken.owner
    channel = taken.channel
    if taken.head_message is None and channel and await takes_messages(house, channel):
        return await house.db.run(lambda session: _settle(session, house.clock.now(), taken, channel, None))
    return await house.db.run(lambda session: _settle(session, house.clock.now(), taken, person, channel))


def _standing(session: Session, taken: ProvisionRecord) -> Home | None:
    """The home there is, unless its channel refused the message."""
    if taken.head_message is None:
        return None
    wanted = select(OutboxRow.id, OutboxRow.target, OutboxRow.gave_up_at)
    found = session.exec(wanted.where(col(OutboxRow.id) == taken.head_message)).first()
    if found is None:
        return None
    head, target, gave_up_at = found
    return None if gave_up_at is not None and target == taken.channel else Home(head, target)


def _settle(
    session: Session, now: datetime, taken: ProvisionRecord, target: str, instead_of: str | None
) -> Home:
    refs: JsonObject = {"provision": taken.id, "instead_of": instead_of}
    head = send(session, Letter(f"provision/{taken.id}/head/{target}", target, HEAD, refs), now)
    set_head_message(session, taken.id, head)
    return Home(head, target)


async def takes_messages(house: House, channel: str) -> bool:
    """Whether the bot may write there, as far as Slack says so in time."""
    try:
        async with asyncio.timeout(ASK_SLACK_SECONDS):
            found = await house.slack.channel(channel)
    except Undeliverable:
        return False
    except (SlackError, TimeoutError):
        return True
    return found.bot_is_member and not found.archived
