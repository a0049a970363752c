"""One decision: weighed against present facts and written down with all that follows, in one transaction.

The first wins. Whatever comes too late, from elsewhere or from somebody else has its own sentence, and what
was pressed without a right is recorded.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import assert_never

from sqlmodel import Session

from bot.approvals.applying import apply
from bot.approvals.asked import Asked, asked, unchanged
from bot.approvals.decision import Act, May, MayNot, Wish, may
from bot.approvals.outcome import decided
from bot.keep.giving import too_long
from bot.slack.heard import Answerable
from bot.text import Shown, mention, when, word
from jobs.house import House
from storage.columns import JsonObject
from storage.outbox import place_of
from storage.question import Question, QuestionState, copies, decide, expire, question, void
from storage.question_group import redraw_copies
from storage.switch import switches
from storage.switches import PAUSED
from storage.trail import Event, record

NOT_ON_RECORD = "This question is not on record (any more). Nothing was done. `/pod list` shows your pods."
CHANGED = "The pod has changed since you were asked, so nothing was done. I ask again if there is a reason."


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing was done. None: somebody who cannot even see the message; that is recorded, not answered."""

    sentence: str | None


def settle(session: Session, house: House, to: Answerable, question_id: str, wish: Wish) -> Shown | Refused:
    """Decide, or say why not. The same press, handled twice, is told the same."""
    now = house.clock.now()
    about = asked(session, question_id, house)
    if about is None:
        return _refused(session, to, question_id, wish, NOT_ON_RECORD, now)
    verdict = may(wish, about.question, about.pod, to.user, is_admin=to.user in house.admins)
    if isinstance(verdict, MayNot) and verdict.stranger:
        seen = _can_see(session, about.question, to, house)
        return _refused(session, to, question_id, wish, verdict.sentence if seen else None, now)
    if (late := _too_late(session, about, to, wish, now)) is not None:
        return late
    if isinstance(verdict, MayNot):
        return _refused(session, to, question_id, wish, verdict.sentence, now)
    if wish.lasting is not None and wish.lasting > house.answers.keep_max:
        return _refused(session, to, question_id, wish, too_long(house.answers.keep_max), now)
    if wish.act in (Act.STOP, Act.END) and (held := _paused(session)):
        return _refused(session, to, question_id, wish, held, now)
    return _decide(session, house, to, about, wish, verdict)


def _decide(
    session: Session, house: House, to: Answerable, about: Asked, wish: Wish, verdict: May
) -> Shown | Refused:
    now = house.clock.now()
    execute_by = now + house.answers.execute_by if wish.act in (Act.STOP, Act.END) else None
    if not decide(session, about.question.id, to.user, wish.act, now, execute_by):
        return _lost(session, house, about.question.id, to, wish)
    told = apply(session, house, to, about, wish, as_admin=verdict.as_admin)
    facts: JsonObject = {"question": about.question.id, "decision": wish.act, "click": to.key}
    record(session, Event(now, to.user, "question.decided", about.pod.pod_id, facts))
    redraw_copies(session, about.question, now)
    return told


def _too_late(
    session: Session, about: Asked, to: Answerable, wish: Wish, now: datetime
) -> Shown | Refused | None:
    """It is closed, its time is up, or the pod is another than was asked about."""
    found, name = about.question, f"*{word(about.pod.name)}*"
    match found.state:
        case QuestionState.DECIDED:
            return _decided_before(session, about, to, wish, now)
        case QuestionState.VOID:
            return _refused(session, to, found.id, wish, CHANGED, now)
        case QuestionState.EXPIRED:
            return _refused(session, to, found.id, wish, _over(name, found), now)
        case QuestionState.OPEN:
            return _over_now(session, about, to, wish, now)
        case _:
            assert_never(found.state)


def _over_now(session: Session, about: Asked, to: Answerable, wish: Wish, now: datetime) -> Refused | None:
    found, name = about.question, f"*{word(about.pod.name)}*"
    if found.expires_at is not None and found.expires_at <= now:
        expire(session, found.id, now)
        redraw_copies(session, found, now)
        return _refused(session, to, found.id, wish, _over(name, found), now)
    if about.pod.gone_at is not None:
        void(session, found.id, now, "the pod is gone")
        redraw_copies(session, found, now)
        gone = f"{name} is gone already; there is nothing left to decide."
        return _refused(session, to, found.id, wish, gone, now)
    if not unchanged(session, about):
        void(session, found.id, now, "the pod has changed since")
        redraw_copies(session, found, now)
        return _refused(session, to, found.id, wish, CHANGED, now)
    return None


def _decided_before(
    session: Session, about: Asked, to: Answerable, wish: Wish, now: datetime
) -> Shown | Refused:
    found = about.question
    if found.decided_by == to.user and found.decision == wish.act:
        return Shown(f"You have decided that already. {decided(session, about)}")
    sentence = f"*{word(about.pod.name)}* was decided already. {decided(session, about)}"
    return _refused(session, to, found.id, wish, sentence, now)


def _lost(session: Session, house: House, question_id: str, to: Answerable, wish: Wish) -> Shown | Refused:
    """Somebody else was quicker, in this very moment."""
    again = asked(session, question_id, house)
    if again is not None and again.question.state is QuestionState.DECIDED:
        return _decided_before(session, again, to, wish, house.clock.now())
    return _refused(session, to, question_id, wish, CHANGED, house.clock.now())


def _over(name: str, found: Question) -> str:
    until = f" ({when(found.expires_at)})" if found.expires_at else ""
    return f"The time to answer about {name} is over{until}, so nothing was done. `/pod` commands still work."


def _paused(session: Session) -> str | None:
    paused = switches(session).get(PAUSED)
    if paused is None or paused.value != "on":
        return None
    return (
        f"{mention(paused.set_by)} has paused everything: nothing is ended or stopped now. You can keep it."
    )


def _can_see(session: Session, found: Question, to: Answerable, house: House) -> bool:
    """Somebody who is where the question is shown has pressed what everybody there sees."""
    places = {place.channel for each in copies(session, found.id) if (place := place_of(session, each))}
    return to.channel is not None and to.channel in places | {house.ops_channel}


def _refused(
    session: Session, to: Answerable, question_id: str, wish: Wish, sentence: str | None, now: datetime
) -> Refused:
    found = question(session, question_id)
    facts: JsonObject = {"question": question_id[:100], "wanted": wish.act, "told": sentence}
    subject = found.pod_id if found else "question"
    record(session, Event(now, to.user, "press.refused", subject, facts))
    return Refused(sentence)
