"""A question as it stands now: the pod that it is about, and whether that is still what was asked about."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from bot.fleet.views import PodView, view, views
from bot.standing import fingerprint_now
from jobs.house import House
from storage.question import Question, question, questions_about
from storage.question_group import redraw_copies

KINDS = frozenset({"card", "notice"})
"""The questions that are about a pod. Questions about orders are no such."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and its pod."""

    question: Question
    pod: PodView


def asked(session: Session, question_id: str, house: House) -> Asked | None:
    """None: no such question, or its pod was never heard of."""
    found = question(session, question_id)
    if found is None or found.kind not in KINDS:
        return None
    pod = view(session, found.pod_id, house.clock.now(), house.policy.claim_settle)
    return Asked(found, pod) if pod else None


def all_asked(session: Session, question_ids: Iterable[str], house: House) -> list[Asked]:
    """Many at once: the account is read once for all of them. Unknown ones are left out."""
    now, settle = house.clock.now(), house.policy.claim_settle
    found = [question(session, question_id) for question_id in question_ids]
    abouts = [one for one in found if one is not None and one.kind in KINDS]
    if not abouts:
        return []
    there = {pod.pod_id: pod for pod in views(session, now, settle)}
    pods = [there.get(one.pod_id) or view(session, one.pod_id, now, settle) for one in abouts]
    return [Asked(one, pod) for one, pod in zip(abouts, pods, strict=True) if pod is not None]


def unchanged(session: Session, about: Asked) -> bool:
    """The pod is in the state that was asked about."""
    return fingerprint_now(session, about.pod.pod_id, about.pod.whose) == about.question.fingerprint


def redraw_about(session: Session, pod_id: str, now: datetime) -> None:
    """Have every message drawn anew that shows a question about this pod."""
    for each in questions_about(session, pod_id):
        if each.kind in KINDS:
            redraw_copies(session, each, now)
