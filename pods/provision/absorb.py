"""What one pass has seen, folded into the provision. Nothing is decided here.

Every fold can be done twice without harm, because the facts of a pass are seen again at each decision
of that pass.
"""

from dataclasses import replace
from datetime import datetime

from pods.adoption import Adopt, Call, Candidate, MovedOrCopied, adoption_of
from pods.provision.capacity import after_answer
from pods.provision.decision import Policy
from pods.provision.seen import (
    Created,
    Missing,
    OwnerSays,
    Permit,
    Present,
    Probe,
    Remote,
    RemoteState,
    Seen,
    Started,
    Work,
)
from pods.provision.stages import UNDER_WAY, WAITING, WORKING, Stage
from pods.provision.value import CallState, CreateCall, Pod, Provision
from pods.provision.waits import PROGRESS, look_counts, note_look, prolonged

KILLED = 137
"""The exit status of work whose process vanished: 128 + SIGKILL."""
_WORK_OF = {Stage.BOOTSTRAPPING: Work.BOOTSTRAP, Stage.PREFLIGHT: Work.PREFLIGHT}
_TROUBLE = {
    Probe.BANNER: "an SSH server answered and then broke off",
    Probe.REJECTED: "an SSH server answered and did not accept our key",
    Probe.HOST_KEY_CHANGED: "an SSH server answered with another host key than before",
}


def absorb(provision: Provision, seen: Seen, now: datetime, policy: Policy) -> Provision:
    """The provision with everything in it that this pass has seen."""
    if provision.stage not in UNDER_WAY:
        return provision
    provision = _reach(_create(provision, seen, now), seen)
    if look_counts(provision, seen):
        provision = note_look(provision, now, policy)
    provision = _adopt(_missing(provision, seen, now), seen, now, policy)
    provision = _progress(_work(provision, seen, now, policy), seen, policy)
    return _people(replace(provision, fence=seen.fence or provision.fence), seen, now)


def _create(provision: Provision, seen: Seen, now: datetime) -> Provision:
    """The answer to the create call of this pass."""
    answer = seen.create
    call = next((one for one in provision.calls if answer and one.number == answer.call), None)
    if answer is None or call is None or call.state is not CallState.OPEN:
        return provision
    if not isinstance(answer, Created):
        return after_answer(provision, call, answer, now)
    made = Candidate(
        answer.pod_id,
        provision.runpod_name,
        call.token,
        answer.created_at,
        answer.usd_per_hour,
        answer.data_center,
    )
    return _bind(provision, call, made, now)


def _bind(provision: Provision, call: CreateCall, made: Candidate, now: datetime) -> Provision:
    """Binds a pod to the call that made it; the first one becomes the provision's pod."""
    bound = replace(call, state=CallState.BOUND, pod_id=made.pod_id, ended_at=call.ended_at or now)
    calls = tuple(bound if one.number == call.number else one for one in provision.calls)
    pod = provision.pod or Pod(
        pod_id=made.pod_id,
        call=call.number,
        gpu=call.gpu,
        created_at=_born(made.created_at, call, now),
        usd_per_hour=made.usd_per_hour,
        data_center=made.data_center,
    )
    return replace(provision, calls=calls, pod=pod)


def _born(created_at: datetime | None, call: CreateCall, now: datetime) -> datetime:
    """The provider's creation time where it can be true, else the start of the call."""
    if created_at is not None and call.asked_at <= created_at <= now:
        return created_at
    return call.asked_at


def _adopt(provision: Provision, seen: Seen, now: datetime, policy: Policy) -> Provision:
    """Binds pods of a fresh listing to calls whose answers we never got."""
    for call in provision.unresolved:
        match adoption_of(_call(provision, call, policy), seen.candidates or ()):
            case Adopt(pod):
                provision = _bind(provision, call, pod, now)
            case _:
                pass
    return provision


def _call(provision: Provision, call: CreateCall, policy: Policy) -> Call:
    ended_at = call.ended_at or call.asked_at + policy.create_settle
    return Call(call.token, provision.runpod_name, call.asked_at, ended_at, call.pod_id)


def strangers_of(provision: Provision, seen: Seen, policy: Policy) -> tuple[str, ...]:
    """Pods with our marks that are not the ones we made, and that nobody was asked about yet."""
    found: list[str] = []
    for call in provision.calls:
        adoption = adoption_of(_call(provision, call, policy), seen.candidates or ())
        if isinstance(adoption, MovedOrCopied):
            found += [pod.pod_id for pod in adoption.pods]
    own = {call.pod_id for call in provision.calls}
    return tuple(sorted({pod_id for pod_id in found if pod_id not in own} - set(provision.copies)))


