"""RunPod says no: one error with its kind, and the words that were recorded for it."""

from enum import Enum


class Why(Enum):
    """Why RunPod does not do a thing."""

    NO_CAPACITY = "no capacity"
    BALANCE = "balance"
    SPENDING_LIMIT = "spending limit"
    NOT_FOUND = "not found"
    WRONG_STATE = "wrong state"
    LOCKED = "locked"


class RefusedError(Exception):
    """RunPod does not do it. `why` is the kind, the text what a person would read."""

    def __init__(self, why: Why, text: str) -> None:
        super().__init__(text)
        self.why = why
