"""What came of a question, said on every copy of it."""

from datetime import datetime
from typing import assert_never

from sqlmodel import Session

from bot.approvals.asked import Asked
from bot.text import mention, per_hour, when, word
from storage.deed import Deed, DeedState, deed
from storage.question import Question, QuestionState


def outcome(session: Session, about: Asked) -> str:
    """Who decided what and when, and how that ended. Empty while it is open."""
    question = about.question
    match question.state:
        case QuestionState.OPEN:
            return ""
        case QuestionState.DECIDED:
            return decided(session, about)
        case QuestionState.VOID:
            return _void(question)
        case QuestionState.EXPIRED:
            return "Nobody answered in time, so nothing happened to it."
        case _:
            assert_never(question.state)


def _void(question: Question) -> str:
    why = question.outcome or "the pod has changed since"
    return f"This question does not hold any more: {why}. Nothing was done because of it."


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
