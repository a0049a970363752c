"""One question as a message: the card, and the notice of an end that comes by itself."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session

from bot.approvals.asked import Asked
from bot.approvals.buttons import card_buttons
from bot.approvals.ending import ends_at
from bot.approvals.fate import NOTHING, held_back, until, without_an_answer
from bot.approvals.outcome import outcome
from bot.approvals.words import (
    asked_act,
    costs,
    stopped_by_runpods_word,
    what_is_lost,
    which,
    whose,
    why,
)
from bot.text import context, mention, section, with_hint
from gateways.slack.protocol import Block
from jobs.house import House
from jobs.outbox.kinds import Message
from storage.question import QuestionState


def draw_card(
    session: Session,
    about: Asked,
    house: House,
    now: datetime,
    unreachable: str | None = None,
    *,
    reader: str | None = None,
) -> Message:
    """The whole card, from the present facts. `unreachable`: whom it could not be sent to; `reader`: somebody
    besides the owner, who can decide only what is theirs."""
    lines = head(session, about, house, now, unreachable)
    if about.question.state is not QuestionState.OPEN:
        told = outcome(session, about)
        return Message("\n".join([*lines, told]), [section("\n".join(lines)), section(told)])
    more = [whose(about.pod.whose), what_is_lost(session, about.pod, asked_act(about.question))]
    last = until(session, about, now, reached=unreachable is None)
    decides = reader is None or about.pod.is_mine(reader)
    buttons = card_buttons(about.question, about.pod, now, for_admins=unreachable is not None)
    blocks: Sequence[Block] = [
        section("\n".join(lines)),
        section("\n".join(more)),
        context(last),
        *([buttons] if decides else []),
    ]
    return Message("\n".join([*lines, *more, last]), blocks)


def head(
    session: Session, about: Asked, house: House, now: datetime, unreachable: str | None = None
) -> list[str]:
    """Which pod, its money, and why it is asked."""
    pod, question = about.pod, about.question
    said = stopped_by_runpods_word(session, pod.pod_id, now, house.policy.max_gap)
    lines = [which(pod, now), costs(session, pod, now), why(question, pod, now, said)]
    ends = ends_at(about, house, now) if question.kind == "notice" else None
    comes = question.state is QuestionState.OPEN and held_back(session, question) is None
    if ends is not None and comes and unreachable is None:
        lines[2] += f" *It ends by itself at {with_hint(ends, now)}.*"
    if unreachable is not None:
        stays = question.kind == "notice" or without_an_answer(session, about, reached=False) == NOTHING
        so = ", so nothing ends by itself" if stays else ""
        lines.append(f"I could not reach {mention(unreachable)}{so}. What now?")
    return lines
