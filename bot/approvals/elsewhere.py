"""A question about a pod that its people have answered by another way: a command, a button in its thread."""

from datetime import datetime

from sqlmodel import Session

from bot.approvals.applying import note_left_alive
from bot.approvals.asked import KINDS
from bot.approvals.decision import MayNot, Wish, may
from bot.fleet.views import PodView
from bot.slack.heard import Answerable
from jobs.house import House
from storage.columns import JsonObject
from storage.question import Question, QuestionState, decide, note_outcome, questions_about
from storage.question_group import redraw_copies
from storage.trail import Event, record


def answered(
    session: Session,
    house: House,
    by: Answerable,
    pod: PodView,
    wish: Wish,
    came_of_it: str,
    deed_id: str | None,
) -> None:
    """Close what is open about this pod as decided so by who may decide it, and have every copy say that."""
    now, is_admin = house.clock.now(), by.user in house.admins
    for found in questions_about(session, pod.pod_id):
        if found.kind not in KINDS or found.state is not QuestionState.OPEN:
            continue
        verdict = may(wish, found, pod, by.user, is_admin=is_admin)
        if not isinstance(verdict, MayNot) and decide(session, found.id, by.user, wish.act, now, None):
            note_outcome(session, found.id, came_of_it, deed_id)
            _tell(session, found, by, pod, wish, now)


def _tell(session: Session, found: Question, by: Answerable, pod: PodView, wish: Wish, now: datetime) -> None:
    note_left_alive(session, found, pod, wish, by.user, now)
    facts: JsonObject = {"question": found.id, "decision": wish.act, "click": by.key}
    record(session, Event(now, by.user, "question.decided", pod.pod_id, facts))
    redraw_copies(session, found, now)
