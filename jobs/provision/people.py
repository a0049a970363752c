"""Who the people behind an order are, asked of Slack before anything is rented for them."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session

from gateways.slack.errors import SlackError
from jobs.house import House
from jobs.leaving import asked_of_slack, write_people
from pods.provision.seen import Permit
from storage.ledger import ProvisionRecord
from storage.order_question import permit
from storage.person import person

ASK_SLACK_SECONDS = 5.0
FRESH_FOR = timedelta(minutes=5)
"""Who was a full member this morning may be a guest by now: so old a word of Slack's is not rented on."""


def behind(ordered: ProvisionRecord) -> list[str]:
    """The people of an order; an agent is nobody whom Slack knows."""
    return [user for user in dict.fromkeys((ordered.owner, ordered.asker)) if user[:1] in "UW"]


async def know_people(house: House, taken: ProvisionRecord) -> bool:
    """Whether everybody who is behind the order is known. Goes by what was known if Slack cannot say now."""
    now = house.clock.now()
    unknown, old = await house.db.read(lambda session: _to_ask(session, taken, now))
    return await ask_about(house, [*unknown, *old]) or not unknown


async def ask_about(house: House, users: Sequence[str]) -> bool:
    """Ask Slack about them now, and write down what it says. False if it did not say all of it."""
    told = []
    try:
        async with asyncio.timeout(ASK_SLACK_SECONDS):
            for user in users:
                told.append(await asked_of_slack(house, user))
    except (SlackError, TimeoutError):
        pass
    await write_people(house, told)
    return len(told) == len(users)


def _to_ask(session: Session, taken: ProvisionRecord, now: datetime) -> tuple[list[str], list[str]]:
    """The unknown, and those about whom we asked too long ago to rent on it. No click, no renting."""
    known = {user: person(session, user) for user in behind(taken)}
    unknown = [user for user, one in known.items() if one is None]
    if permit(session, taken.id) is Permit.ASKED:
        return unknown, []
    return unknown, [user for user, one in known.items() if one and one.fetched_at <= now - FRESH_FOR]
