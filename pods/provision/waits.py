"""Looks, gaps and deadlines: a deadline is a stored time and counts only after a fresh look.

A deadline that ran out while nobody looked destroys nothing: the wait goes on for `max(5m, what was
left)` from the first fresh look, and a pod that was not watched all the time is never torn down.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from pods.provision.decision import Policy
from pods.provision.seen import Missing, Present, Probe, RemoteState, Seen
from pods.provision.stages import UNDER_WAY, WAITING, WORKING, Stage
from pods.provision.value import Provision

AT_LEAST = timedelta(minutes=5)
"""What a wait gets after a gap, if less was left."""
ASKS_FIRST = timedelta(hours=1)
"""After a longer gap the owner is asked whether to go on."""
PROGRESS = timedelta(minutes=5)
"""A system log line not older than this extends the SSH wait."""
_ANSWERED = frozenset({Probe.BANNER, Probe.REJECTED, Probe.HOST_KEY_CHANGED, Probe.LOGGED_IN})


def look_counts(provision: Provision, seen: Seen) -> bool:
    """Whether this pass has learned something about the provision that a deadline may be judged by."""
    if seen.clock_doubtful:
        return False
    if provision.stage in WORKING:
        return _pod_answered(seen)
    if provision.stage in WAITING:
        return _provider_told(provision, seen) or seen.probe in _ANSWERED
    return provision.stage in UNDER_WAY and (not provision.unresolved or seen.candidates is not None)


def _provider_told(provision: Provision, seen: Seen) -> bool:
    if not isinstance(seen.pod, Present):
        return False
    return not seen.witness_out or (seen.pod.endpoint or provision.endpoint) is not None


def _pod_answered(seen: Seen) -> bool:
    return (
        (seen.remote is not None and seen.remote.state is not RemoteState.UNKNOWN)
        or (seen.started is not None and seen.started.confirmed)
        or (seen.branch is not None and seen.branch.checkout is not None)
    )


def looked_at_the_door(provision: Provision, seen: Seen) -> bool:
    """Whether this pass has seen all that the end of the SSH wait, or a call-off, is judged by."""
    if seen.clock_doubtful or not _provider_told(provision, seen):
        return False
    return provision.endpoint is None or seen.probe is not None


def note_look(provision: Provision, now: datetime, policy: Policy) -> Provision:
    """The provision after a look that counts, with what a gap before it does to its deadline. An unanswered
    create call is looked for anew for its whole time."""
    gap = now - provision.looked_at
    looked = replace(provision, looked_at=max(now, provision.looked_at), silent_since=None)
    if gap <= policy.max_gap:
        return looked
    looks_for_a_pod = provision.stage is Stage.CREATING and bool(provision.unresolved)
    return replace(
        looked,
        blind=provision.blind or bool(provision.calls),
        deadline=now + policy.create_settle
        if looks_for_a_pod
        else prolonged(provision.deadline, provision.looked_at, now),
        long_gap_at=now if gap > ASKS_FIRST else provision.long_gap_at,
    )


def prolonged(deadline: datetime | None, looked_at: datetime, now: datetime) -> datetime | None:
    """The deadline, given more time if it ran out since the look before."""
    if deadline is None or deadline > now:
        return deadline
    return now + max(AT_LEAST, deadline - looked_at)


def is_over(provision: Provision, now: datetime) -> bool:
    return provision.deadline is not None and provision.deadline <= now


def may_progress(provision: Provision, now: datetime, policy: Policy) -> bool:
    """Whether a new system log line could still extend the SSH wait."""
    return provision.pod is not None and now < provision.pod.created_at + policy.hard_cap


def silent_too_long(provision: Provision, seen: Seen, now: datetime, policy: Policy) -> bool:
    """The provider shows the pod all the time, and the pod has answered nothing for a whole SSH wait."""
    return (
        isinstance(seen.pod, Present)
        and not seen.clock_doubtful
        and provision.silent_since is not None
        and now - provision.silent_since >= policy.ssh_wait
    )


def out_of_sight(provision: Provision, seen: Seen, now: datetime, policy: Policy) -> bool:
    """RunPod answers, and has not shown the pod for a whole SSH wait. That proves nothing; but a person must
    hear of it."""
    return (
        isinstance(seen.pod, Missing)
        and not seen.clock_doubtful
        and provision.missing_since is not None
        and now - provision.missing_since >= policy.ssh_wait
    )


def must_ask_first(provision: Provision) -> bool:
    """Whether the owner has to say "go on" before anything more is done, after a long gap."""
    if provision.long_gap_at is None:
        return False
    match provision.stage:
        case Stage.WISHED:
            return True
        case Stage.CREATING:
            asked = provision.asked_owner_at is not None
            return provision.pod is None and (asked or not provision.unresolved)
        case Stage.WAITING_RUNTIME | Stage.WAITING_SSH:
            return provision.reach.banner
        case Stage.BOOTSTRAPPING | Stage.PREFLIGHT | Stage.BRANCH:
            return True
        case Stage.READY | Stage.FAILED | Stage.ENDED:
            return False
