"""A private answer to whoever did something: by the address that came with it, else another way."""

from collections.abc import Sequence

from sqlmodel import Session

from bot.slack.heard import Answerable
from gateways.slack.errors import SlackRejected, Undeliverable
from gateways.slack.protocol import Block
from jobs.house import House
from storage.outbox import Letter, send


class Declined(Exception):
    """Nothing was done, and the sentence says why and what would be right. Raised by handlers."""

    def __init__(self, sentence: str, blocks: Sequence[Block] = ()) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.blocks = blocks


async def answer(
    house: House, to: Answerable, text: str, blocks: Sequence[Block] = (), *, replace: bool = False
) -> None:
    """Tell this person alone. `replace`: in the place of the message that was clicked.

    By the address that came with it, else where they did it, else in their direct messages, else in the ops
    channel for their eyes only. If none of these reaches them, the ops channel hears that much.
    Raises the errors of `gateways.slack.errors` if Slack cannot be reached now.
    """

    async def by_its_address() -> None:
        await house.slack.respond(str(to.response_url), text, blocks=blocks, replace=replace)

    async def in_the_channel() -> None:
        await house.slack.ephemeral(str(to.channel), to.user, text, blocks=blocks)

    async def directly() -> None:
        place = await house.slack.open_dm(to.user)
        await house.slack.post(place, text, blocks=blocks, dedupe=f"answer {to.key}")

    async def in_the_ops_channel() -> None:
        await house.slack.ephemeral(house.ops_channel, to.user, text, blocks=blocks)

    ways = [by_its_address] if to.response_url else []
    ways += [in_the_channel] if to.channel else []
    reason = ""
    for way in [*ways, directly, in_the_ops_channel]:
        try:
            return await way()
        except (Undeliverable, SlackRejected) as error:
            reason = reason or error.reason
    await house.db.run(lambda session: _unanswered(session, house, to.user, reason))
    house.wakes.wake("outbox")
    return None


def _unanswered(session: Session, house: House, user: str, reason: str) -> None:
    """Once a day for each person."""
    now = house.clock.now()
    name = f"unanswered {user} {now.date()}"
    send(session, Letter(name, house.ops_channel, "unanswered", {"user": user, "reason": reason}), now)
