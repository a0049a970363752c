"""A random life of an account: people, agents, provisions, faults, outages, restarts.

What people of this life wanted is remembered here, as they would remember it; `tests.oracle` and
`tests.heard` hold what the product does against that and against what the simulator knows.
"""

from collections import defaultdict
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from sqlmodel import Session, col, select
from structlog.typing import EventDict

from jobs.executor.running import run as execute
from jobs.hearing.passing import Hearing
from jobs.house import House
from jobs.observe.folding import WITNESS
from jobs.observe.looking import Observer
from jobs.provision.reconciler import Provisions
from jobs.questions import Questions
from jobs.watch import Watcher
from pods.policy import CLOCK_TOLERANCE, Policy
from pods.witness import Witness
from simulator.runpod.fleet import Fleet
from simulator.runpod.pod import Pod
from simulator.runpod.quirks import Quirks
from simulator.runpod.rest import RestApi
from storage.agent import add_agent, confirm_agent
from storage.database import Database
from storage.deed import deed
from storage.listing import ListingPass, last_listings, recall
from storage.outbox import OutboxRow
from storage.person import Person, put_people
from storage.question import note_delivery, question
from storage.switch import Switch, set_switch
from tests.wireless import ALICE, DANA, OPS, house_without_sockets
from tests.world import HandClock

HOUR = timedelta(hours=1)
AGENT = "bot"
OWNERS = (ALICE, *(f"UOWNER{n}" for n in range(30)))
ADMINS = (DANA, *(f"UADMIN{n}" for n in range(5)))


@dataclass(frozen=True, slots=True)
class Pace:
    """How often this life is looked at and judged."""

    poll: timedelta = timedelta(minutes=15)
    judged_every: int = 1
    """Polls from one judgement, and one hearing, to the next."""

    @property
    def policy(self) -> Policy:
        """The contract's defaults, but for gaps as these polls make them, and much to end in little time."""
        return Policy(
            stale_after=6 * HOUR,
            stale_notice=3 * HOUR,
            max_gap=4 * self.poll,
            max_reaps_per_pass=40,
            max_reaps_per_owner=10,
            max_reaps_per_day=150,
            max_reaps_share=0.5,
            never_ran_max_per_pass=30,
            never_ran_max_per_day=150,
            agent_ends_per_day=150,
        )


@dataclass(slots=True)
class Mine:
    """A pod of somebody here, and what its people wanted of it."""

    owner: str
    born_at: datetime
    agent: bool = False
    kept_until: datetime | None = None
    failed: bool = False
    fence_at: datetime | None = None
    ordered: str | None = None
    """The provision on whose way it was made."""
    wishes: dict[str, datetime] = field(default_factory=dict)
    """Path of the guard table → when somebody who may wished for it."""

    def covered(self, at: datetime) -> bool:
        """A keep covers it then."""
        return self.kept_until is not None and at < self.kept_until


@dataclass(frozen=True, slots=True)
class Taken:
    """A message that Slack took: what it is about, to whom, and as what."""

    at: datetime
    target: str
    kind: str
    reason: str | None


