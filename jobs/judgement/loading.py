"""The facts of every pod and of the pass, from the database: columns in, frozen values out."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session

from jobs.judgement.records import Records, last_beat, moved_or_copied, notices_about, read_records
from jobs.observe.folding import CLOCKS, WITNESS, Clocks
from pods.episodes import watched_from_birth
from pods.exit_clock import exit_times
from pods.facts import PassFacts, PodFacts, Sight
from pods.guards import Path
from pods.keeps import Protection, protection
from pods.limits import Spent
from pods.ownership import Ownership, ownership
from pods.phase import Phase
from pods.policy import Policy
from pods.provision.outcomes import ENDINGS, PodFate
from pods.provision.stages import UNDER_WAY
from pods.status_text import status_text
from pods.witness import Witness
from storage.deed import count_since
from storage.fleet import FleetPod, fleet
from storage.listing import last_listings, recall
from storage.switches import arming

GONE_LISTED_FOR = timedelta(hours=24)
NO_KEEP = Protection(kept_until=None, unreadable=False, knowing_until=None)
_SIGHTS = {sight.value: sight for sight in Sight}
_PHASES = {phase.value: phase for phase in Phase} | {None: None}
_UNDER_WAY = frozenset(stage.value for stage in UNDER_WAY)
_LEFT_ALIVE = frozenset(
    outcome.value for outcome, ending in ENDINGS.items() if ending.pod is PodFate.LEFT and ending.failed
)
# Looking up an enum's member takes 0.1 µs in Python 3.11, a module's own name a tenth of that.
_SEEN, _GONE = Sight.SEEN, Phase.GONE


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a pass judges."""

    pods: tuple[PodFacts, ...]
    pass_: PassFacts
    spent: Spent


def load(session: Session, now: datetime, policy: Policy) -> Loaded:
    """Every pod that is not gone, or went within the last day."""
    records = read_records(session)
    pods = fleet(session, now - GONE_LISTED_FOR)
    return Loaded(
        pods=tuple(facts_of(pod, records, now, policy) for pod in pods),
        pass_=pass_facts(session, now, policy),
        spent=Spent(
            stale=count_since(session, Path.STALE, now - timedelta(days=1)),
            never_ran=count_since(session, Path.NEVER_RAN, now - timedelta(days=1)),
        ),
    )


def pass_facts(session: Session, now: datetime, policy: Policy) -> PassFacts:
    """What holds for the whole pass: the last look, the clocks, the switches."""
    last = last_listings(session, 1)
    clocks = recall(session, CLOCKS, Clocks)
    witness = recall(session, WITNESS, Witness)
    set_to = arming(session)
    return PassFacts(
        now=now,
        listing_complete=bool(last) and last[0].complete and now - last[0].at <= policy.max_gap,
        clock_doubtful=clocks is None or clocks.doubtful or clocks.jumped,
        witness_out=witness is not None and witness.out,
        armed_never_ran=set_to.never_ran,
        armed_stale=set_to.stale,
        paused=set_to.paused,
        policy=policy,
    )


def owned(pod: FleetPod, records: Records, now: datetime, policy: Policy) -> Ownership:
    """Whose the pod is, by everything that was written down."""
    said = records.statements.get(pod.pod_id, ())
    return ownership(pod.pod_id, pod.ledger, said, now, policy.claim_settle)


def facts_of(pod: FleetPod, records: Records, now: datetime, policy: Policy) -> PodFacts:
    """Everything that the judgement may know of one pod."""
    pod_id, called_at = pod.pod_id, pod.called_at
    whose = owned(pod, records, now, policy)
    tags = records.keeps.get(pod_id)
    kept = protection(tags) if tags else NO_KEEP
    gone = pod.gone_at is not None
    phase = _GONE if gone else _PHASES[pod.phase] if pod.sight == _SEEN else None
    exit_ = exit_times(pod, status_text(records.texts.get(pod_id)), now, policy.max_gap)
    notices = notices_about(records, pod_id, phase, whose)
    return PodFacts(
        pod_id=pod_id,
        sight=_SEEN if gone else _SIGHTS[pod.sight],
        phase=phase,
        created_at=pod.created_at,
        cluster_member=pod.cluster_member,
        locked=pod.locked,
        grade=whose.grade,
        owner=whose.owner,
        in_ledger=whose.in_ledger,
        create_called_at=called_at,
        provision_deadline=(pod.deadline_at or now) if pod.stage in _UNDER_WAY else None,
        failed_alive=pod.outcome in _LEFT_ALIVE and pod.decided_at is None,
        moved_or_copied=not whose.in_ledger and moved_or_copied(records.statements.get(pod_id)),
        keep_on_failure=bool(pod.keep_on_failure),
        heartbeat_at=last_beat(records.heartbeats.get(pod_id), pod.agent),
        progress_at=pod.progress_at,
        fence_at=pod.fence_at,
        first_seen_at=pod.first_seen_at,
        at_first_listing=bool(pod.at_first_listing),
        watched_from_birth=watched_from_birth(pod, pod.created_at, called_at, now, policy.max_gap),
        counting=pod.counting or 0,
        has_run=pod.has_run is not None or pod_id in records.ran,
        nulls=pod.nulls or 0,
        nulls_since=pod.nulls_since,
        error_since=pod.error_since,
        exited_since=exit_.since,
        first_seen_exited=exit_.first_seen_exited,
        provider_exited_at=exit_.provider_at,
        kept_until=kept.kept_until,
        keep_unreadable=kept.unreadable,
        knowing_until=kept.knowing_until,
        ending=pod_id in records.ending,
        deed_in_episode=pod_id in records.acted,
        stale_notice_at=notices.stale_at,
        fence_notice_at=notices.fence_at,
    )
