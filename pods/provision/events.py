"""Which event has happened, if any. Reads the provision as `absorb` left it, and changes nothing."""

from datetime import datetime, timedelta

from pods.provision import branches
from pods.provision.capacity import given_up, is_settled
from pods.provision.decision import Policy
from pods.provision.outcomes import Outcome
from pods.provision.seen import CleanUp, Ended, EndedBy, OwnerSays, Permit, Present, Seen
from pods.provision.stages import WAITING, WITHOUT_POD, WORKING, Stage
from pods.provision.table import Event
from pods.provision.value import Provision
from pods.provision.waits import (
    is_over,
    look_counts,
    looked_at_the_door,
    may_progress,
    must_ask_first,
    out_of_sight,
    silent_too_long,
)

STOP_TRIES_FOR = timedelta(minutes=1)
"""How long a call-off tries to stop the work on the pod before it is told without."""
_ENDED_BY = {
    EndedBy.STOPPED: Event.STOPPED,
    EndedBy.TERMINATED_ELSEWHERE: Event.TERMINATED_ELSEWHERE,
    EndedBy.TAKEN: Event.TAKEN,
    EndedBy.BALANCE: Event.BALANCE_RAN_OUT,
    EndedBy.FENCE: Event.FENCE_PASSED,
}
RETRY_AT_WORK = frozenset({Outcome.PREFLIGHT_FAILED, Outcome.WRONG_BRANCH, Outcome.BOOTSTRAP_FAILED})
RETRY_AT_DOOR = frozenset({Outcome.NOT_LOGGED_IN, Outcome.BLIND, Outcome.NEVER_REACHED_KEPT})


def can_retry(provision: Provision) -> bool:
    """Whether the bootstrap can be run again: the provision failed and left a pod alive."""
    return provision.outcome in RETRY_AT_WORK | RETRY_AT_DOOR


def event_of(provision: Provision, seen: Seen, now: datetime, policy: Policy) -> Event | None:
    """The first thing that has happened to the provision in this pass; `None`: nothing yet."""
    stage = provision.stage
    if stage in WITHOUT_POD or stage in WAITING or stage in WORKING:
        return _under_way(provision, seen, now, policy)
    if provision.outcome is not None:
        return _retry(provision, seen)
    return _cleaning(provision, seen, now, policy)


def _under_way(provision: Provision, seen: Seen, now: datetime, policy: Policy) -> Event | None:
    if isinstance(seen.pod, Ended) and provision.stage not in WITHOUT_POD:
        return _ENDED_BY[seen.pod.by]
    if provision.cancelled_at is not None and provision.pod is None:
        return Event.CALLED_OFF if is_settled(provision, seen, now, policy) else None
    if provision.cancelled_at is not None and provision.stage not in WITHOUT_POD:
        return _called_off(provision, seen, now, policy)
    if must_ask_first(provision):
        return _nobody_answered(provision, seen)
    if event := _at_stage(provision, seen, now, policy):
        return event
    lost = is_over(provision, now) and out_of_sight(provision, seen, now, policy)
    return Event.BLIND if lost else None


def _at_stage(provision: Provision, seen: Seen, now: datetime, policy: Policy) -> Event | None:
    match provision.stage:
        case Stage.WISHED:
            return _permitted(seen.permit)
        case Stage.CREATING:
            return _created(provision, seen, now, policy)
        case Stage.WAITING_RUNTIME | Stage.WAITING_SSH:
            return _waiting(provision, seen, now, policy)
        case Stage.BOOTSTRAPPING:
            return _bootstrapping(provision, seen, now, policy)
        case Stage.PREFLIGHT:
            done = provision.preflight_rc is not None or _work_wait_over(provision, seen, now, policy)
            return Event.PREFLIGHT_DONE if done else None
        case Stage.BRANCH:
            return _proved(provision, seen, now, policy)
        case Stage.READY | Stage.FAILED | Stage.ENDED:
            return None


def _called_off(provision: Provision, seen: Seen, now: datetime, policy: Policy) -> Event | None:
    """A call-off ends a pod only after a fresh look at it, and only if it was surely never reached."""
    if provision.stage in WORKING:
        nothing_runs = provision.stage is Stage.BRANCH or seen.work_stopped is True
        tried = provision.cancelled_at is not None and now >= provision.cancelled_at + STOP_TRIES_FOR
        return Event.CALLED_OFF_REACHED if nothing_runs or tried else None
    if provision.reach.banner or out_of_sight(provision, seen, now, policy):
        return Event.CALLED_OFF_REACHED
    if not looked_at_the_door(provision, seen):
        return None
    return Event.CALLED_OFF_UNREACHED if provision.never_reached else Event.CALLED_OFF_REACHED


