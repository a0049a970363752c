"""Who the people behind an order are, asked of Slack once, before anything is rented for them."""

import asyncio

from sqlmodel import Session

from gateways.slack.errors import SlackError
from jobs.house import House
from jobs.leaving import asked_of_slack, write_people
from storage.ledger import ProvisionRecord
from storage.person import person

ASK_SLACK_SECONDS = 5.0


async def know_people(house: House, taken: ProvisionRecord) -> bool:
    """Whether everybody who is behind the order is known, asking Slack where nobody was asked before."""
    users = [user for user in dict.fromkeys((taken.owner, taken.asker)) if user[:1] in "UW"]
    unknown = await house.db.read(lambda session: [user for user in users if _is_unknown(session, user)])
    try:
        async with asyncio.timeout(ASK_SLACK_SECONDS):
            told = [await asked_of_slack(house, user) for user in unknown]
    except (SlackError, TimeoutError):
        return False
    await write_people(house, told)
    return True


def _is_unknown(session: Session, user: str) -> bool:
    return person(session, user) is None
