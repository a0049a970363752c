"""One pod's facts: as the last listing has them, and as a fresh read of the pod makes them."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlmodel import Session

from jobs.judgement.loading import facts_of, load, owned
from jobs.judgement.records import read_records
from pods.cost import usd_per_hour_saved
from pods.facts import PassFacts, PodFacts, Sight
from pods.fingerprint import Fingerprint, fingerprint
from pods.guards import Path
from pods.limits import Spent
from pods.ownership import Ownership
from pods.plan import make_plan
from pods.policy import Policy
from pods.snapshot import Snapshot, phase_seen
from storage.deed import STOP, Deed, DeedState, deeds_of
from storage.fleet import FleetPod, fleet_pod, never_listed
from storage.pod import snapshot, status_texts
from storage.prices import disks_of, price_of

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Standing:
    """What a pod is and whose, at one moment."""

    facts: PodFacts
    whose: Ownership
    fingerprint: Fingerprint
    usd_per_hour: float | None
    """What an end of it saves."""


def standing(session: Session, pod_id: str, now: datetime, policy: Policy) -> Standing | None:
    """By the last listing that had it. None: nobody ever saw it, and our ledger does not have it."""
    pod = fleet_pod(session, pod_id) or never_listed(session, pod_id)
    if (
        pod.sight == Sight.MISSING
        and pod.first_seen_at is None
        and pod.ledger is None
        and pod.gone_at is None
    ):
        return None
    return _standing(session, pod, snapshot(session, pod_id), now, policy)


def standing_now(session: Session, deed: Deed, seen: Snapshot, now: datetime, policy: Policy) -> Standing:
    """By a fresh read of the pod. What is under way on it by this very deed does not count."""
    pod = fleet_pod(session, deed.pod_id) or never_listed(session, deed.pod_id)
    text = status_texts(session).get(pod.pod_id)
    fresh = pod._replace(
        sight=Sight.SEEN,
        phase=phase_seen(seen, text),
        created_at=seen.created_at,
        cluster_member=seen.cluster_member,
        locked=seen.locked,
        gone_at=None,
    )
    found = _standing(session, fresh, seen, now, policy)
    others = [one for one in deeds_of(session, deed.pod_id) if one.id != deed.id]
    facts = found.facts._replace(
        has_run=found.facts.has_run or seen.shows_life or seen.ssh is not None,
        ending=any(one.finished_at is None and one.path != STOP for one in others),
        deed_in_episode=any(_had_its_turn(one) for one in others),
    )
    return replace(found, facts=facts)


def in_plan(session: Session, deed: Deed, fresh: PodFacts, pass_: PassFacts) -> bool:
    """Whether a plan made now, of everything else as it stands and this pod as freshly read, ends it."""
    loaded = load(session, pass_.now, pass_.policy)
    pods = [fresh if pod.pod_id == fresh.pod_id else pod for pod in loaded.pods]
    return fresh.pod_id in make_plan(pods, pass_, without(deed, loaded.spent, pass_.now)).ends


def without(deed: Deed, spent: Spent, now: datetime) -> Spent:
    """What the clocks have ended lately, but for this deed."""
    if now - deed.created_at > DAY:
        return spent
    match deed.path:
        case Path.STALE:
            return replace(spent, stale=spent.stale - 1)
        case Path.NEVER_RAN:
            return replace(spent, never_ran=spent.never_ran - 1)
        case _:
            return spent


def _standing(
    session: Session, pod: FleetPod, seen: Snapshot | None, now: datetime, policy: Policy
) -> Standing:
    records = read_records(session)
    whose = owned(pod, records, now, policy)
    facts = facts_of(pod, records, now, policy)
    print_of = fingerprint(
        pod.pod_id,
        facts.phase,
        seen.started_at if seen else None,
        seen.mounts if seen else None,
        whose.grade,
        whose.owner,
    )
    price, disks = price_of(session, pod.pod_id, seen), disks_of(session, pod.pod_id, seen)
    saved = usd_per_hour_saved(facts.phase, price, disks)
    return Standing(facts, whose, print_of, saved)


def _had_its_turn(deed: Deed) -> bool:
    return deed.path == Path.NEVER_RAN and deed.state not in (DeedState.UNDONE, DeedState.REFUSED)
