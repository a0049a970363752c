"""The messages that show questions, and what is written when Slack has taken one."""

from datetime import datetime

from sqlmodel import Session, col

from bot.approvals.asked import asked
from bot.approvals.asker import came_of_asking
from bot.approvals.card import draw_card
from bot.approvals.group import draw_group, remember
from jobs.house import House
from jobs.outbox.kinds import UNDELIVERABLE, Kind, Kinds, Message, Taken
from storage.columns import JsonObject
from storage.question import CAME_OF, Question, QuestionRow, note_delivery, question, shown_in
from storage.question_group import group_of, shown_by
from storage.rows import change


def approval_kinds(house: House) -> Kinds:
    """Cards and notices; one that reaches nobody goes to the ops channel."""

    def card(session: Session, refs: JsonObject, now: datetime) -> Message | None:
        found = question(session, str(refs["question"]))
        first = shown_by(session, found) if found else None
        if found and first is not None:
            together = group_of(session, found) if first == found.id else []
            return draw_group(session, together, house, now, _unreachable(refs)) if together else None
        about = asked(session, str(refs["question"]), house)
        reader = str(refs["to"]) if refs.get("to") else None
        return draw_card(session, about, house, now, _unreachable(refs), reader=reader) if about else None

    def notice(session: Session, refs: JsonObject, now: datetime) -> Message | None:
        about = asked(session, str(refs["question"]), house)
        return draw_card(session, about, house, now, _unreachable(refs)) if about else None

    def taken(session: Session, message: Taken) -> None:
        found = question(session, str(message.refs["question"]))
        if found is None:
            return
        together = group_of(session, found)
        if together:
            remember(session, together, message.at)
        for each in together or [found]:
            shown_in(session, each.id, message.message_id)
            if UNDELIVERABLE not in message.refs:
                _begin(session, each, message.at, house)

    def came_of(session: Session, refs: JsonObject, _now: datetime) -> Message | None:
        return came_of_asking(session, refs, house)

    return {
        CAME_OF: Kind(came_of),
        "card": Kind(card, falls_back=True, on_taken=taken),
        "notice": Kind(notice, falls_back=True, on_taken=taken),
    }


def _begin(session: Session, about: Question, at: datetime, house: House) -> None:
    """Its owner has it: the clock of a stale end starts now, and only now."""
    note_delivery(session, about.id, at)
    if about.kind == "notice" and about.reason == "stale" and about.delivered_at is None:
        this = col(QuestionRow.id) == about.id
        change(session, QuestionRow, this, ends_at=at + house.policy.stale_notice)


def _unreachable(refs: JsonObject) -> str | None:
    found = refs.get(UNDELIVERABLE)
    return str(found) if found else None
