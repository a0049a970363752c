"""A simulated account that is watched, and an executor."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, TypeVar

import pytest
from sqlalchemy import update
from sqlmodel import Session

from jobs.executor.requesting import Wanted, request_deed
from jobs.executor.running import run
from jobs.observe.looking import Observer
from pods.guards import Path
from pods.ids import PodId, UserId
from pods.ownership import Claim, ClaimSource
from simulator.runpod.pod import Pod
from storage.claim import say
from storage.deed import Deed, DeedRow, deed
from storage.outbox import OutboxRow
from storage.rows import table_of
from storage.switch import Switch, set_switch
from storage.trail import TrailRow
from tests.ledger import enter
from tests.world import World

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
LEDGER = frozenset({"outcome", "agent", "keep_on_failure", "fence_at", "owner"})
T = TypeVar("T")


@dataclass
class Desk:
    """What a test of the executor does, in short words."""

    world: World
    observer: Observer = field(init=False)
    provisions: dict[str, str] = field(default_factory=dict)
    """The provision of each pod."""

    def __post_init__(self) -> None:
        self.observer = Observer(self.world.house)

    @property
    def alice(self) -> str:
        return self.world.slack.people.alice.id

    @property
    def dana(self) -> str:
        """The admin."""
        return self.world.slack.people.dana.id

    async def rents(self, name: str = "train", *, ours: bool = True, looks: int = 2, **told: Any) -> Pod:
        """A pod of Alice's that our ledger made just now, and that a listing has shown.

        What `enter` takes is for the ledger, the rest is the pod's plan. Without `ours` it is Alice's by a
        claim of long ago.
        """
        entry = {key: told.pop(key) for key in LEDGER & told.keys()}
        pod = self.world.runpod.rent(name, **told)
        now, owner = self.world.clock.now(), entry.pop("owner", self.alice)

        def write(session: Session) -> None:
            if ours:
                self.provisions[pod.id] = enter(session, pod.id, owner, now, name=name, **entry)
            else:
                claim = Claim(PodId(pod.id), UserId(owner), now - 2 * DAY, ClaimSource.PERSON)
                say(session, claim)

        await self.do(write)
        await self.looks(looks)
        return pod

    async def do(self, work: Callable[[Session], T]) -> T:
        """A transaction."""
        return await self.world.house.db.run(work)

    async def wants(self, pod: Pod, path: str = Path.OWNER, **wanted: Any) -> Deed:
        want = Wanted(path=path, pod_id=pod.id, **{"actor": self.alice, "shown": True, **wanted})
        return await self.do(lambda session: request_deed(session, self.world.house, want))

    async def looks(self, times: int, every: timedelta = MINUTE) -> None:
        """Let time pass, with a listing in each minute."""
        for _ in range(times):
            await self.world.passes(every)
            await self.observer.run()

    async def works(self, minutes: int = 0) -> None:
        """Let the executor work, and minutes pass with a listing and a pass in each."""
        await run(self.world.house)
        for _ in range(minutes):
            await self.looks(1)
            await run(self.world.house)

    async def undo_time_passes(self) -> None:
        await self.world.passes(self.world.house.answers.undo)

    async def now_is(self, intended: Deed) -> Deed:
        found = await self.world.house.db.read(lambda session: deed(session, intended.id))
        assert found is not None
        return found

    async def turns(self, key: str, value: str = "on") -> None:
        now = self.world.clock.now()
        await self.world.house.db.run(lambda session: set_switch(session, Switch(key, value, self.dana, now)))

    async def leases_run_out(self) -> None:
        """As if the process that worked on the deeds had died a minute ago."""
        row = table_of(DeedRow)
        await self.world.house.db.run(lambda session: session.exec(update(row).values(lease_until=None)))

    async def letters(self, kind: str) -> list[str]:
        """To whom messages of this kind were written."""
        row = table_of(OutboxRow)
        wanted = row.select().where(row.c.kind == kind).order_by(row.c.created_at)
        return await self.world.house.db.read(
            lambda session: [letter.target for letter in session.connection().execute(wanted)]
        )

    async def slack_takes(self, dedupe: str, at: datetime) -> None:
        """As if the outbox had sent this message then."""
        row = table_of(OutboxRow)
        this = update(row).where(row.c.dedupe == dedupe).values(delivered_at=at, channel="D1", ts="1.0")
        await self.world.house.db.run(lambda session: session.exec(this))

    async def trail(self, pod: Pod) -> list[str]:
        """The kinds of what was recorded about the pod's deeds."""
        return [kind for kind, _ in await self.recorded(pod)]

    async def guard_that_refused(self, pod: Pod) -> str | None:
        """The guard that the trail names; None: none refused."""
        told = [data.get("guard") for kind, data in await self.recorded(pod) if kind == "deed.refused"]
        return str(told[-1]) if told else None

    async def recorded(self, pod: Pod) -> list[tuple[str, dict[str, object]]]:
        """What was recorded about the pod's deeds, in order."""
        row = table_of(TrailRow)
        about = row.select().where(row.c.subject == pod.id, row.c.kind.like("deed.%")).order_by(row.c.seq)
        return await self.world.house.db.read(
            lambda session: [
                (entry.kind, json.loads(entry.data)) for entry in session.connection().execute(about)
            ]
        )

    def terminates(self) -> int:
        """How many calls to end a pod RunPod got."""
        return len(self.world.runpod.calls.terminates())

    def stops(self) -> int:
        """How many calls to stop a pod RunPod got."""
        return sum(call.operation == "stop" for call in self.world.runpod.calls)

    def lives(self, pod: Pod) -> bool:
        return self.world.runpod.truth(pod.id).ended_by is None


@pytest.fixture
async def desk(world: World) -> Desk:
    """An account with somebody's pod in it and a believed listing."""
    world.runpod.rent("somebodys", by="console:carol", created=world.runpod.ago(hours=50))
    desk = Desk(world)
    await desk.looks(2)
    return desk
