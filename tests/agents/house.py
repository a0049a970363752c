"""A door for agents over a real database, with requests that are really signed."""

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import httpx2
from sqlmodel import Session, SQLModel, select
from standardwebhooks import Webhook
from starlette.applications import Starlette

from bot.agents.app import HANDLERS, routes
from bot.agents.door import Door, Rules
from bot.agents.rates import Rates
from bot.agents.secrets import agent_secret
from bot.provision.terms import Terms
from gateways.runpod.errors import Unreachable
from pods.ceilings import Ceilings
from pods.gpus import GpuType
from pods.ids import PodId
from pods.order import Order, OrderDefaults
from pods.phase import Phase
from pods.provision.decision import Policy
from pods.provision.entering import begin
from pods.provision.outcomes import ENDINGS, Outcome
from pods.provision.value import CallState, CreateCall, Provision
from pods.provision.value import Pod as BoundPod
from pods.snapshot import Listing, Snapshot
from storage.agent import add_agent, confirm_agent
from storage.columns import JsonObject
from storage.database import Database
from storage.keys import new_key
from storage.ledger import Asked, provision_of, record, take, wish, write
from storage.outbox import OutboxRow
from storage.person import Person, put_people
from storage.pod import put_listing
from storage.trail import TrailRow
from storage.writers import Work
from tests.agents.pods import NOON, pod

Row = TypeVar("Row", bound=SQLModel)
KEY = bytes(range(32))
OPS, ADMIN, ANN, BOB = "COPS", "UADMIN", "UANN", "UBOB"

RULES = Rules(
    keep_max=timedelta(days=14),
    claim_settle=timedelta(hours=24),
    approval_expires=timedelta(days=7),
    terminate_wait=timedelta(minutes=2),
    ends_per_day=3,
    ops_channel=OPS,
)
TERMS = Terms(OrderDefaults("pytorch"), Ceilings(), Policy(), timedelta(days=7))
CATALOGUE = (
    GpuType("NVIDIA H100 PCIe", "H100 PCIe", 80, 2.0, 1.5),
    GpuType("NVIDIA H100 SXM", "H100 SXM", 80, 3.0, 2.5),
    GpuType("NVIDIA A40", "A40", 48, 0.4, None),
)


EMPTY_AUDIT: JsonObject = {
    "at": "2026-11-30T12:00:00Z",
    "complete": True,
    "armed": {"never_ran": False, "stale": False},
    "paused": False,
    "totals": {"pods": 0},
}


@dataclass
class Hands:
    """A clock whose hands the test moves."""

    at: datetime = NOON

    def now(self) -> datetime:
        return self.at

    def advance(self, **by: float) -> None:
        self.at += timedelta(**by)


@dataclass(frozen=True)
class Offered:
    """What RunPod rents out, as the door is told of it."""

    house: "House"

    async def types(self) -> Sequence[GpuType]:
        if self.house.runpod_is_away:
            raise Unreachable("RunPod does not answer")
        return self.house.catalogue

    async def data_centers(self) -> Sequence[str]:
        return ("EU-RO-1", "US-KS-2")


