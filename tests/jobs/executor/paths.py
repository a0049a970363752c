"""For each path of the guard table, a pod and a deed with every guard open; and what shuts each guard."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from sqlmodel import Session, col

from jobs.executor.facts import standing
from jobs.judgement.records import NOTICE
from jobs.observe.folding import CLOCKS, Clocks
from pods.guards import Need, Path
from pods.has_run import Sign
from pods.ids import PodId, UserId
from pods.ownership import Claim, ClaimSource
from pods.policy import Policy
from pods.provision.outcomes import Outcome
from pods.verdict import Reason
from simulator.runpod.pod import Pod
from storage.agent import add_agent, confirm_agent
from storage.claim import say
from storage.deed import Deed, DeedRow, DeedState, intend
from storage.history import saw_life
from storage.keep import Heartbeat, beat
from storage.keys import new_key
from storage.listing import remember
from storage.outbox import OutboxRow
from storage.provision_asks import move_fence
from storage.question import Question, QuestionRow, ask, note_delivery
from storage.rows import change
from storage.switches import ARMED_NEVER_RAN, ARMED_STALE, OPS_CHANNEL_LOST
from tests.jobs.executor.conftest import MINUTE, Desk

TEN = 10 * MINUTE
STEP = 4 * MINUTE
POLICY: dict[str, Any] = {
    "never_ran_grace": TEN,
    "never_ran_min_observations": 3,
    "stale_after": TEN,
    "stale_notice": TEN,
}
REASONS = {Path.STALE: Reason.STALE, Path.FENCE: Reason.FENCE_PASSED}
UNREACHED = {Path.PROVISION_TEARDOWN, Path.PROVISION_CANCEL}
TAKES: dict[Path, dict[str, Any]] = {
    **{path: {"stuck_in": "RUNNING", "outcome": Outcome.NEVER_REACHED} for path in UNREACHED},
    Path.NEVER_RAN: {"stuck_in": "RUNNING"},
    Path.AGENT: {"agent": "robot"},
}


@dataclass
class Situation:
    """One path, with everything that it takes."""

    desk: Desk
    path: Path
    takes: dict[str, Any] = field(default_factory=dict)
    """How the pod differs from what the path takes."""
    wants: dict[str, Any] = field(default_factory=dict)
    """How the deed differs."""
    policy: dict[str, Any] = field(default_factory=dict)
    """The settings by which it is judged in the end."""
    between: "Step | None" = None
    """What happens before the deed is intended."""
    told: bool = True
    """The owner was told beforehand, where that is needed."""
    after: "Step | None" = None
    """What happens after it."""

    async def plays(self) -> tuple[Pod, Deed]:
        """Up to the moment in which the executor may act."""
        self._set(POLICY)
        pod = await self._pod()
        if self.between:
            await self.between(self.desk, pod)
        deed = await self._deed(pod)
        if self.after:
            await self.after(self.desk, pod)
        self._set({**POLICY, **self.policy})
        return pod, deed

    async def acts(self) -> tuple[Pod, Deed, int]:
        """And what the executor makes of it: the deed, and how many calls RunPod got."""
        pod, deed = await self.plays()
        before = self.calls()
        await self.desk.works()
        return pod, await self.desk.now_is(deed), self.calls() - before

    def calls(self) -> int:
        return self.desk.stops() if self.path is Path.STOP else self.desk.terminates()

    def _set(self, policy: dict[str, Any]) -> None:
        self.desk.world = self.desk.world.with_settings(policy=Policy(**policy))
        self.desk.observer.house = self.desk.world.house

    async def _pod(self) -> Pod:
        desk, takes = self.desk, {**TAKES.get(self.path, {}), **self.takes}
        if self.path is Path.FENCE and takes.get("ours", True):
            takes["fence_at"] = desk.world.clock.now() + 5 * MINUTE
        if self.path is Path.AGENT:
            await desk.do(lambda session: _robot(session, desk))
        pod = await desk.rents(**takes)
        match self.path:
            case Path.NEVER_RAN:
                await desk.turns(ARMED_NEVER_RAN)
                await desk.looks(3, every=STEP)
            case Path.STALE:
                await desk.turns(ARMED_STALE)
                desk.world.runpod.console.stop(pod.id, by="console:alice")
                await desk.looks(4, every=STEP)
            case _:
                pass
        return pod

    async def _deed(self, pod: Pod) -> Deed:
        desk = self.desk
        if self.path in REASONS:
            await self._notice(pod)
            await desk.looks(3, every=STEP)
        by_job = self.path in {*UNREACHED, Path.FENCE, Path.NEVER_RAN, Path.STALE}
        actor = "podkeeper" if by_job else desk.dana if self.path is Path.ADMIN else desk.alice
        wanted = {"actor": actor, "reason": "too costly", "provision_id": desk.provisions.get(pod.id)}
        if self.path is Path.AGENT:
            wanted["agent"] = "robot"
        deed = await desk.wants(pod, self.path, **{**wanted, **self.wants})
        if self.path is Path.ADMIN and self.told:
            await desk.slack_takes(f"admin ends {deed.id}", desk.world.clock.now())
            await desk.looks(4, every=STEP)
        await desk.undo_time_passes()
        return deed

    async def _notice(self, pod: Pod) -> None:
        desk, now, reason = self.desk, self.desk.world.clock.now(), REASONS[self.path]

        def write(session: Session) -> None:
            found = standing(session, pod.id, now, desk.world.house.policy)
            assert found is not None
            notice = Question("notice", NOTICE, pod.id, found.fingerprint, reason, desk.alice, now, None)
            assert ask(session, notice)
            if self.told:
                note_delivery(session, "notice", now)

        await desk.do(write)


Step = Callable[[Desk, Pod], Awaitable[None]]


def _robot(session: Session, desk: Desk) -> None:
    now = desk.world.clock.now()
    for name in ("robot", "other"):
        add_agent(session, name, desk.alice, desk.dana, now)
        confirm_agent(session, name, now)


def write(work: Callable[[Session, Desk, Pod], object]) -> Step:
    """Something that is written to the database."""

    async def step(desk: Desk, pod: Pod) -> None:
        await desk.do(lambda session: work(session, desk, pod))

    return step


async def changes(desk: Desk, pod: Pod) -> None:
    """Somebody stops the pod; one that is stopped is started."""
    console = desk.world.runpod.console
    if pod.run.ended_at is not None:
        console.start(pod.id, by="console:bob")
    else:
        console.stop(pod.id, by="console:bob")


async def restarts(desk: Desk, pod: Pod) -> None:
    desk.world.runpod.console.restart(pod.id, by="console:bob")


async def is_locked(desk: Desk, pod: Pod) -> None:
    desk.world.runpod.quirks.pod(pod.id, locked=True)


async def joins_a_cluster(desk: Desk, pod: Pod) -> None:
    desk.world.runpod.quirks.pod(pod.id, cluster="cluster1")


async def ops_channel_is_lost(desk: Desk, _: Pod) -> None:
    await desk.turns(OPS_CHANNEL_LOST)


def _clock_is_doubtful(session: Session, desk: Desk, _: Pod) -> None:
    remember(session, CLOCKS, Clocks(doubtful=True, jumped=False), desk.world.clock.now())


def _another_provision(session: Session, _: Desk, pod: Pod) -> None:
    change(session, DeedRow, col(DeedRow.pod_id) == pod.id, provision_id="another1")


def _banner_was_seen(session: Session, desk: Desk, pod: Pod) -> None:
    saw_life(session, pod.id, Sign.BANNER, desk.world.clock.now())


def _bob_claims_it(session: Session, desk: Desk, pod: Pod) -> None:
    bob, now = desk.world.slack.people.bob.id, desk.world.clock.now()
    say(session, Claim(PodId(pod.id), UserId(bob), now, ClaimSource.PERSON))


def _has_reason_to_live(session: Session, desk: Desk, pod: Pod) -> None:
    """Its fence moves; its agent is alive."""
    now = desk.world.clock.now()
    beat(session, Heartbeat(pod.id, "robot", now))
    if pod.id in desk.provisions:
        move_fence(session, desk.provisions[pod.id], now + timedelta(hours=1))


def _was_tried_before(session: Session, desk: Desk, pod: Pod) -> None:
    now = desk.world.clock.now()
    tried = Deed(
        new_key(), Path.NEVER_RAN, pod.id, "f", "podkeeper", now, now, None, state=DeedState.FAILED,
        finished_at=now,
    )  # fmt: skip
    assert intend(session, tried)


def _warning_was_given_up(session: Session, desk: Desk, _: Pod) -> None:
    change(session, OutboxRow, col(OutboxRow.kind) == "admin_ends", gave_up_at=desk.world.clock.now())


def _notice_was_never_taken(session: Session, _: Desk, __: Pod) -> None:
    change(session, QuestionRow, col(QuestionRow.id) == "notice", delivered_at=None)


def shut(desk: Desk, path: Path, need: Need) -> Situation:
    """The path with this one guard shut, and those alone that hang on it."""
    bob = desk.world.slack.people.bob.id
    one = Situation(desk, path)
    match need:
        case Need.NOT_LOCKED:
            one.after = is_locked
        case Need.NOT_IN_CLUSTER:
            one.after = joins_a_cluster
        case Need.FINGERPRINT_UNCHANGED:
            one.after = restarts if path is Path.STOP else changes
        case Need.CLOCK_SOUND:
            one.after = write(_clock_is_doubtful)
        case Need.OPS_CHANNEL:
            one.after = ops_channel_is_lost
        case Need.BOUND_TO_PROVISION:
            one.after = write(_another_provision)
        case Need.NEVER_REACHED:
            one.after = write(_banner_was_seen)
        case Need.PROVED:
            one.takes = {"ours": False, "outcome": None, "agent": None}
        case Need.NO_CONFLICT:
            one.between = write(_bob_claims_it)
        case Need.NOTICE_RIPE:
            one.after = write(_notice_was_never_taken)
        case Need.STILL_DUE:
            one.after = write(_has_reason_to_live)
            one.policy = {"stale_after": timedelta(hours=9)}
        case Need.IN_PLAN:
            one.policy = {"max_reaps_per_pass": 0, "never_ran_max_per_pass": 0}
        case Need.LAST_LOOK:
            one.takes = {"stuck_in": None, "runtime": "null", "ports_s": None}
        case Need.ONE_DEED:
            one.after = write(_was_tried_before)
        case Need.RIGHT_TO_END | Need.ADMIN:
            one.wants = {"actor": bob}
        case Need.SOMEBODY_ELSES:
            one.takes = {"owner": desk.dana}
        case Need.REASON:
            one.wants = {"reason": "  "}
        case Need.OWNER_WARNED:
            one.told, one.after = False, write(_warning_was_given_up)
        case Need.OWN_PROVISION:
            one.takes = {"agent": "other"}
    return one
