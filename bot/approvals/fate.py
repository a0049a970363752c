"""What becomes of a pod that is asked about if nobody answers: by what the clocks may do now."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session

from bot.approvals.asked import Asked
from bot.text import when, with_hint
from pods.fence import ends_by_itself_at
from pods.ownership import Grade
from pods.phase import Phase
from storage.history import history
from storage.question import Question
from storage.switches import arming

_SHOWS_NOTHING = frozenset({Phase.ALLOCATING, Phase.NO_RUNTIME})
NOTHING = "nothing happens to it"


def until(session: Session, about: Asked, now: datetime, *, reached: bool = True) -> str:
    """Until when an answer counts, and what happens without one. `reached`: its owner got the message."""
    question = about.question
    if question.kind == "notice":
        return held_back(session, question) or "Until then you can keep it; without an answer it ends."
    fate = without_an_answer(session, about, reached=reached)
    if question.expires_at is None:
        return f"Without an answer {fate}."
    return f"An answer counts until {with_hint(question.expires_at, now)}. Without one, {fate}."


def until_all(session: Session, abouts: Sequence[Asked], *, reached: bool = True) -> str:
    """The same, for many questions in one message: those that end by themselves say so in their own lines."""
    if not abouts:
        return ""
    if any(without_an_answer(session, about, reached=reached) != NOTHING for about in abouts):
        return "Without an answer nothing happens to those that do not say otherwise."
    return "Without an answer nothing happens to any of them."


def held_back(session: Session, notice: Question) -> str | None:
    """Why the end that this notice announced does not come now; None: it comes."""
    may = arming(session)
    if may.paused:
        return "Everything is paused: it does not end by itself before that is over."
    if notice.reason == "stale" and not may.stale:
        return "I may not end it by myself any more. Without an answer nothing happens to it."
    return None


def without_an_answer(session: Session, about: Asked, *, reached: bool = True) -> str:
    """What comes of silence, to stand after "without an answer"."""
    pod = about.pod
    if not pod.whose.in_ledger or pod.locked or pod.cluster_member:
        return NOTHING
    fate = _never_ran(session, about) or (_after_a_notice(session, about) if reached else None)
    if fate is not None and arming(session).paused:
        return f"{NOTHING} as long as everything is paused"
    return fate or NOTHING


def _never_ran(session: Session, about: Asked) -> str | None:
    """No notice goes before this end, and not every keep stops it: nobody is promised that it stays."""
    pod = about.pod
    if not arming(session).never_ran or about.question.reason == "never_ran_unwatched":
        return None
    past = history(session, pod.pod_id)
    ran = pod.phase not in _SHOWS_NOTHING or (past is not None and past.has_run is not None)
    return None if ran else "it may end by itself soon, because nothing ever ran on it"


def _after_a_notice(session: Session, about: Asked) -> str | None:
    """These ends wait until their owner was told, so one who cannot be reached keeps the pod."""
    pod = about.pod
    if pod.whose.grade is not Grade.PROVED or pod.keeps.unreadable:
        return None
    if (ends_at := ends_by_itself_at(pod)) is not None:
        return f"it ends by itself at {when(ends_at)}, as it was ordered"
    if about.question.reason == "stale" and arming(session).stale:
        return "I tell you when it ends by itself, and then it does"
    return None
