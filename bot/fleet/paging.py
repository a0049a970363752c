"""*More* and *Back* below every list of the bot."""

from collections.abc import Mapping

from bot.approvals.group import KIND as QUESTIONS
from bot.approvals.group import SIZE as QUESTIONS_SIZE
from bot.approvals.group import draw_page
from bot.audit.fleet import KIND as AUDIT
from bot.audit.fleet import SIZE as AUDIT_SIZE
from bot.audit.fleet import draw_fleet
from bot.fleet.listing import KIND as POD_LIST
from bot.fleet.listing import SIZE as POD_LIST_SIZE
from bot.fleet.listing import draw_list
from bot.fleet.pages import Draw, turn
from bot.home.opening import is_home, turn_home
from bot.slack.heard import Click
from jobs.house import House

LISTS: Mapping[str, tuple[int, Draw]] = {
    POD_LIST: (POD_LIST_SIZE, draw_list),
    AUDIT: (AUDIT_SIZE, draw_fleet),
    QUESTIONS: (QUESTIONS_SIZE, draw_page),
}
"""Kind of list → how much of it is shown at a time, and the function that draws that."""


async def turn_page(house: House, click: Click) -> None:
    """Show the part of the list that comes next, or came before."""
    if await house.db.read(lambda session: is_home(session, click.value)):
        return await turn_home(house, click)
    return await turn(house, click, LISTS)
