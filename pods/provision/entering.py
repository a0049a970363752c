"""What is written when a provision begins, enters a stage, or gets its outcome."""

from dataclasses import replace
from datetime import datetime

from pods import lines
from pods.order import Order
from pods.provision import branches
from pods.provision.decision import Policy
from pods.provision.outcomes import ENDINGS, Outcome
from pods.provision.stages import Stage
from pods.provision.table import Event
from pods.provision.value import Provision, Said

WAIT_OVER = 124
CALLED_OFF = 130
"""The exit status of work that was called off: 128 + SIGINT."""


def begin(provision_id: str, order: Order, now: datetime, policy: Policy) -> Provision:
    """A new provision, as its row is first written."""
    wished = Provision(provision_id, order, now, Stage.WISHED, now, now)
    wait = lines.wait(ssh=policy.ssh_wait, bootstrap=policy.bootstrap_wait, preflight=policy.preflight_wait)
    return _say(_say(wished, now, lines.provision(provision_id, order.name)), now, wait)


def enter(provision: Provision, stage: Stage, event: Event, now: datetime, policy: Policy) -> Provision:
    """The provision in its new stage, with that stage's deadline and lines."""
    left = _leave(provision, event, now)
    entered = replace(left, stage=stage, stage_since=now, started_at=None, tries=0, silent_since=None)
    match stage:
        case Stage.WAITING_RUNTIME:
            return _pod_bound(entered, now, policy)
        case Stage.WAITING_SSH if event is Event.RETRY_LOGIN:
            return replace(_again(entered, now), deadline=now + policy.ssh_wait)
        case Stage.WAITING_SSH:
            return entered
        case Stage.BOOTSTRAPPING:
            again = _again(entered, now) if event is Event.RETRY_BOOTSTRAP else entered
            return replace(again, run=again.run + 1, deadline=now + policy.bootstrap_wait)
        case Stage.PREFLIGHT | Stage.BRANCH:
            return replace(entered, deadline=now + policy.preflight_wait)
        case Stage.FAILED:
            return replace(
                _say(entered, now, lines.bootstrap_failed(entered.order.name, WAIT_OVER)),
                cleaning=_pod_id(entered),
                deadline=now + policy.terminate_wait,
            )
        case Stage.ENDED:
            return replace(entered, cleaning=_pod_id(entered), deadline=now + policy.terminate_wait)
        case Stage.WISHED | Stage.CREATING | Stage.READY:
            return replace(entered, deadline=None)


def _leave(provision: Provision, event: Event, now: datetime) -> Provision:
    """What the end of a stage adds: an exit status that nobody else gave, and the stage's line."""
    match event:
        case Event.BOOTSTRAP_FAILED if provision.bootstrap_rc is None:
            return replace(provision, bootstrap_rc=WAIT_OVER)
        case Event.PREFLIGHT_DONE:
            rc = WAIT_OVER if provision.preflight_rc is None else provision.preflight_rc
            return _say(replace(provision, preflight_rc=rc), now, lines.preflight(rc))
        case Event.PROVED | Event.PREFLIGHT_FAILED | Event.WRONG_BRANCH:
            return _branch_read(provision, now)
        case _:
            return provision


def _branch_read(provision: Provision, now: datetime) -> Provision:
    order = provision.order
    if not order.repo:
        return replace(provision, branch_rc=0)
    unread = provision.checkout is None
    rc = branches.unread_rc(order.branch) if unread else branches.rc_of(order.branch, provision.checkout)
    return _say(replace(provision, branch_rc=rc), now, branches.line_of(order.branch, provision.checkout))


def _pod_bound(provision: Provision, now: datetime, policy: Policy) -> Provision:
    pod = provision.pod
    if pod is None:
        raise ValueError("a provision waits for its pod only after a pod is bound to it")
    line = lines.pod(
        name=provision.order.name,
        pod_id=pod.pod_id,
        runpod_name=provision.runpod_name,
        count=provision.order.count,
        gpu=pod.gpu,
        usd_per_hour=pod.usd_per_hour,
    )
    return replace(_say(provision, now, line), deadline=pod.created_at + policy.ssh_wait)


def _again(provision: Provision, now: datetime) -> Provision:
    """A retry: the same pod, a new attempt, nothing of the last one's results."""
    return replace(
        provision,
        outcome=None,
        bootstrap_rc=None,
        preflight_rc=None,
        checkout=None,
        branch_rc=None,
        looked_at=now,
        long_gap_at=None,
        asked_owner_at=None,
    )


def _pod_id(provision: Provision) -> str | None:
    return provision.pod.pod_id if provision.pod else None


def note_fence(provision: Provision, now: datetime) -> Provision:
    """Says the fence that is in force, once."""
    if provision.fence is None or any(said.line.startswith("FENCE:") for said in provision.lines):
        return provision
    return _say(provision, now, lines.fence(provision.fence.terminates_at))


def finish(provision: Provision, outcome: Outcome, event: Event, now: datetime) -> Provision:
    """The provision with its outcome, its final stage and its last lines."""
    ending = ENDINGS[outcome]
    provision = _leave(provision, event, now)
    already_said = provision.stage is Stage.FAILED
    ended = replace(provision, outcome=outcome, stage=ending.stage, stage_since=now, deadline=None)
    name, key = ended.order.name, ended.id
    last: list[str] = []
    if outcome is Outcome.READY:
        last.append(lines.bootstrap_ok(name))
    if ending.failed and not already_said:
        last.append(lines.bootstrap_failed(name, rc_of(ended)))
    if ending.clean_up:
        last.append(lines.clean_up(name, ending.clean_up))
    if ending.refused:
        last.append(lines.refused(key, ending.refused))
    if ending.ended:
        last.append(lines.ended(key, ending.ended))
    reached = ended.reach.banner or outcome is Outcome.CALLED_OFF_ALIVE
    if ending.ssh and reached and ended.endpoint:
        last.append(lines.ssh(ended.endpoint.host, ended.endpoint.port))
    for line in last:
        ended = _say(ended, now, line)
    return ended


def rc_of(provision: Provision) -> int:
    """The exit status of the stage that failed first."""
    if provision.cancelled_at is not None:
        return CALLED_OFF
    for rc in (provision.bootstrap_rc, provision.preflight_rc, provision.branch_rc):
        if rc:
            return rc
    return WAIT_OVER


def _say(provision: Provision, now: datetime, line: str) -> Provision:
    return replace(provision, lines=(*provision.lines, Said(now, line)))
