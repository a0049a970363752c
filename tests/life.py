"""A random life of an account: people, faults, outages, restarts; and an oracle that knows only the truth.

What may be ended is decided here from what the simulator knows and from what people of this life did, never
from the product's own tables.
"""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from jobs.executor.requesting import Wanted, request_deed
from jobs.executor.running import run as execute
from jobs.hearing.passing import Hearing
from jobs.house import House
from jobs.observe.looking import Observer
from jobs.watch import Watcher
from pods.guards import Path
from pods.policy import Policy
from pods.provision.outcomes import Outcome
from simulator.runpod.fleet import Fleet
from simulator.runpod.history import rent
from simulator.runpod.quirks import Quirks
from simulator.runpod.refusal import RefusedError
from simulator.runpod.rest import RestApi
from simulator.runpod.truth import Truth
from storage.database import Database
from storage.deed import deeds_of
from storage.keep import Keep, give_keep
from storage.keys import new_key
from storage.outbox import OutboxRow
from storage.pod import is_known
from storage.question import note_delivery, open_questions
from storage.switch import Switch, set_switch
from storage.switches import ARMED_NEVER_RAN, ARMED_STALE, PAUSED
from tests.ledger import enter
from tests.wireless import ALICE, DANA, house_without_sockets
from tests.world import HandClock

HOUR = timedelta(hours=1)
POLICY = Policy(
    stale_after=6 * HOUR, stale_notice=3 * HOUR, max_reaps_share=1.0, max_gap=timedelta(minutes=35)
)
POLL = timedelta(minutes=5)