def _nobody_answered(provision: Provision, seen: Seen) -> Event | None:
    if seen.owner_says is not OwnerSays.EXPIRED or provision.asked_owner_at is None:
        return None
    return Event.QUESTION_EXPIRED if provision.stage in WITHOUT_POD else Event.BLIND


def _permitted(permit: Permit) -> Event | None:
    match permit:
        case Permit.UNDECIDED | Permit.ASKED:
            return None
        case Permit.ALLOWED | Permit.GO_ON:
            return Event.ALLOWED
        case Permit.NOT_ALLOWED:
            return Event.NOT_ALLOWED
        case Permit.EXPIRED:
            return Event.QUESTION_EXPIRED


def _created(provision: Provision, seen: Seen, now: datetime, policy: Policy) -> Event | None:
    if provision.pod is not None:
        return Event.POD_BOUND
    return given_up(provision, now, policy) if is_settled(provision, seen, now, policy) else None


def _waiting(provision: Provision, seen: Seen, now: datetime, policy: Policy) -> Event | None:
    if provision.fence is None:
        return None
    if provision.stage is Stage.WAITING_SSH and provision.reach.logged_in:
        return Event.LOGGED_IN
    if provision.stage is Stage.WAITING_RUNTIME and provision.endpoint is not None:
        return Event.ENDPOINT_SEEN
    if not is_over(provision, now) or not looked_at_the_door(provision, seen):
        return None
    if needs_log(provision, seen, now, policy):
        return None
    if provision.reach.banner or provision.reach.unanswered:
        return Event.NOT_LET_IN
    if provision.blind:
        return Event.BLIND
    return Event.NEVER_REACHED_KEPT if provision.order.keep_on_bootstrap_failure else Event.NEVER_REACHED


def needs_log(provision: Provision, seen: Seen, now: datetime, policy: Policy) -> bool:
    """Whether the system log must be read before the SSH wait may end."""
    return seen.system_log is None and may_progress(provision, now, policy)


def _bootstrapping(provision: Provision, seen: Seen, now: datetime, policy: Policy) -> Event | None:
    if provision.bootstrap_rc == 0:
        return Event.BOOTSTRAP_DONE
    failed = provision.bootstrap_rc is not None or _work_wait_over(provision, seen, now, policy)
    return Event.BOOTSTRAP_FAILED if failed else None


def _work_wait_over(provision: Provision, seen: Seen, now: datetime, policy: Policy) -> bool:
    """The wait for work on the pod ends after an answer of the pod, or after a long silence of it."""
    if not is_over(provision, now):
        return False
    return look_counts(provision, seen) or silent_too_long(provision, seen, now, policy)


def _proved(provision: Provision, seen: Seen, now: datetime, policy: Policy) -> Event | None:
    """All checks are in: the first that failed decides."""
    if provision.order.repo and provision.checkout is None:
        if not _work_wait_over(provision, seen, now, policy):
            return None
        branch_rc = branches.unread_rc(provision.order.branch)
    else:
        branch_rc = branches.rc_of(provision.order.branch, provision.checkout)
    if provision.preflight_rc != 0:
        return Event.PREFLIGHT_FAILED
    return Event.WRONG_BRANCH if branch_rc else Event.PROVED


def _cleaning(provision: Provision, seen: Seen, now: datetime, policy: Policy) -> Event | None:
    """How the teardown of a pod that nobody reached came out.

    One that was not handed over before we looked away is not handed over any more: meanwhile somebody may
    have reached the pod.
    """
    match seen.clean_up:
        case CleanUp.CONFIRMED:
            return Event.POD_GONE
        case CleanUp.VETOED:
            return Event.SIGN_OF_LIFE
        case CleanUp.REFUSED | CleanUp.HELD:
            return Event.POD_NOT_GONE
        case CleanUp.WORKING:
            return Event.POD_NOT_GONE if is_over(provision, now) else None
        case None:
            return Event.BLIND if now - provision.looked_at > policy.max_gap else None


def _retry(provision: Provision, seen: Seen) -> Event | None:
    if not seen.retry or not can_retry(provision) or not isinstance(seen.pod, Present):
        return None
    at_work = provision.outcome in RETRY_AT_WORK or provision.reach.logged_in
    return Event.RETRY_BOOTSTRAP if at_work else Event.RETRY_LOGIN
