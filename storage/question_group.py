"""Questions to one person that were opened at one moment: they are shown in one message."""

from datetime import datetime

from sqlalchemy import ColumnElement, func
from sqlmodel import Session, col, select

from storage.outbox import redraw
from storage.question import Question, QuestionRow, copies
from storage.rows import read

LEAST = 4
"""So many are shown together; fewer each have a message of their own."""
ALONE = frozenset({"provision_failed", "person_asks", "agent_asks", "conflicting_claims"})
"""Reasons that more people than the owner are asked about, or that come from somebody."""


def group_of(session: Session, about: Question) -> list[Question]:
    """All cards that are shown together with this one, in their order; empty if it stands alone."""
    if _stands_alone(about):
        return []
    found = read(session, Question, QuestionRow, _together(about), order_by=[col(QuestionRow.id)])
    return found if len(found) >= LEAST else []


def shown_by(session: Session, about: Question) -> str | None:
    """The id of the question whose message shows this one among others; None: it stands alone."""
    if _stands_alone(about):
        return None
    first, many = session.exec(select(func.min(QuestionRow.id), func.count()).where(_together(about))).one()
    return str(first) if many >= LEAST else None


def _stands_alone(about: Question) -> bool:
    return about.kind != "card" or about.reason in ALONE


def _together(about: Question) -> ColumnElement[bool]:
    return (
        (col(QuestionRow.asked) == about.asked)
        & (col(QuestionRow.opened_at) == about.opened_at)
        & (col(QuestionRow.kind) == "card")
        & col(QuestionRow.reason).not_in(ALONE)
    )


def redraw_copies(session: Session, about: Question, now: datetime) -> None:
    """Have every message drawn anew that shows this question, alone or among others."""
    together = group_of(session, about) or [about]
    for message in {message for each in together for message in copies(session, each.id)}:
        redraw(session, message, now)
