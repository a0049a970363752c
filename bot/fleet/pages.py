"""Lists that are longer than a message: *More* and *Back*, for whoever they were shown to."""

from collections.abc import Callable, Mapping

from sqlmodel import Session

from bot.slack.answering import Declined, answer
from bot.slack.heard import Click
from bot.text import Shown, actions, button
from jobs.house import House
from storage.page import Page, page, put_page

NEXT, BACK = "page_next", "page_prev"
_OVER = "This list is not there any more; please ask for it again."

Draw = Callable[[Session, Page, House], Shown]
"""A page, drawn from the present facts."""


async def turn(house: House, click: Click, kinds: Mapping[str, tuple[int, Draw]]) -> None:
    """Show the next or the last part of a list in the place of the one that is shown."""

    def work(session: Session) -> Shown:
        found = page(session, click.value or "")
        if found is None or found.shown_to != click.user or found.kind not in kinds:
            raise Declined(_OVER)
        size, draw = kinds[found.kind]
        moved = _moved(found, click, size)
        put_page(session, moved)
        return draw(session, moved, house)

    shown = await house.db.run(work)
    await answer(house, click, shown.text, shown.blocks, replace=True)


def _moved(found: Page, click: Click, size: int) -> Page:
    """The same click delivered twice turns one page."""
    if found.items.get("turned_by") == click.key:
        return found
    step = size if click.action_id == NEXT else -size
    total = length(found)
    position = min(max(found.position + step, 0), max((total - 1) // size * size, 0))
    return Page(
        found.id, found.kind, found.shown_to, {**found.items, "turned_by": click.key}, position, found.at
    )


def length(found: Page) -> int:
    """How many items the list has."""
    items = found.items.get("ids")
    return len(items) if isinstance(items, list) else 0


def part(found: Page, size: int) -> list[str]:
    """The items that are shown now."""
    items = found.items.get("ids")
    return (
        [str(item) for item in items[found.position : found.position + size]]
        if isinstance(items, list)
        else []
    )


def turner(found: Page, size: int) -> list[Mapping[str, object]]:
    """The buttons below a part; none if the list is short."""
    buttons = []
    if found.position > 0:
        buttons.append(button("Back", BACK, found.id))
    if found.position + size < length(found):
        buttons.append(button("More", NEXT, found.id))
    return [actions(*buttons)] if buttons else []


def and_more(found: Page, size: int) -> str:
    """`1 to 15 of 1,000, and 985 more`."""
    total, first = length(found), found.position + 1
    last = min(found.position + size, total)
    left = total - last
    return f"{first} to {last} of {total:,}" + (f", and {left:,} more" if left else "")
