"""Everything that the guards may ask about one deed, gathered in one transaction."""

from datetime import datetime, timedelta

from sqlmodel import Session, col

from jobs.executor.facts import Standing, in_plan, without
from jobs.executor.last_look import LastLook
from jobs.executor.requesting import warning_of
from jobs.house import House
from jobs.judgement.loading import pass_facts
from pods.fingerprint import Fingerprint, fingerprint
from pods.guards import GUARDS, Need, Path
from pods.has_run import Sign
from pods.ids import PodId, UserId
from pods.keeps import cover
from pods.limits import Spent
from pods.permission import Attempt
from pods.phase import Phase
from pods.snapshot import Snapshot
from storage.agent import agent
from storage.columns import JsonObject
from storage.deed import Deed, count_since, open_deeds
from storage.history import episodes_of, signs_of_life
from storage.ledger import ProvisionRecord, readable, record, record_of_pod
from storage.outbox import Delivered, OutboxRow
from storage.person import person
from storage.question import question
from storage.rows import read_one
from storage.switch import is_on
from storage.switches import OPS_CHANNEL_LOST

DAY = timedelta(days=1)
_UNREACHED = frozenset({Path.PROVISION_TEARDOWN, Path.PROVISION_CANCEL})
_WISHED = frozenset({Path.OWNER, Path.AGENT})
_STARTING = (Phase.ALLOCATING, Phase.NO_RUNTIME)


def attempt_of(
    session: Session,
    house: House,
    deed: Deed,
    path: Path,
    pod: Standing,
    seen: Snapshot,
    look: LastLook,
    now: datetime,
) -> Attempt:
    """What holds at this moment. What cannot be known stays as the answer that closes the path."""
    pass_ = pass_facts(session, now, house.policy)
    planned = Need.IN_PLAN in GUARDS[path].needs
    warned = warning(session, deed.id)
    return Attempt(
        pod=pod.facts,
        pass_=pass_,
        fingerprint_unchanged=_unchanged(session, deed, path, pod, seen),
        ops_channel_reachable=not is_on(session, OPS_CHANNEL_LOST),
        bound_to_provision=deed.provision_id is not None and pod.whose.provision == deed.provision_id,
        never_reached=path in _UNREACHED and _never_reached(session, deed, look),
        actor=UserId(deed.actor),
        owner_may_end=pod.whose.may_end and _is_here(session, deed.actor),
        actor_is_admin=deed.actor in house.admins and _is_here(session, deed.actor),
        reason_given=bool((deed.reason or "").strip()),
        owner_warned_at=warned.delivered_at if warned and _is_here(session, deed.owner or "") else None,
        own_provision=_own_provision(session, deed),
        shown=_shown(session, deed),
        keep_shown=deed.evidence.get("kept") == cover(pod.facts.kept_until, pod.facts.keep_unreadable, now),
        other_end_open=_other_end_open(session, deed),
        agent_ends_today=_agent_ends(session, deed, now),
        in_plan=planned and in_plan(session, deed, pod.facts, pass_),
        last_look_clear=not look.signs,
        spent=_spent(session, deed, now),
    )


def warning(session: Session, deed_id: str) -> Delivered | None:
    """The message that warned the owner, and whether Slack took it."""
    return read_one(session, Delivered, OutboxRow, col(OutboxRow.dedupe) == warning_of(deed_id))


def evidence_in(attempt: Attempt, pod: Standing) -> JsonObject:
    """The facts as seen, short: enough to follow the decision later."""
    facts = attempt.pod
    return {
        "phase": facts.phase,
        "grade": facts.grade,
        "owner": facts.owner,
        "fingerprint": pod.fingerprint,
        "has_run": facts.has_run,
        "kept_until": facts.kept_until.isoformat() if facts.kept_until else None,
        "exited_since": facts.exited_since.isoformat() if facts.exited_since else None,
    }


