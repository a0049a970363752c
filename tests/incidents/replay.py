"""An account that lives in values: listings are judged as the jobs judge them, without anything outside.

Each pass does what a real one does, in its order: the witness, the histories, the facts, the plan. What a
plan ends is gone from then on.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from jobs.judgement.loading import facts_of
from jobs.judgement.records import Records
from pods.episodes import Observation, PodHistory, counts, first, observe
from pods.facts import PassFacts, PodFacts, Sight
from pods.ids import PodId
from pods.keeps import KeepTag
from pods.limits import Spent
from pods.ownership import LedgerRecord, Statement
from pods.phase import Phase, Status
from pods.plan import Plan, make_plan
from pods.policy import Policy
from pods.snapshot import Mounts, Snapshot, phase_seen
from pods.witness import TRUSTED, Witness, look
from storage.fleet import FleetPod

BEGIN = datetime(2026, 7, 22, 9, 37, tzinfo=UTC)
MINUTE = timedelta(minutes=1)

Shown = tuple[Status, bool]
"""A status, and whether a runtime is to be seen."""

RUNS = (Status.RUNNING, True)
SHOWS_NOTHING = (Status.RUNNING, False)
PREPARES = (Status.PROVISIONING, False)
STOPPED = (Status.EXITED, False)

Life = Callable[[datetime], Shown]
"""What RunPod shows of a pod at a moment."""


@dataclass(kw_only=True)
class Pod:
    """One pod of the account, and what we know of it beside the listings."""

    pod_id: str
    life: Life
    name: str = "work"
    created_at: datetime = BEGIN
    started_at: datetime | None = None
    record: LedgerRecord | None = None
    statements: tuple[Statement, ...] = ()
    keeps: tuple[KeepTag, ...] = ()
    ran: bool = False
    """Somebody logged in, or its container's log had a line."""
    keep_on_failure: bool = False
    stale_notice_at: datetime | None = None
    """When Slack took the notice about its end."""
    text: str | None = None

    def seen_at(self, now: datetime) -> Snapshot:
        status, shows_life = self.life(now)
        return Snapshot(
            pod_id=self.pod_id,
            name=self.name,
            status=status,
            shows_life=shows_life,
            created_at=self.created_at,
            started_at=self.started_at,
            gpu_type="NVIDIA H100 80GB HBM3",
            gpu_count=4,
            usd_per_hour=11.56,
            data_center="EU-RO-1",
            cloud="SECURE",
            image="runpod/pytorch",
            mounts=Mounts(),
            container_disk_gb=50,
            ssh=None,
            locked=False,
            cluster_member=False,
            provision_mark=None,
            create_mark=None,
        )


def as_it_is(facts: PodFacts) -> PodFacts:
    return facts


@dataclass(kw_only=True)
class Account:
    """What is there, and what we remember of it."""

    alive: dict[str, Pod]
    rules: Policy
    begins_at: datetime
    histories: dict[str, PodHistory] = field(default_factory=dict)
    phases: dict[PodId, Phase] = field(default_factory=dict)
    witness: Witness = TRUSTED

    def listed(self, now: datetime) -> dict[str, Snapshot]:
        there = [pod for pod in self.alive.values() if pod.created_at <= now]
        return {pod.pod_id: pod.seen_at(now) for pod in there}

    def observe(self, listed: dict[str, Snapshot], now: datetime) -> None:
        phases = {PodId(pod_id): self._phase(snapshot) for pod_id, snapshot in listed.items()}
        self.witness = look(self.witness, self.phases, phases, now)
        self.phases = phases
        for pod_id, snapshot in listed.items():
            seen = self._observation(snapshot, phases[PodId(pod_id)], now)
            known = self.histories.get(pod_id)
            self.histories[pod_id] = (
                observe(known, seen, self.rules.max_gap)[0]
                if known
                else first(seen, at_first_listing=now == self.begins_at)
            )

    def facts(self, snapshot: Snapshot, now: datetime) -> PodFacts:
        pod, pod_id = self.alive[snapshot.pod_id], PodId(snapshot.pod_id)
        stored = as_stored(pod, snapshot, self.histories[pod_id], self.phases[pod_id])
        facts = facts_of(stored, written_of(pod), now, self.rules)
        return facts._replace(stale_notice_at=pod.stale_notice_at)

    def _phase(self, snapshot: Snapshot) -> Phase:
        phase = phase_seen(snapshot, self.alive[snapshot.pod_id].text)
        assert phase is not None
        return phase

    def _observation(self, snapshot: Snapshot, phase: Phase, now: datetime) -> Observation:
        out = self.witness.out
        return Observation(
            pod_id=PodId(snapshot.pod_id),
            at=now,
            phase=phase,
            shows_life=snapshot.shows_life,
            started_at=snapshot.started_at,
            counts=counts(phase, complete=True, clock_doubtful=False, witness_out=out),
        )


