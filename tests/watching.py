"""An account that is watched: observation, judgement and hearing, step by step, over a simulated world."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, select

from jobs.hearing.passing import Hearing
from jobs.observe.looking import Observer
from jobs.watch import Watcher
from pods.provision.outcomes import Outcome
from simulator.runpod.pod import Pod
from storage.outbox import OutboxRow
from storage.question import Question, open_questions
from storage.switch import Switch, set_switch
from storage.verdict import current_verdicts
from tests.ledger import enter
from tests.world import World

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
STEP, LONG_STEP = 4 * MINUTE, 10 * MINUTE


@dataclass(frozen=True, slots=True)
class Written:
    """One message that is to be sent."""

    kind: str
    target: str
    at: datetime
    due_at: datetime | None
    urgent: bool


@dataclass(slots=True)
class Watch:
    """The jobs that watch, in one process."""

    world: World
    observer: Observer = field(init=False)
    watcher: Watcher = field(init=False)
    hearing: Hearing = field(init=False)

    def __post_init__(self) -> None:
        self.observer = Observer(self.world.house)
        self.watcher = Watcher(self.world.house)
        self.hearing = Hearing(self.world.house)

    async def for_(self, time: timedelta, every: timedelta = LONG_STEP) -> None:
        """Let so much time pass, with a look, a judgement and a hearing at the end of each step."""
        end = self.world.clock.now() + time
        while (left := end - self.world.clock.now()) > timedelta(0):
            await self.world.passes(min(every, left))
            await self.look()

    async def look(self) -> None:
        """One pass of each job, now."""
        await self.observer.run()
        await self.watcher.judge()
        await self.hearing.run()

    async def verdict(self, pod: Pod) -> str:
        """The present verdict, with its reason and what holds it."""
        current = await self.world.house.db.read(current_verdicts)
        one = current[pod.id]
        return " ".join(part for part in (one.verdict, one.reason, one.held) if part)

    async def questions(self) -> list[Question]:
        return await self.world.house.db.read(open_questions)

    async def written(self, *kinds: str) -> list[Written]:
        """The messages of these kinds (of all but the first day's, if none is named), the first first."""

        def find(session: Session) -> list[Written]:
            rows = session.exec(select(OutboxRow).order_by(col(OutboxRow.created_at), col(OutboxRow.dedupe)))
            return [
                Written(row.kind, row.target, row.created_at, row.due_at, row.urgent)
                for row in rows
                if (row.kind in kinds if kinds else row.kind != "first_day")
            ]

        return await self.world.house.db.read(find)


async def watched(world: World) -> Watch:
    """An account with a believed listing, and one pod of a teammate from long ago."""
    world.runpod.rent("somebodys", by="console:carol", created=world.runpod.ago(hours=50))
    watch = Watch(world)
    await watch.for_(2 * MINUTE, every=MINUTE)
    return watch


async def turn(world: World, key: str, value: str = "on") -> None:
    """Set a switch, as an admin does."""
    now = world.clock.now()
    await world.house.db.run(lambda session: set_switch(session, Switch(key, value, "UADMIN", now)))


async def rents_ours(
    world: World,
    name: str = "train",
    outcome: Outcome = Outcome.READY,
    *,
    asker: str | None = None,
    keep_on_failure: bool = False,
    fence_at: datetime | None = None,
    **plan: Any,
) -> Pod:
    """A pod that our ledger made just now, for alice, that lives by this plan."""
    pod = world.runpod.rent(name, **plan)
    now, alice = world.clock.now(), world.slack.people.alice.id
    await world.house.db.run(
        lambda session: enter(
            session,
            pod.id,
            alice,
            now,
            name=name,
            outcome=outcome,
            asker=asker,
            keep_on_failure=keep_on_failure,
            fence_at=fence_at,
        )
    )
    return pod


def heard(written: list[Written], world: World) -> list[tuple[str, str]]:
    """What was written to whom: names instead of ids."""
    names = {world.slack.people.alice.id: "alice", world.slack.people.bob.id: "bob"}
    names |= {world.house.ops_channel: "ops"}
    return [(one.kind, names.get(one.target, one.target)) for one in written]
