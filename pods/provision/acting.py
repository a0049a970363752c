"""What to do, or to wait for, while nothing has happened that moves the provision on."""

from dataclasses import replace
from datetime import datetime, timedelta

from pods.provision.capacity import is_settled, next_call
from pods.provision.decision import Decision, Do, Finish, Policy, Wait
from pods.provision.effects import (
    AskOwner,
    Poll,
    ProbeSsh,
    Question,
    ReadBranch,
    ReadSystemLog,
    SetFence,
    Start,
    StopWork,
    Teardown,
)
from pods.provision.events import needs_log
from pods.provision.seen import Permit, Seen, Work
from pods.provision.stages import Stage
from pods.provision.value import Provision
from pods.provision.waits import is_over, looked_at_the_door, must_ask_first

_SHORTEST = timedelta(seconds=0.5)
_LONGEST = timedelta(seconds=5)
_WORK = {Stage.BOOTSTRAPPING: Work.BOOTSTRAP, Stage.PREFLIGHT: Work.PREFLIGHT}


def act(provision: Provision, seen: Seen, now: datetime, policy: Policy) -> Decision:
    """The next thing to do, or how long to wait and for what."""
    if provision.outcome is not None:
        return Decision(provision, Finish(provision.outcome))
    if must_ask_first(provision) and not provision.cancelled_at:
        return _ask_to_go_on(provision, seen, now, policy)
    match provision.stage:
        case Stage.WISHED:
            return _wait(provision, now, policy, "whether this order may be sent out")
        case Stage.CREATING:
            return _create(provision, seen, now, policy)
        case Stage.WAITING_RUNTIME | Stage.WAITING_SSH:
            return _knock(provision, seen, now, policy)
        case Stage.BOOTSTRAPPING | Stage.PREFLIGHT:
            return _work(provision, seen, now, policy, _WORK[provision.stage])
        case Stage.BRANCH:
            if provision.order.repo and seen.branch is None:
                return _try(provision, ReadBranch(provision.run))
            return _wait(provision, now, policy, "the branch on the pod", pause=_pause(provision))
        case Stage.READY | Stage.FAILED | Stage.ENDED:
            return _clean_up(provision, seen, now, policy)


def _ask_to_go_on(provision: Provision, seen: Seen, now: datetime, policy: Policy) -> Decision:
    if provision.stage is Stage.WISHED and seen.permit is not Permit.ALLOWED:
        return _wait(provision, now, policy, "whether this order may be sent out")
    if provision.asked_owner_at is None:
        pods = (provision.pod.pod_id,) if provision.pod else ()
        asked = replace(provision, asked_owner_at=now)
        return Decision(asked, Do(AskOwner(Question.GO_ON_AFTER_GAP, pods)))
    return _wait(provision, now, policy, "its owner's word whether to go on")


def _create(provision: Provision, seen: Seen, now: datetime, policy: Policy) -> Decision:
    if not is_settled(provision, seen, now, policy):
        return _wait(
            provision, now, policy, "a pod that an unanswered call may have made", at=now + policy.poll
        )
    if provision.copies:
        return _wait(provision, now, policy, "its owner's word about pods that bear its marks")
    retry_at = provision.capacity.retry_at
    if provision.cancelled_at or (retry_at and now < retry_at):
        return _wait(provision, now, policy, "a free machine", at=retry_at)
    if provision.long_gap_at is not None and not provision.cancelled_at:
        return _ask_to_go_on(provision, seen, now, policy)
    intent, create = next_call(provision, seen, now)
    return Decision(intent, Do(create))


def _knock(provision: Provision, seen: Seen, now: datetime, policy: Policy) -> Decision:
    pod, endpoint = provision.pod, provision.endpoint
    if pod is None:
        raise ValueError("a provision waits for its pod only after a pod is bound to it")
    if provision.fence is None:
        lifetime = provision.order.lifetime
        return Decision(provision, Do(SetFence(pod.pod_id, pod.created_at + lifetime if lifetime else None)))
    if endpoint and seen.probe is None:
        return _try(provision, ProbeSsh(endpoint.host, endpoint.port))
    if (
        is_over(provision, now)
        and looked_at_the_door(provision, seen)
        and needs_log(provision, seen, now, policy)
    ):
        return Decision(provision, Do(ReadSystemLog(pod.pod_id)))
    if endpoint:
        return _wait(provision, now, policy, "an SSH login", pause=_pause(provision))
    return _wait(provision, now, policy, "the pod's SSH port", at=now + policy.poll)


def _work(provision: Provision, seen: Seen, now: datetime, policy: Policy, work: Work) -> Decision:
    """Starting is safe to repeat: the pod takes each numbered run once."""
    run = provision.run
    if provision.cancelled_at:
        if seen.work_stopped is None:
            return _try(provision, StopWork(work, run))
    elif provision.started_at is None:
        if seen.started is None or (seen.started.work, seen.started.run) != (work, run):
            return _try(provision, Start(work, run))
    elif not _just_heard(seen, work, run):
        return _try(provision, Poll(work, run))
    return _wait(provision, now, policy, f"the {work} on the pod", pause=_pause(provision))


def _just_heard(seen: Seen, work: Work, run: int) -> bool:
    """Whether this pass has asked the pod how this run stands. Having started it is no answer to that: what
    takes a moment only is found to be done at once."""
    return seen.remote is not None and (seen.remote.work, seen.remote.run) == (work, run)


def _clean_up(provision: Provision, seen: Seen, now: datetime, policy: Policy) -> Decision:
    if provision.cleaning and seen.clean_up is None:
        return Decision(provision, Do(Teardown(provision.cleaning)))
    return _wait(provision, now, policy, "the end of the pod, read back", at=now + policy.poll)


def _try(provision: Provision, effect: Poll | ProbeSsh | ReadBranch | Start | StopWork) -> Decision:
    return Decision(replace(provision, tries=provision.tries + 1), Do(effect))


def _pause(provision: Provision) -> timedelta:
    """Growing from half a second to five."""
    return min(_SHORTEST * 1.3 ** min(max(provision.tries - 1, 0), 20), _LONGEST)


def _wait(
    provision: Provision,
    now: datetime,
    policy: Policy,
    why: str,
    *,
    at: datetime | None = None,
    pause: timedelta | None = None,
) -> Decision:
    """Never longer than half a gap, so that waiting does not look like looking away."""
    ends = [now + policy.max_gap / 2, *(end for end in (at, provision.deadline) if end and end > now)]
    return Decision(provision, Wait(min(ends), why, pause))