def as_stored(pod: Pod, seen: Snapshot, history: PodHistory, phase: Phase) -> FleetPod:
    """The pod as the columns of our tables have it."""
    made = pod.record
    return FleetPod(
        pod_id=PodId(pod.pod_id),
        sight=Sight.SEEN,
        phase=phase,
        created_at=seen.created_at,
        cluster_member=seen.cluster_member,
        locked=seen.locked,
        progress_at=None,
        gone_at=None,
        first_seen_at=history.first_seen_at,
        at_first_listing=history.at_first_listing,
        last_counting_at=history.last_counting_at,
        gapless=history.gapless,
        counting=history.counting,
        has_run=history.has_run,
        started_at=history.started_at,
        nulls=history.nulls,
        nulls_since=history.nulls_since,
        last_unexited_at=history.last_unexited_at,
        exited_since=history.exited_since,
        open_phase=history.episode.phase,
        error_since=history.episode.since if history.episode.phase is Phase.ERROR else None,
        provision_id=made.provision if made else None,
        called_at=made.called_at if made else None,
        made_for=made.owner if made else None,
        agent=None,
        stage="ready" if made else None,
        deadline_at=None,
        outcome=None,
        keep_on_failure=pod.keep_on_failure if made else None,
        fence_at=None,
        decided_at=None,
    )


def written_of(pod: Pod) -> Records:
    """What people said of the pod, and what showed that it ran."""
    pod_id = PodId(pod.pod_id)
    return Records(
        statements={pod_id: list(pod.statements)},
        keeps={pod_id: list(pod.keeps)},
        heartbeats={},
        texts={pod_id: pod.text} if pod.text is not None else {},
        ran=frozenset({pod.pod_id} if pod.ran else ()),
        ending=frozenset(),
        acted=frozenset(),
        notices={},
        noticed={},
    )


def passes(
    pods: Sequence[Pod],
    moments: Sequence[datetime],
    *,
    policy: Policy | None = None,
    distort: Callable[[PodFacts], PodFacts] = as_it_is,
) -> Iterator[Plan]:
    """One armed pass at each moment. `distort` is where a mutant of the facts comes in."""
    rules = policy or Policy()
    account = Account(alive={pod.pod_id: pod for pod in pods}, rules=rules, begins_at=moments[0])
    for now in moments:
        listed = account.listed(now)
        account.observe(listed, now)
        facts = [distort(account.facts(snapshot, now)) for snapshot in listed.values()]
        plan = make_plan(facts, armed(now, rules, witness_out=account.witness.out), Spent())
        yield plan
        for pod_id in plan.ends:
            del account.alive[pod_id]


def armed(now: datetime, policy: Policy, *, witness_out: bool = False) -> PassFacts:
    """A pass in which everything is allowed that can be."""
    return PassFacts(
        now=now,
        listing_complete=True,
        clock_doubtful=False,
        witness_out=witness_out,
        armed_never_ran=True,
        armed_stale=True,
        paused=False,
        policy=policy,
    )


def each_minute(begin: datetime, minutes: int) -> list[datetime]:
    """`minutes` moments, a minute apart."""
    return [begin + n * MINUTE for n in range(minutes)]


def noticed(pod: Pod, at: datetime) -> Pod:
    """Slack took the notice about this pod's end at this moment."""
    return replace(pod, stale_notice_at=at)
