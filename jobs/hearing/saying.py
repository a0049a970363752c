"""Saying what is due of one state: a card the first time, reminders after it, or a line where all see it."""

from collections.abc import Iterable
from datetime import datetime

from sqlmodel import Session

from jobs.hearing.asking import open_card
from jobs.hearing.present import Present
from jobs.hearing.zones import quiet_hours
from jobs.house import House
from pods.hearing import Matter, Say, State, Wait, Who, due
from storage.columns import JsonObject
from storage.outbox import Letter, send
from storage.question import open_questions
from storage.said import Said, note_said

REMINDER, POD_STATE = "reminder", "pod_state"


def say_if_due(session: Session, house: House, present: Present, told: list[Said], now: datetime) -> bool:
    """Write what is due of this state now. False if nothing is, or another process has just said it."""
    said = [one for one in told if one.since == present.began_at]
    opened_at = present.question.opened_at if present.question else None
    matter = Matter(
        state=present.state,
        owner_known=present.owner is not None,
        began_at=present.began_at,
        not_before=present.not_before,
        first_said_at=opened_at or (said[0].at if said else None),
        last_said_at=said[-1].at if said else opened_at,
    )
    if isinstance(due(matter, now, None, house.policy), Wait):
        return False
    say = due(matter, now, quiet_hours(session, house, present.owner), house.policy)
    if not isinstance(say, Say) or say.who == {Who.WEEKLY_LIST}:
        return False
    n = said[-1].n + 1 if said else (2 if opened_at else 1)
    if not note_said(session, Said(present.subject, present.state, present.began_at, n, now)):
        return False
    _speak(session, house, present, say, n, now)
    return True


def _speak(session: Session, house: House, present: Present, say: Say, n: int, now: datetime) -> None:
    people = [*_people(present, say)]
    reason, facts = present.reason, present.facts
    opened = False
    if reason is not None and facts is not None and people:
        opened = open_card(session, house, facts, reason, people, now, urgent=say.urgent)
    if not opened:
        for person in people:
            _send(session, present, _kind(present), person, n, say, now)
    if Who.OPS in say.who or not people:
        _send(session, present, _ops_kind(present), house.ops_channel, n, say, now)


def _people(present: Present, say: Say) -> Iterable[str]:
    """The persons who hear it, the owner first."""
    owner = present.owner
    if Who.OWNER in say.who and owner is not None and owner[:1] in "UW":
        yield owner
    if Who.ASKER in say.who and present.asker is not None:
        yield present.asker


def _kind(present: Present) -> str:
    match present.state:
        case State.UNFENCED | State.CREATE_UNKNOWN | State.END_NOT_CONFIRMED:
            return present.state
        case _:
            return REMINDER


def _ops_kind(present: Present) -> str:
    match present.state:
        case State.CREATE_UNKNOWN | State.END_NOT_CONFIRMED | State.WITNESS_OUT:
            return present.state
        case _:
            return POD_STATE


def _send(
    session: Session, present: Present, kind: str, target: str, n: int, say: Say, now: datetime
) -> None:
    open_one = _open_question(session, present) if kind == REMINDER else None
    refs: JsonObject = {
        "state": present.state,
        "subject": present.subject,
        "owner": present.owner if say.mention else None,
        "question": open_one,
        "since": present.began_at.isoformat(),
    }
    name = f"heard/{present.state}/{present.subject}/{present.began_at.isoformat()}/{n}/{target}"
    send(session, Letter(name, target, kind, refs, urgent=say.urgent), now)


def _open_question(session: Session, present: Present) -> str | None:
    about = (each.id for each in open_questions(session) if each.pod_id == present.subject)
    return next(about, None)
