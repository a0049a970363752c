"""What somebody writes to the bot in its direct messages."""

from bot.slack.answering import answer
from bot.slack.heard import Happening
from jobs.house import House

HINT = (
    "I understand commands: `/pod help` lists them, and you can type them right here. "
    "What is written to me without one is read by nobody."
)


async def written_to(house: House, happening: Happening) -> None:
    """A person wrote to the bot: tell them how to talk to it. Messages of bots, and edits, say nothing."""
    event = happening.event
    by_person = happening.user and not event.get("bot_id") and not event.get("subtype")
    if by_person and event.get("channel_type") == "im":
        await answer(house, happening, HINT)
