"""*Yes, mine*: the owner of an agent lets it act."""

from collections.abc import Mapping

from bot.agents.registry import AgentError, confirm
from bot.slack.answering import Declined
from bot.slack.heard import Click
from bot.table import Press
from jobs.house import House


async def press_confirm(house: House, click: Click) -> None:
    """The button carries the agent's name; whose it is, is looked up now."""
    name, now = click.value or "", house.clock.now()
    try:
        await house.db.run(lambda session: confirm(session, name, click.user, now))
    except AgentError as error:
        raise Declined(str(error)) from error
    house.wakes.wake("outbox")


AGENT_CLICKS: Mapping[str, Press] = {"agent_confirm": press_confirm}