@dataclass(slots=True)
class Life:
    """The account, the jobs, and what this life knows of who wanted what."""

    database: Database
    clock: HandClock = field(default_factory=HandClock)
    seed: int = 1
    fleet: Fleet = field(init=False)
    house: House = field(init=False)
    quirks: Quirks = field(init=False)
    observer: Observer = field(init=False)
    ours: dict[str, datetime] = field(default_factory=dict)
    fences: dict[str, datetime] = field(default_factory=dict)
    yes: set[str] = field(default_factory=set)
    """Pods whose owner said that they may end."""
    armed: dict[str, list[tuple[datetime, bool]]] = field(default_factory=dict)
    slack_up: bool = True
    delivered: dict[str, list[datetime]] = field(default_factory=dict)
    """Pod → when Slack took a notice of its end."""
    ends: Counter[str] = field(default_factory=Counter)
    checked: int = 0
    pod_days: float = 0.0

    def __post_init__(self) -> None:
        self.fleet = Fleet(self.clock, self.seed)
        api = RestApi(self.fleet)
        self.house = house_without_sockets(self.clock, self.database, api, POLICY)
        self.quirks = Quirks(api)
        self.observer = Observer(self.house)

    # What people do

    async def rent_ours(self, *, stuck: bool, fence: bool, keep: bool, dies_after_s: float | None) -> None:
        """Alice has a pod made for her."""
        now = self.clock.now()
        plan: dict[str, object] = {"container_dies_after_s": dies_after_s}
        if stuck:
            plan["stuck_in"] = "RUNNING"
        pod = rent(self.fleet, f"train{len(self.ours)}", by="api:bot", **plan)  # type: ignore[arg-type]
        fence_at = now + 8 * HOUR if fence else None
        name = f"train{len(self.ours)}"
        await self.house.db.run(
            lambda session: enter(
                session, pod.id, ALICE, now, name=name, outcome=Outcome.READY, fence_at=fence_at
            )
        )
        self.ours[pod.id] = now
        if fence_at is not None:
            self.fences[pod.id] = fence_at
        if keep:
            tag = Keep(new_key(), pod.id, ALICE, "person", now, now + 12 * HOUR)
            await self.house.db.run(lambda session: give_keep(session, tag))

    def rent_somebodys(self, *, stuck: bool) -> None:
        """Carol rents by hand, and calls it as ours are called."""
        plan: dict[str, object] = {"stuck_in": "STARTING"} if stuck else {}
        rent(self.fleet, f"train{len(self.ours)}", by="console:carol", **plan)  # type: ignore[arg-type]

    def act(self, choice: int, what: str) -> None:
        """Somebody stops, starts or ends a pod in the console."""
        living = [truth for truth in self.fleet.truths() if truth.ended_at is None]
        if not living:
            return
        pod_id = living[choice % len(living)].id
        try:
            if what == "stop":
                self.fleet.stop(pod_id, "console:somebody")
            elif what == "start":
                self.fleet.start(pod_id, "console:somebody")
            else:
                self.fleet.terminate(pod_id, "console:somebody")
        except RefusedError:
            pass

    async def say_yes(self, choice: int) -> None:
        """Alice has one of hers ended."""
        living = [pod_id for pod_id in self.ours if self.fleet.truth(pod_id).ended_at is None]
        if not living:
            return
        pod_id = living[choice % len(living)]
        wanted = Wanted(path=Path.OWNER, pod_id=pod_id, actor=ALICE, shown=True)

        def asks(session: Session) -> bool:
            if not is_known(session, pod_id):
                return False
            request_deed(session, self.house, wanted)
            return True

        if await self.house.db.run(asks):
            self.yes.add(pod_id)

    async def switch(self, key: str, *, on: bool) -> None:
        """An admin arms, disarms, pauses or unpauses."""
        now = self.clock.now()
        value = "on" if on else "off"
        await self.house.db.run(lambda session: set_switch(session, Switch(key, value, DANA, now)))
        self.armed.setdefault(key, []).append((now, on))

    # What time does

    async def poll(self, *, audit: bool = False) -> None:
        """Five minutes pass; every job has its turn."""
        await self.clock.pass_by(POLL)
        alive = sum(pod.ended_at is None for pod in self.fleet.ever())
        self.pod_days += alive * (POLL / timedelta(days=1))
        watcher = Watcher(self.house)
        await self.observer.run()
        await watcher.judge()
        if audit:
            await watcher.stale_audit()
        await Hearing(self.house).run()
        if self.slack_up:
            await self.house.db.run(self._slack_takes)
        await execute(self.house)

    def restart(self) -> None:
        """The service forgets what it did not write down."""
        self.observer = Observer(self.house)

    def _slack_takes(self, session: Session) -> None:
        now = self.clock.now()
        for question in open_questions(session):
            if question.delivered_at is None:
                note_delivery(session, question.id, now)
                if question.kind == "notice":
                    self.delivered.setdefault(question.pod_id, []).append(now)
        waiting = select(OutboxRow).where(col(OutboxRow.delivered_at).is_(None))
        for row in session.exec(waiting):
            row.delivered_at, row.due_at, row.channel, row.ts = now, None, row.target, row.id
            session.add(row)

    # What must hold

    def check(self) -> None:
        """Every end since the last check was a rightful one. Raises AssertionError."""
        calls = self.fleet.calls.terminates()
        for call in calls[self.checked :]:
            assert call.pod_id is not None
            self._rightful(call.pod_id, call.at)
        self.checked = len(calls)
        accepted = Counter(call.pod_id for call in calls if call.status == 204)
        assert all(times == 1 for times in accepted.values()), f"ended twice: {accepted}"

    def _rightful(self, pod_id: str, at: datetime) -> None:
        truth = self.fleet.truth(pod_id)
        [path, *_] = self.database.read_now(lambda session: [one.path for one in deeds_of(session, pod_id)])
        assert pod_id in self.ours, f"{truth.name} is somebody else's, and was ended by {path}"
        assert not self._is(PAUSED, at), f"{pod_id} was ended by {path} during a pause"
        match path:
            case Path.NEVER_RAN:
                started = truth.container_first_started_at
                assert started is None or started >= at, f"{pod_id} ran, and was ended as never run"
                assert at - truth.created_at > POLICY.never_ran_grace
                assert self._is(ARMED_NEVER_RAN, at)
            case Path.FENCE:
                assert at >= self.fences[pod_id]
                assert any(told <= at for told in self.delivered.get(pod_id, []))
            case Path.STALE:
                assert at - _exited_at(truth) >= POLICY.stale_after
                assert any(at - told >= POLICY.stale_notice for told in self.delivered.get(pod_id, []))
                assert self._is(ARMED_STALE, at)
            case _:
                assert path == Path.OWNER
                assert pod_id in self.yes, f"{pod_id} was ended as its owner's wish, who had none"
        self.ends[str(path)] += 1

    def _is(self, key: str, at: datetime) -> bool:
        values = [on for since, on in self.armed.get(key, []) if since <= at]
        return bool(values) and values[-1]


def _exited_at(truth: Truth) -> datetime:
    """When it last stopped, in truth."""
    stops = [one.at for one in truth.transitions if one.what in ("stopped", "exited", "outbid", "error")]
    return stops[-1]