def _unchanged(session: Session, deed: Deed, path: Path, pod: Standing, seen: Snapshot) -> bool:
    """Coming up is no change of what was decided about: the last listing may be older than the wish.

    A pod goes from one way of not running to the other and then runs, and is given a start time if it had
    none. Another start time makes it another matter; so does a stop that a listing saw, where a person or an
    agent wished for the end.
    """
    if deed.fingerprint == pod.fingerprint:
        return True
    phases = _comes_up(path)
    if pod.facts.phase not in phases:
        return False
    if path in _WISHED and not _started_once(session, deed, seen):
        return False
    same_start = ((phase, seen.started_at) for phase in phases)
    no_start_yet = ((phase, None) for phase in _STARTING)
    return any(
        deed.fingerprint == _print(pod, seen, phase, started_at)
        for phase, started_at in (*same_start, *no_start_yet)
    )


def _comes_up(path: Path) -> tuple[Phase, ...]:
    """The phases that are one to this path, as long as they follow one start."""
    if path in _UNREACHED:
        return _STARTING
    return (*_STARTING, Phase.RUNNING) if path in _WISHED else ()


def _started_once(session: Session, deed: Deed, seen: Snapshot) -> bool:
    """No listing ever saw it stopped, or with another start time."""
    return all(
        episode.phase is not Phase.EXITED and episode.started_at in (None, seen.started_at)
        for episode in episodes_of(session, deed.pod_id)
    )


def _print(pod: Standing, seen: Snapshot, phase: Phase, started_at: datetime | None) -> Fingerprint:
    return fingerprint(pod.facts.pod_id, phase, started_at, seen.mounts, pod.whose.grade, pod.whose.owner)


def _never_reached(session: Session, deed: Deed, look: LastLook) -> bool:
    made = record(session, deed.provision_id) if deed.provision_id else None
    if made is None or look.banner or look.timed_out:
        return False
    signs = signs_of_life(session).get(PodId(deed.pod_id), {})
    if Sign.BANNER in signs or Sign.LOGIN in signs:
        return False
    return made.pod_id != deed.pod_id or _provision_never_reached(made)


def _provision_never_reached(made: ProvisionRecord) -> bool:
    wished = readable(made)
    return made.reached_at is None and wished is not None and wished.never_reached


def _is_here(session: Session, user: str) -> bool:
    """Not known to have left, or to be of another workspace."""
    known = person(session, user)
    return known is None or not (known.deleted or known.stranger)


def _own_provision(session: Session, deed: Deed) -> bool:
    made = record_of_pod(session, deed.pod_id)
    asking = agent(session, deed.agent) if deed.agent else None
    if made is None or asking is None or made.agent != asking.name:
        return False
    return asking.confirmed_at is not None and asking.suspended_at is None and made.owner == asking.owner


def _shown(session: Session, deed: Deed) -> bool:
    asked = question(session, deed.question_id) if deed.question_id else None
    return deed.evidence.get("shown") is True or (asked is not None and asked.pod_id == deed.pod_id)


def _other_end_open(session: Session, deed: Deed) -> bool:
    """This admin was at another end before this one, and it is not over."""
    return any(
        other.path == Path.ADMIN
        and other.actor == deed.actor
        and (other.created_at, other.id) < (deed.created_at, deed.id)
        for other in open_deeds(session).values()
    )


def _agent_ends(session: Session, deed: Deed, now: datetime) -> int | None:
    if deed.agent is None:
        return None
    mine = 1 if deed.path == Path.AGENT and now - deed.created_at <= DAY else 0
    return count_since(session, Path.AGENT, now - DAY, agent=deed.agent) - mine


def _spent(session: Session, deed: Deed, now: datetime) -> Spent:
    counted = Spent(
        stale=count_since(session, Path.STALE, now - DAY),
        never_ran=count_since(session, Path.NEVER_RAN, now - DAY),
    )
    return without(deed, counted, now)
