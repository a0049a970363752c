"""What came of a question, said on every copy of it."""

from datetime import datetime
from typing import assert_never

from sqlmodel import Session

from bot.approvals.asked import Asked
from bot.text import mention, per_hour, when, word
from pods.guards import Path
from pods.permission import ADMIN_WARNING
from pods.words import span_in_words
from storage.deed import Deed, DeedState, deed, deeds_of
from storage.question import IS_GONE, Question, QuestionState


def outcome(session: Session, about: Asked) -> str:
    """Who decided what and when, and how that ended. Empty while it is open."""
    question = about.question
    match question.state:
        case QuestionState.OPEN:
            return ""
        case QuestionState.DECIDED:
            return decided(session, about)
        case QuestionState.VOID:
            return _void(session, question)
        case QuestionState.EXPIRED:
            return "Nobody answered in time, so nothing happened to it."
        case _:
            assert_never(question.state)


def _void(session: Session, question: Question) -> str:
    ended = _ended_by_a_clock(session, question) if question.outcome == IS_GONE else None
    if ended is not None:
        at = when(ended.answered_at or ended.finished_at or ended.created_at)
        return f"It ended by itself at {at}, {_because(question, ended)}."
    why = question.outcome or "the pod has changed since"
    return f"This question does not hold any more: {why}. Nothing was done because of it."


def _ended_by_a_clock(session: Session, question: Question) -> Deed | None:
    """Our own end that nobody decided: why the pod is gone."""
    began = [one for one in deeds_of(session, question.pod_id) if one.path in _BECAUSE and one.attempts]
    took = [one for one in began if one.state in (DeedState.CONFIRMING, DeedState.DONE)]
    return took[0] if took else None


def _because(question: Question, ended: Deed) -> str:
    return "as announced" if question.kind == "notice" else _BECAUSE[Path(ended.path)]


_BECAUSE = {
    Path.NEVER_RAN: "because nothing ever ran on it",
    Path.STALE: "because it had been stopped for so long and nobody kept it",
    Path.FENCE: "as it was ordered",
}


def decided(session: Session, about: Asked) -> str:
    """The decision, with its maker and time, and its outcome."""
    question = about.question
    who = mention(str(question.decided_by))
    at = f" ({when(question.decided_at)})" if question.decided_at else ""
    match question.decision:
        case "keep":
            return f":white_check_mark: {who} keeps it{_until(question)}{at}."
        case "not_mine":
            return f":white_check_mark: {who} says that it is not theirs{at}."
        case "stop" | "terminate":
            done = deed(session, question.deed_id) if question.deed_id else None
            return (
                f":white_check_mark: {who} decided to {_VERBS[question.decision]} it{at}. {deed_told(done)}"
            )
        case _:
            return f":white_check_mark: {who} decided{at}."


_VERBS = {"stop": "stop", "terminate": "end"}


def _until(question: Question) -> str:
    try:
        return f" until {when(datetime.fromisoformat(str(question.outcome)))}"
    except ValueError:
        return ""


def deed_told(done: Deed | None) -> str:
    """How far the act has come."""
    if done is None:
        return "It did not come to that."
    stop = done.path == "stop"
    act, past = ("stop", "stopped") if stop else ("end", "ended")
    match done.state:
        case DeedState.DUE if done.path == Path.ADMIN and done.owner is not None:
            return f"It ends {span_in_words(ADMIN_WARNING)} after {mention(done.owner)} was told."
        case DeedState.DUE:
            return f"It {act}s at {when(done.not_before)}."
        case DeedState.ACTING | DeedState.CONFIRMING:
            return f"It is being {past}."
        case DeedState.DONE:
            rate = f": {per_hour(done.usd_per_hour)} less" if done.usd_per_hour is not None else ""
            return f"It is {past}{rate}."
        case DeedState.UNDONE:
            return f"That was called off ({_plain(done)}); nothing happened to it."
        case DeedState.REFUSED:
            return f"It was not {past}: {_plain(done)}."
        case DeedState.FAILED:
            return f"RunPod says that it cannot be {past}: {_plain(done)}."
        case _:
            assert_never(done.state)


def _plain(done: Deed) -> str:
    """Why, as the executor wrote it down."""
    said = done.outcome or "for no reason that I know"
    by = said.removeprefix("undone by ")
    return f"by {mention(by)}" if by != said else word(said, 300)
