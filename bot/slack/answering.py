"""A private answer to whoever did something: by the address that came with it, else another way."""

from collections.abc import Sequence

from bot.slack.heard import Answerable
from gateways.slack.errors import SlackRejected, Undeliverable
from gateways.slack.protocol import Block
from jobs.house import House


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

    Raises the errors of `gateways.slack.errors` if Slack cannot be reached now.
    """
    if to.response_url:
        try:
            return await house.slack.respond(to.response_url, text, blocks=blocks, replace=replace)
        except (Undeliverable, SlackRejected):
            pass
    if to.channel:
        try:
            return await house.slack.ephemeral(to.channel, to.user, text, blocks=blocks)
        except Undeliverable:
            pass
    place = await house.slack.open_dm(to.user)
    await house.slack.post(place, text, blocks=blocks, dedupe=f"answer {to.key}")
    return None
