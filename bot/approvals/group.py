"""Many questions to one person in one message: every pod of them is shown, and each can be decided."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session

from bot.approvals.asked import Asked, all_asked, asked
from bot.approvals.buttons import card_buttons
from bot.approvals.card import head
from bot.approvals.fate import NOTHING, until_all, without_an_answer
from bot.approvals.outcome import outcome
from bot.fleet.pages import and_more, part, turner
from bot.text import Shown, actions, button, context, mention, money, section
from gateways.slack.protocol import Block
from jobs.house import House
from jobs.outbox.kinds import Message
from storage.keys import key_from
from storage.page import Page, page, put_page
from storage.question import Question, QuestionState
from storage.question_group import group_of

KIND = "questions"
SIZE = 10
MOST_FOR_ALL = 20
"""In a channel nobody turns pages: what is decided makes room for the rest. Slack takes 50 blocks."""
ALL = "cards_all"


def draw_group(
    session: Session, together: Sequence[Question], house: House, now: datetime, unreachable: str | None
) -> Message:
    """The part of the list that is shown now. Nothing is cut off: the rest is behind *More*."""
    shown_page = page(session, page_id(together)) or new_page(together, now)
    return Message(*_drawn(session, shown_page, together, house, now, unreachable))


def draw_page(session: Session, found: Page, house: House) -> Shown:
    """The same, for who pages through it."""
    leader = found.items.get("ids")
    first = asked(session, str(leader[0]), house) if isinstance(leader, list) and leader else None
    together = group_of(session, first.question) if first else []
    return Shown(*_drawn(session, found, together, house, house.clock.now(), None))


def page_id(together: Sequence[Question]) -> str:
    """Where somebody is in the list; made from its first question, so that it is always the same."""
    return key_from(f"questions {together[0].id}")


def new_page(together: Sequence[Question], now: datetime) -> Page:
    """At its beginning."""
    return Page(page_id(together), KIND, together[0].asked, {"ids": [one.id for one in together]}, 0, now)


def remember(session: Session, together: Sequence[Question], now: datetime) -> None:
    """Let it be paged through."""
    if page(session, page_id(together)) is None:
        put_page(session, new_page(together, now))


def _drawn(
    session: Session,
    shown_page: Page,
    together: Sequence[Question],
    house: House,
    now: datetime,
    unreachable: str | None,
) -> tuple[str, list[Block]]:
    undecided = [one.id for one in together if one.state is QuestionState.OPEN]
    here = part(shown_page, SIZE) if unreachable is None else undecided[:MOST_FOR_ALL]
    abouts = all_asked(session, here, house)
    still_open, reached = all_asked(session, undecided, house), unreachable is None
    title = _title(still_open, together)
    if unreachable is not None:
        title += f" I could not reach {mention(unreachable)}."
    blocks: list[Block] = [section(title)]
    told = [title]
    for about in abouts:
        lines = head(session, about, house, now)
        is_open = about.question.state is QuestionState.OPEN
        fate = without_an_answer(session, about, reached=reached) if is_open else NOTHING
        lines += [f"Without an answer {fate}."] if fate != NOTHING else []
        text = "\n".join(lines if is_open else [*lines, outcome(session, about)])
        told.append(text)
        blocks.append(section(text))
        if is_open:
            blocks.append(card_buttons(about.question, about.pod, now, for_admins=unreachable is not None))
    if still_open and unreachable is None:
        blocks.append(actions(button("All of them…", ALL, shown_page.id)))
    paging = turner(shown_page, SIZE) if unreachable is None else []
    more = f"{and_more(shown_page, SIZE)}." if unreachable is None else _and_the_rest(undecided)
    ends = until_all(session, still_open, reached=reached)
    return "\n".join(told), [*blocks, *paging, context(f"{more} {ends}".strip())]


def _and_the_rest(undecided: Sequence[str]) -> str:
    rest = len(undecided) - MOST_FOR_ALL
    return f"and {rest} more, which are shown here as these are decided." if rest > 0 else ""


def _title(still_open: Sequence[Asked], together: Sequence[Question]) -> str:
    if not still_open:
        return f"*All {len(together)} are decided.*"
    rates = [about.pod.usd_per_hour for about in still_open if about.pod.usd_per_hour is not None]
    return f"*{len(still_open)} pods need a decision*; together they cost {money(sum(rates))} an hour."