def _reach(provision: Provision, seen: Seen) -> Provision:
    """What connecting has met; a good word is never taken back."""
    if provision.pod is None:
        return provision
    if isinstance(seen.pod, Present):
        pod = replace(provision.pod, usd_per_hour=provision.pod.usd_per_hour or seen.pod.usd_per_hour)
        provision = replace(provision, pod=pod, endpoint=seen.pod.endpoint or provision.endpoint)
    reach = provision.reach
    match seen.probe:
        case None:
            pass
        case Probe.REFUSED:
            reach = replace(reach, refused=True)
        case Probe.TIMED_OUT:
            reach = replace(reach, unanswered=True)
        case Probe.LOGGED_IN:
            reach = replace(reach, banner=True, logged_in=True, trouble=None)
        case Probe.BANNER | Probe.REJECTED | Probe.HOST_KEY_CHANGED as answered:
            reach = replace(reach, banner=True, trouble=_TROUBLE[answered])
    return replace(provision, reach=reach)


def _missing(provision: Provision, seen: Seen, now: datetime) -> Provision:
    match seen.pod:
        case Missing() if not seen.clock_doubtful:
            return replace(provision, missing_since=provision.missing_since or now)
        case Present():
            return replace(provision, missing_since=None)
        case _:
            return provision


def _work(provision: Provision, seen: Seen, now: datetime, policy: Policy) -> Provision:
    """How the work on the pod stands."""
    if provision.stage not in WORKING:
        return provision
    work = _WORK_OF.get(provision.stage)
    if work is not None:
        provision = _started(provision, seen.started, work, now, policy)
        provision = _ran(provision, seen.remote, work, now)
    elif seen.branch is not None:
        if seen.branch.checkout is None:
            return replace(provision, silent_since=provision.silent_since or now)
        provision = replace(provision, checkout=seen.branch.checkout)
    return provision


def _progress(provision: Provision, seen: Seen, policy: Policy) -> Provision:
    """A new line of the system log gives the SSH wait five minutes from that line, up to the hard cap."""
    pod, log = provision.pod, seen.system_log
    if provision.stage not in WAITING or pod is None or log is None or log.newest_at is None:
        return provision
    extended = min(log.newest_at + PROGRESS, pod.created_at + policy.hard_cap)
    if provision.deadline is None or extended <= provision.deadline:
        return provision
    return replace(provision, deadline=extended)


def _started(
    provision: Provision, started: Started | None, work: Work, now: datetime, policy: Policy
) -> Provision:
    if started is None or (started.work, started.run) != (work, provision.run) or provision.started_at:
        return provision
    if started.rc is not None:
        return _ended(provision, work, started.rc)
    if not started.confirmed:
        return replace(provision, silent_since=provision.silent_since or now)
    wait = policy.bootstrap_wait if work is Work.BOOTSTRAP else policy.preflight_wait
    return replace(provision, started_at=now, deadline=now + wait, tries=0)


def _ran(provision: Provision, remote: Remote | None, work: Work, now: datetime) -> Provision:
    if remote is None or (remote.work, remote.run) != (work, provision.run) or not provision.started_at:
        return provision
    match remote.state:
        case RemoteState.UNKNOWN:
            return replace(provision, silent_since=provision.silent_since or now)
        case RemoteState.RUNNING:
            return provision
        case RemoteState.ABSENT | RemoteState.DEAD:
            return _ended(provision, work, KILLED)
        case RemoteState.EXITED:
            return _ended(provision, work, KILLED if remote.rc is None else remote.rc)


def _ended(provision: Provision, work: Work, rc: int) -> Provision:
    if work is Work.BOOTSTRAP:
        return replace(provision, bootstrap_rc=rc)
    return replace(provision, preflight_rc=rc)


def _people(provision: Provision, seen: Seen, now: datetime) -> Provision:
    """What was called off, and whether the owner said to go on."""
    if seen.cancel:
        provision = replace(provision, cancelled_at=provision.cancelled_at or now)
    asked_at = provision.asked_owner_at
    if seen.owner_says is OwnerSays.GO_ON and asked_at is not None:
        deadline = prolonged(provision.deadline, asked_at, now)
        return replace(provision, long_gap_at=None, asked_owner_at=None, deadline=deadline)
    if provision.stage is Stage.WISHED and seen.permit is Permit.GO_ON:
        return replace(provision, long_gap_at=None)
    return provision
