"""The state machine, as a table: in which stage which event leads where.

Rule 1: everything that moves a provision from one stage to another stands here.
Rule 2: a pair that does not stand here changes nothing; it is late news.
`events.py` says when each event has happened, `entering.py` what is written on the way.
"""

from enum import StrEnum

from pods.provision.outcomes import Outcome
from pods.provision.stages import Stage


class Event(StrEnum):
    ALLOWED = "allowed"
    OVER_LIMIT = "over a limit of ours"
    NOT_ALLOWED = "not allowed"
    QUESTION_EXPIRED = "nobody answered"
    POD_BOUND = "a pod is ours"
    NO_CAPACITY = "no machine is free"
    BALANCE = "balance too low"
    SPENDING_LIMIT = "spending limit"
    PROVIDER_REFUSED = "provider refuses"
    ENDPOINT_SEEN = "SSH endpoint seen"
    LOGGED_IN = "logged in"
    NEVER_REACHED = "wait over, surely never reached"
    NEVER_REACHED_KEPT = "wait over, never reached, to be kept"
    NOT_LET_IN = "wait over, answered or only timed out"
    BLIND = "we had looked away"
    BOOTSTRAP_DONE = "bootstrap rc 0"
    BOOTSTRAP_FAILED = "bootstrap failed or its wait is over"
    PREFLIGHT_DONE = "preflight has ended or its wait is over"
    PROVED = "all checks passed"
    PREFLIGHT_FAILED = "preflight had failed"
    WRONG_BRANCH = "wrong branch"
    STOPPED = "stopped by somebody"
    TERMINATED_ELSEWHERE = "terminated by somebody"
    TAKEN = "taken by the provider"
    BALANCE_RAN_OUT = "balance ran out"
    FENCE_PASSED = "its fence passed"
    CALLED_OFF = "called off, no pod exists"
    CALLED_OFF_UNREACHED = "called off, never reached"
    CALLED_OFF_REACHED = "called off, reached"
    POD_GONE = "its end is confirmed"
    POD_NOT_GONE = "its end is not confirmed"
    SIGN_OF_LIFE = "the executor found it alive"
    RETRY_BOOTSTRAP = "retry, we can log in"
    RETRY_LOGIN = "retry, we cannot log in yet"


Target = Stage | Outcome

_ENDED_BY_OTHERS: dict[Event, Target] = {
    Event.STOPPED: Outcome.STOPPED,
    Event.TERMINATED_ELSEWHERE: Outcome.TERMINATED_ELSEWHERE,
    Event.TAKEN: Outcome.TAKEN,
    Event.BALANCE_RAN_OUT: Outcome.BALANCE_RAN_OUT,
    Event.FENCE_PASSED: Outcome.FENCE,
}
_NOT_YET_LOGGED_IN: dict[Event, Target] = {
    Event.NEVER_REACHED: Stage.FAILED,
    Event.NEVER_REACHED_KEPT: Outcome.NEVER_REACHED_KEPT,
    Event.NOT_LET_IN: Outcome.NOT_LOGGED_IN,
    Event.BLIND: Outcome.BLIND,
    Event.CALLED_OFF_UNREACHED: Stage.ENDED,
    Event.CALLED_OFF_REACHED: Outcome.CALLED_OFF_ALIVE,
}
_AT_WORK: dict[Event, Target] = {
    Event.BLIND: Outcome.BLIND,
    Event.CALLED_OFF_REACHED: Outcome.CALLED_OFF_ALIVE,
}

TABLE: dict[Stage, dict[Event, Target]] = {
    Stage.WISHED: {
        Event.ALLOWED: Stage.CREATING,
        Event.NOT_ALLOWED: Outcome.NOT_ALLOWED,
        Event.QUESTION_EXPIRED: Outcome.QUESTION_EXPIRED,
        Event.CALLED_OFF: Outcome.CALLED_OFF,
    },
    Stage.CREATING: {
        Event.POD_BOUND: Stage.WAITING_RUNTIME,
        Event.NO_CAPACITY: Outcome.NO_CAPACITY,
        Event.BALANCE: Outcome.BALANCE,
        Event.SPENDING_LIMIT: Outcome.SPENDING_LIMIT,
        Event.OVER_LIMIT: Outcome.OVER_LIMIT,
        Event.PROVIDER_REFUSED: Outcome.PROVIDER_REFUSED,
        Event.QUESTION_EXPIRED: Outcome.QUESTION_EXPIRED,
        Event.CALLED_OFF: Outcome.CALLED_OFF,
    },
    Stage.WAITING_RUNTIME: {
        Event.ENDPOINT_SEEN: Stage.WAITING_SSH,
        **_NOT_YET_LOGGED_IN,
        **_ENDED_BY_OTHERS,
    },
    Stage.WAITING_SSH: {
        Event.LOGGED_IN: Stage.BOOTSTRAPPING,
        **_NOT_YET_LOGGED_IN,
        **_ENDED_BY_OTHERS,
    },
    Stage.BOOTSTRAPPING: {
        Event.BOOTSTRAP_DONE: Stage.PREFLIGHT,
        Event.BOOTSTRAP_FAILED: Outcome.BOOTSTRAP_FAILED,
        **_AT_WORK,
        **_ENDED_BY_OTHERS,
    },
    Stage.PREFLIGHT: {
        Event.PREFLIGHT_DONE: Stage.BRANCH,
        **_AT_WORK,
        **_ENDED_BY_OTHERS,
    },
    Stage.BRANCH: {
        Event.PROVED: Outcome.READY,
        Event.PREFLIGHT_FAILED: Outcome.PREFLIGHT_FAILED,
        Event.WRONG_BRANCH: Outcome.WRONG_BRANCH,
        **_AT_WORK,
        **_ENDED_BY_OTHERS,
    },
    Stage.READY: {},
    Stage.FAILED: {
        Event.POD_GONE: Outcome.NEVER_REACHED,
        Event.POD_NOT_GONE: Outcome.NOT_TERMINATED,
        Event.SIGN_OF_LIFE: Outcome.NOT_LOGGED_IN,
        Event.BLIND: Outcome.BLIND,
        Event.RETRY_BOOTSTRAP: Stage.BOOTSTRAPPING,
        Event.RETRY_LOGIN: Stage.WAITING_SSH,
    },
    Stage.ENDED: {
        Event.POD_GONE: Outcome.CALLED_OFF,
        Event.POD_NOT_GONE: Outcome.NOT_TERMINATED,
        Event.SIGN_OF_LIFE: Outcome.CALLED_OFF_ALIVE,
        Event.BLIND: Outcome.CALLED_OFF_ALIVE,
    },
}


def target_of(stage: Stage, event: Event) -> Target | None:
    """Where this event leads from this stage; `None`: it changes nothing there."""
    return TABLE[stage].get(event)
