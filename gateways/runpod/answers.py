"""What an HTTP answer of RunPod means: one table from status and text to our own errors."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import assert_never

from gateways.runpod.errors import (
    AnswerUnknown,
    Cannot,
    NotFound,
    RateLimited,
    RefusalReason,
    Refused,
    RunPodError,
    Unauthorized,
    Unreachable,
)
from gateways.runpod.json_values import Json, child, text

_LONGEST_DETAIL = 300
_DEFAULT_RETRY_AFTER = timedelta(seconds=30)
_NO_CAPACITY = re.compile(
    r"no longer any instances available|no instances currently available|not enough free GPUs"
    r"|does not have the resources to deploy|could not find any pods with required specifications"
    r"|SUPPLY_CONSTRAINT",
    re.IGNORECASE,
)
_SPENDING_LIMIT = re.compile(r"spending limit", re.IGNORECASE)
_BALANCE = re.compile(r"insufficient.?balance|you need at least \$", re.IGNORECASE)


class Kind(Enum):
    """What a call does: only a READ may be sent twice."""

    READ = auto()
    CREATE = auto()
    ACT = auto()


@dataclass(frozen=True, slots=True)
class Answer:
    """One HTTP answer, read to its end. `problem` is set if its body was no JSON."""

    status: int
    body: Json
    problem: str | None
    at: datetime
    """Our clock when it had arrived."""
    provider_at: datetime | None
    """Its `Date` header."""
    retry_after: timedelta | None = None


def error_in(answer: Answer, kind: Kind) -> RunPodError | None:
    """The error that an answer tells of, or None if it is a success.

    A status counts as RunPod's own word only if a JSON object came with it: what stands between us and
    RunPod also answers 403 and 404, in HTML.
    """
    if 200 <= answer.status < 300:
        return None if answer.problem is None else _not_an_answer(answer, kind)
    if answer.status == 401:
        return Unauthorized("RunPod does not accept the API key (RUNPOD_API_KEY)")
    if answer.status == 429:
        wait = answer.retry_after or _DEFAULT_RETRY_AFTER
        return RateLimited(wait, f"RunPod asks us to wait {wait.total_seconds():.0f} s (too many calls)")
    if not _is_runpods_own(answer):
        return _not_an_answer(answer, kind)
    match kind:
        case Kind.READ:
            return _read_error(answer)
        case Kind.CREATE:
            return _create_error(answer)
        case Kind.ACT:
            return _act_error(answer)
    assert_never(kind)


def detail_of(body: Json) -> str:
    """RunPod's own words, shortened: `detail` of RFC 9457, or `error` and `message` as older answers had.
    It is text from outside."""
    words = text(child(body, "detail")) or text(child(body, "error")) or text(child(body, "message"))
    clean = " ".join("".join(c if c.isprintable() else " " for c in words or "no reason given").split())
    return clean if len(clean) <= _LONGEST_DETAIL else f"{clean[:_LONGEST_DETAIL]}… (shortened)"


def _is_runpods_own(answer: Answer) -> bool:
    return answer.problem is None and child(answer.body, "status") == answer.status


def _not_an_answer(answer: Answer, kind: Kind) -> RunPodError:
    what = answer.problem or detail_of(answer.body)
    sentence = f"RunPod answered {answer.status}, not in its own form ({what})"
    return Unreachable(sentence) if kind is Kind.READ else AnswerUnknown(sentence)


def _read_error(answer: Answer) -> RunPodError:
    match answer.status:
        case 403:
            return Unauthorized(f"RunPod does not let this API key see that: {detail_of(answer.body)}")
        case 404:
            return NotFound(f"RunPod does not know it: {detail_of(answer.body)}")
        case _:
            return Unreachable(f"RunPod answered {answer.status}: {detail_of(answer.body)}")


def _create_error(answer: Answer) -> RunPodError:
    match answer.status:
        case 422 | 404:
            return Refused(RefusalReason.INVALID, f"RunPod rejects the order: {_violations(answer.body)}")
        case 400 | 402 | 403 | 409:
            return _refusal(answer)
        case _:
            return AnswerUnknown(f"RunPod answered {answer.status}: {detail_of(answer.body)}")


def _act_error(answer: Answer) -> RunPodError:
    match answer.status:
        case 403 | 409:
            return Cannot(f"RunPod cannot do this to the pod: {detail_of(answer.body)}")
        case 404:
            return NotFound(f"RunPod does not know the pod: {detail_of(answer.body)}")
        case 422:
            return Refused(RefusalReason.INVALID, f"RunPod rejects the request: {_violations(answer.body)}")
        case 400 | 402:
            return _refusal(answer)
        case _:
            return AnswerUnknown(f"RunPod answered {answer.status}: {detail_of(answer.body)}")


def _refusal(answer: Answer) -> Refused:
    """400 stands for "no capacity" and for a broken rule alike: only the text tells them apart."""
    words = detail_of(answer.body)
    reason = RefusalReason.BALANCE if answer.status == 402 else RefusalReason.PROVIDER
    known: list[tuple[re.Pattern[str], RefusalReason, Callable[[str], str]]] = [
        (_SPENDING_LIMIT, RefusalReason.SPENDING_LIMIT, "the account's spending limit is reached: {}".format),
        (_BALANCE, RefusalReason.BALANCE, "the account's balance is too low: {}".format),
        (_NO_CAPACITY, RefusalReason.NO_CAPACITY, "nothing like this is free right now: {}".format),
    ]
    for pattern, known_reason, sentence in known:
        if pattern.search(words):
            return Refused(known_reason, sentence(words))
    return Refused(reason, f"RunPod refused: {words}")


def _violations(body: Json) -> str:
    errors = child(body, "errors")
    listed = [error for error in errors if isinstance(error, str)] if isinstance(errors, list) else []
    return detail_of({"detail": "; ".join(listed)}) if listed else detail_of(body)