@dataclass(slots=True)
class Life:
    """The account, the jobs, and what this life knows of who wanted what."""

    database: Database
    clock: HandClock = field(default_factory=HandClock)
    seed: int = 1
    pace: Pace = field(default_factory=Pace)
    fleet: Fleet = field(init=False)
    house: House = field(init=False)
    quirks: Quirks = field(init=False)
    observer: Observer = field(init=False)
    provisions: Provisions = field(init=False)
    ours: dict[str, Mine] = field(default_factory=dict)
    ordered: dict[str, str] = field(default_factory=dict)
    """Provision → whom a pod was ordered for."""
    called_off: set[str] = field(default_factory=set)
    lost_creates: dict[str, tuple[str, datetime]] = field(default_factory=dict)
    """Provision → owner, and since when nobody knows whether its create call made a pod."""
    unwell: set[str] = field(default_factory=set)
    """Pods of ours that somebody may have to hear of."""
    switches: dict[str, list[tuple[datetime, bool]]] = field(default_factory=dict)
    slack_up: bool = True
    taken: dict[str, list[Taken]] = field(default_factory=lambda: defaultdict(list))
    """Pod or provision → what Slack took about it."""
    disturbed_at: datetime = field(init=False)
    """The last poll at which something kept the product from seeing or saying what is."""
    pod_days: float = 0.0
    polls: int = 0
    troubles: list[EventDict] = field(default_factory=list)
    """What the product wrote into its log, if that is captured (`structlog.testing.capture_logs`)."""
    seen: int = 0
    """Pods in the last listing."""
    odd_until: datetime = field(init=False)
    """Until then something is missing, or the clock was set."""

    def __post_init__(self) -> None:
        self.fleet = Fleet(self.clock, self.seed)
        self.fleet.calls.keeps_reads = False
        api = RestApi(self.fleet)
        self.house = house_without_sockets(
            self.clock, self.database, api, self.pace.policy, self.pace.poll, frozenset(ADMINS)
        )
        self.quirks = Quirks(api)
        self.quirks.pods_named("^stuck", stuck_in="RUNNING")
        self.disturbed_at = self.odd_until = self.clock.now()
        self.database.run_now(self._join)
        self.restart()

    def restart(self) -> None:
        """The service forgets what it did not write down."""
        self.observer, self.provisions = Observer(self.house), Provisions(self.house)

    async def switch(self, key: str, *, on: bool) -> None:
        """An admin arms, disarms, pauses or unpauses."""
        now = self.clock.now()
        value = "on" if on else "off"
        await self.house.db.run(lambda session: set_switch(session, Switch(key, value, DANA, now)))
        self.switches.setdefault(key, []).append((now, on))

    def is_on(self, key: str, at: datetime) -> bool:
        values = [on for since, on in self.switches.get(key, []) if since <= at]
        return bool(values) and values[-1]

    def living(self) -> list[Pod]:
        """The pods that exist now, newest first."""
        return [pod for pod in self.fleet.present() if pod.ended_at is None]

    async def jump(self, by: timedelta) -> None:
        """Somebody sets the clock."""
        await self.clock.jump(by)
        self.odd_until = self.clock.now() + self.pace.poll

    # What time does

    async def poll(self, *, audit: bool = False) -> None:
        """Some minutes pass; every job has its turn."""
        await self.clock.pass_by(self.pace.poll)
        self.polls += 1
        if self._is_disturbed():
            self.disturbed_at = self.clock.now()
        await self.observer.run()
        await self.provisions.run()
        await self.provisions.drain()
        watcher = Watcher(self.house)
        judges = audit or self.polls % self.pace.judged_every == 0
        if judges:
            await watcher.judge()
        if audit:
            await watcher.stale_audit()
            await Questions(self.house).run()
        if judges:
            await Hearing(self.house).run()
        if self.slack_up:
            await self.house.db.run(self._slack_takes)
        await execute(self.house)
        await self._count()

    def _is_disturbed(self) -> bool:
        account, now = self.fleet.account.switches, self.clock.now()
        odd = account.listing != "ok" or bool(account.null_runtime_data_centers) or now <= self.odd_until
        return odd or self.fleet.look() - now > CLOCK_TOLERANCE or not self.slack_up

    async def _count(self) -> None:
        """A pod's time counts between two listings that are one poll apart and both had it."""
        last, witness = await self.house.db.read(_last_look)
        if witness is not None and witness.out:
            self.disturbed_at = self.clock.now()
        seen = last.pods if last.whole and last.at == self.clock.now() else 0
        self.pod_days += min(seen, self.seen) * (self.pace.poll / timedelta(days=1))
        self.seen = seen

    def _join(self, session: Session) -> None:
        """Everybody is an ordinary member of the workspace; Alice's agent is confirmed."""
        now = self.clock.now()
        member = Person("", None, None, None, False, False, False, False, now)
        put_people(session, [replace(member, user_id=user) for user in (*OWNERS, *ADMINS)])
        add_agent(session, AGENT, ALICE, DANA, now)
        confirm_agent(session, AGENT, now)

    def _slack_takes(self, session: Session) -> None:
        now = self.clock.now()
        due = select(OutboxRow).where(col(OutboxRow.delivered_at).is_(None), col(OutboxRow.due_at) <= now)
        for row in session.exec(due).all():
            row.delivered_at, row.due_at, row.channel, row.ts = now, None, row.target, row.id
            session.add(row)
            self._note(session, row, now)
            if row.kind in ("card", "notice"):
                note_delivery(session, str(row.refs["question"]), now)

    def _note(self, session: Session, row: OutboxRow, now: datetime) -> None:
        """What the message is about, as whoever reads it can tell."""
        refs = {name: str(value) for name, value in row.refs.items() if value is not None}
        subject, reason = refs.get("subject", refs.get("provision")), refs.get("state")
        if (asked := question(session, refs["question"]) if "question" in refs else None) is not None:
            subject, reason = asked.pod_id, reason or asked.reason
        about = deed(session, refs.get("deed", subject or ""))
        if about is not None:
            subject = about.pod_id
        if subject is not None:
            self.taken[subject].append(Taken(now, row.target, row.kind, reason))

    def hears(self, owner: str) -> frozenset[str]:
        """Where a message about somebody's pod may go to be heard."""
        return frozenset({owner, OPS})


def _last_look(session: Session) -> tuple[ListingPass, Witness | None]:
    return last_listings(session, 1)[0], recall(session, WITNESS, Witness)
