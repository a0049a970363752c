"""What can go wrong with a call to RunPod: a closed set, each with a sentence for people."""

from datetime import timedelta
from enum import StrEnum
from typing import TypeAlias


class RunPodError(Exception):
    """A call to RunPod that did not do what was asked. `sentence` is for people: no secret is in it, and no
    full stop at its end, for whoever shows it puts that."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence.rstrip(".")


class Unreachable(RunPodError):
    """No usable answer to a question, or a request that never left: nothing is known, nothing was done."""


class AnswerUnknown(RunPodError):
    """A request that changes something was sent and its answer was lost, late or a 5xx: it may be done."""


class RefusalReason(StrEnum):
    """Why RunPod said no. The first three are its own; `invalid` means that the order breaks a rule."""

    NO_CAPACITY = "no_capacity"
    BALANCE = "balance"
    SPENDING_LIMIT = "spending_limit"
    INVALID = "invalid"
    PROVIDER = "provider"


class Refused(RunPodError):
    """RunPod said no; nothing was done."""

    def __init__(self, reason: RefusalReason, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class RateLimited(RunPodError):
    """Too many calls, by RunPod's count or by our own budget; nothing was done."""

    def __init__(self, retry_after: timedelta, sentence: str) -> None:
        super().__init__(sentence)
        self.retry_after = retry_after


class Unauthorized(RunPodError):
    """The API key is missing, wrong, expired, or may not do this."""


class Cannot(RunPodError):
    """RunPod cannot do this to this pod (403, 409): it belongs to a cluster, or its status forbids it."""


class NotFound(RunPodError):
    """RunPod's own 404: it knows no such thing."""


AnyRunPodError: TypeAlias = (
    Unreachable | AnswerUnknown | Refused | RateLimited | Unauthorized | Cannot | NotFound
)
"""All of them, for a `match` that ends in `assert_never`."""