@dataclass
class House:
    """The door, who is at it, and what it hinted at."""

    database: Database
    clock: Hands = field(default_factory=Hands)
    rules: Rules = RULES
    terms: Terms = TERMS
    per_minute: int = 1000
    catalogue: Sequence[GpuType] = CATALOGUE
    runpod_is_away: bool = False
    woken: list[str] = field(default_factory=list)
    audited: list[str | None] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def __post_init__(self) -> None:
        self.rates = Rates(self.per_minute, self.clock.now)

    def app(self) -> Starlette:
        async def audit(pod: str | None) -> JsonObject:
            self.audited.append(pod)
            return {**EMPTY_AUDIT, "pods": [] if pod is None else [{"id": pod}]}

        door = Door(
            database=self.database,
            clock=self.clock,
            master_key=KEY,
            rates=self.rates,
            rules=self.rules,
            terms=self.terms,
            catalogue=Offered(self),
            audit=audit,
            wake=self.woken.append,
        )
        return Starlette(routes=routes(door), exception_handlers=dict(HANDLERS))

    def do(self, work: Work[object]) -> object:
        return self.database.run_now(work)

    def add(self, name: str = "scout", owner: str = ANN, *, confirmed: bool = True) -> None:
        """Add an agent, and have its owner confirm it."""

        def work(session: Session) -> None:
            add_agent(session, name, owner, ADMIN, self.clock.now())
            if confirmed:
                confirm_agent(session, name, self.clock.now())

        self.database.run_now(work)

    def list_pods(self, *snapshots: Snapshot) -> None:
        """A listing that showed these pods."""
        phases = {PodId(each.pod_id): Phase.RUNNING for each in snapshots}
        listing = Listing(self.clock.now(), {each.pod_id: each for each in snapshots}, whole=True)
        self.database.run_now(lambda session: put_listing(session, listing, phases))

    def launched(
        self,
        pod_id: str,
        *,
        agent: str | None = "scout",
        owner: str = ANN,
        name: str = "train",
        outcome: Outcome = Outcome.READY,
    ) -> str:
        """A provision that has come to this, with its pod, which a listing has shown. Returns its id."""
        now = self.clock.now()
        begun = begin(new_key(), Order(name, ("NVIDIA A40",)), now, Policy())
        call = CreateCall(1, new_key(), "NVIDIA A40", (), now, CallState.BOUND, now, pod_id)
        bound = BoundPod(pod_id, 1, "NVIDIA A40", now, 0.4)
        ready = replace(begun, stage=ENDINGS[outcome].stage, calls=(call,), pod=bound, outcome=outcome)
        asked = Asked(owner, f"agent:{agent}" if agent else owner, "agent" if agent else "slack", agent)

        def work(session: Session) -> None:
            wish(session, begun, asked, now)
            _write(session, begun.id, ready, now)

        self.database.run_now(work)
        self.list_pods(pod(pod_id))
        return begun.id

    def end(self, provision_id: str, outcome: Outcome) -> None:
        """The provision comes to this end, as the reconciler writes it."""

        def work(session: Session) -> None:
            found = record(session, provision_id)
            assert found is not None
            ended = replace(provision_of(found), stage=ENDINGS[outcome].stage, outcome=outcome)
            _write(session, provision_id, ended, self.clock.now())

        self.database.run_now(work)

    def know(self, person: Person) -> None:
        """Slack has told us of this person."""
        self.database.run_now(lambda session: put_people(session, [person]))

    async def send(
        self, kind: str, agent: str = "scout", webhook_id: str | None = None, **data: object
    ) -> "Reply":
        """Send a signed event; `for_` stands for `for`."""
        fields = {name.rstrip("_"): value for name, value in data.items()}
        return await self.event(kind, fields, agent, webhook_id)

    async def event(
        self, kind: str, data: Mapping[str, object], agent: str = "scout", webhook_id: str | None = None
    ) -> "Reply":
        """Send a signed event with these data."""
        body = json.dumps({"type": kind, "timestamp": "2026-11-30T12:00:00Z", "data": data})
        return await self.post(body, agent, webhook_id)

    async def post(self, body: str | bytes, agent: str = "scout", webhook_id: str | None = None) -> "Reply":
        text = body if isinstance(body, str) else body.decode("latin-1")
        headers = signed(text, agent, webhook_id or f"msg_{next(self._numbers)}")
        return await self.exchange("POST", f"/agents/{agent}/events", headers, body)

    async def look(self, rest: str, agent: str = "scout") -> "Reply":
        target = f"/agents/{agent}/{rest}"
        return await self.exchange("GET", target, signed(target, agent, "look"))

    async def came_of(self, sent: "Reply") -> tuple[object, object]:
        """State and exit code of the request that was accepted with this answer."""
        assert sent.status == 202, sent.body
        reply = await self.look(f"requests/{sent.body['id']}")
        return reply.body["state"], reply.body["exit_code"]

    async def exchange(
        self,
        method: str,
        target: str,
        headers: Sequence[tuple[bytes, bytes]],
        body: str | bytes = b"",
        app: Starlette | None = None,
    ) -> "Reply":
        transport = httpx2.ASGITransport(app or self.app())
        async with httpx2.AsyncClient(transport=transport, base_url="http://podkeeper") as client:
            content = body.encode() if isinstance(body, str) else body
            response = await client.request(method, target, headers=list(headers), content=content)
        return Reply(response.status_code, response.json(), dict(response.headers))


def _write(session: Session, provision_id: str, value: Provision, now: datetime) -> None:
    taken = take(session, provision_id, timedelta(minutes=1))
    assert taken is not None
    assert write(session, taken, value, now, None, let_go=True)


def rows(house: House, table: type[Row]) -> list[Row]:
    return list(house.database.read_now(lambda session: session.exec(select(table)).all()))


def letters(house: House, kind: str) -> list[OutboxRow]:
    return [each for each in rows(house, OutboxRow) if each.kind == kind]


def recorded(house: House) -> list[tuple[str, str, str]]:
    """Actor, kind and subject of everything in the trail."""
    return [(each.actor, each.kind, each.subject) for each in rows(house, TrailRow)]


@dataclass(frozen=True)
class Reply:
    """What the door answered."""

    status: int
    body: JsonObject
    headers: dict[str, str]

    @property
    def refusal(self) -> tuple[int, str]:
        assert self.headers["content-type"] == "application/problem+json"
        return self.status, str(self.body["code"])


def signed(
    content: str, agent: str, webhook_id: str, generation: int = 1, off: timedelta = timedelta(0)
) -> list[tuple[bytes, bytes]]:
    """The headers of a request, by a clock that is off by so much."""
    now = datetime.now(UTC) + off
    signature = Webhook(agent_secret(KEY, agent, generation)).sign(webhook_id, now, content)
    return [
        (b"webhook-id", webhook_id.encode()),
        (b"webhook-timestamp", str(int(now.timestamp())).encode()),
        (b"webhook-signature", signature.encode()),
    ]
