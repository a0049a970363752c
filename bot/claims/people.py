"""Who may be an owner: active full members of this workspace."""

from bot.slack.answering import Declined
from bot.text import mention, word
from gateways.slack.errors import Undeliverable
from gateways.slack.person import Person
from jobs.house import House


async def must_be_member(house: House, user: str) -> None:
    """Raises Declined unless this person may have pods."""
    if not (await who(house, user)).full_member:
        raise Declined(
            "Only full members of this workspace can have pods or speak about them. Nothing was done."
        )


async def receiver(house: House, user: str) -> Person:
    """Somebody to whom a pod can be handed. Raises Declined with the reason if they cannot have it."""
    person = await who(house, user)
    if person.bot:
        raise Declined(f"{word(person.name)} is a bot; only a person can answer for a pod. Nothing was done.")
    if person.deactivated:
        raise Declined(f"{word(person.name)} is not active here any more. Nothing was done.")
    if not person.full_member:
        raise Declined(f"{mention(user)} is a guest; only full members can have pods. Nothing was done.")
    return person


async def who(house: House, user: str) -> Person:
    """Raises Declined if Slack knows nobody of that id."""
    try:
        return await house.slack.user(user)
    except Undeliverable as error:
        raise Declined("I know nobody of that name here. Choose them from Slack's list after `@`.") from error
