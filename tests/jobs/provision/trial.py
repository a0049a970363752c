"""One launch through a small world, and what happens to it at one stage of its way."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta

from sqlmodel import Session, col, select

from jobs.provision.reconciler import Provisions
from pods.line_order import faults_of
from pods.provision.outcomes import Outcome
from pods.provision.stages import Stage
from storage.provision import ProvisionRow
from storage.rows import change
from tests.jobs.provision.faults import Gate, Killed, behind
from tests.jobs.provision.launching import Launches
from tests.world import World

WORK = """
echo run >>"$HOME/runs"
mkdir -p "$PODKEEPER_CHECKOUT" && cd "$PODKEEPER_CHECKOUT" || exit 1
git init -q -b "$PODKEEPER_BRANCH"
git -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m first
"""
"""A bootstrap that counts its runs and leaves a checkout."""
MOMENT, MINUTE = timedelta(seconds=2), timedelta(minutes=1)


@dataclass
class Trial:
    """`struck`: the calls at which the disturbance happened."""

    world: World
    stage: Stage
    wished: str = ""
    launches: Launches = field(init=False)
    struck: set[str] = field(default_factory=set)
    afterwards: list[Callable[[], Awaitable[None]]] = field(default_factory=list)
    """Done once, between two looks."""

    def __post_init__(self) -> None:
        self.launches = Launches(self.world)

    def is_time(self) -> bool:
        """Whether the provision's row is at the stage."""
        here = select(ProvisionRow.outcome).where(
            ProvisionRow.id == self.wished, ProvisionRow.stage == self.stage
        )
        found = self.world.house.db.read_now(lambda session: session.exec(here).all())
        return found == [None]

    def at_each_call(self, strike: Callable[[], Awaitable[None]]) -> Callable[[str], Awaitable[None]]:
        """Strikes once at the first call of each name while the provision is at the stage."""

        async def at(call: str) -> None:
            if call not in self.struck and self.is_time():
                self.struck.add(call)
                await strike()

        return at

    def once(self, strike: Callable[[], Awaitable[None]]) -> Callable[[str], Awaitable[None]]:
        """Strikes at the first call of all while the provision is at the stage."""

        async def at(call: str) -> None:
            if not self.struck and self.is_time():
                self.struck.add(call)
                await strike()

        return at

    def use(self, gate: Gate) -> None:
        """From now on every call goes through this gate."""
        self.launches.provisions = Provisions(behind(gate, self.world.house))

    async def runs_through(self) -> None:
        """Until it is over. A killed process is followed by another, whose first claim succeeds in time."""
        self.wished = await self.launches.wish(repo="https://example.com/team/code", branch="issue-7")
        for _ in range(300):
            await self.look()
            if (await self.launches.record(self.wished)).outcome is not None:
                return
            for do in self.afterwards:
                await do()
            self.afterwards.clear()
            await self.world.passes(await self._until_it_is_due())
            await asyncio.sleep(0.01)
        raise AssertionError(f"it hangs: {await self.launches.record(self.wished)}")

    async def look(self) -> None:
        """One pass of the job, as the ticker starts it: an error is not the end of the world."""
        await self.world.runpod.settle()
        provisions, struck_before = self.launches.provisions, len(self.struck)
        with contextlib.suppress(Killed, RuntimeError):
            await provisions.run()
        await asyncio.gather(*provisions.in_hand(), return_exceptions=True)
        if len(self.struck) > struck_before:
            await self.leases_run_out()

    async def _until_it_is_due(self) -> timedelta:
        """The clock is moved to where something happens: in between every look would find nothing to do."""
        due = select(ProvisionRow.due_at).where(ProvisionRow.id == self.wished)
        due_at = await self.world.house.db.read(lambda session: session.exec(due).one())
        ahead = timedelta(0) if due_at is None else due_at - self.world.clock.now()
        return min(max(ahead, MOMENT), MINUTE)

    async def leases_run_out(self) -> None:
        """As if a lease's time had passed on the machine's clock."""

        def work(session: Session) -> int:
            return change(session, ProvisionRow, col(ProvisionRow.id) == self.wished, lease_until=None)

        await self.world.house.db.run(work)

    async def ends_as_ever(self) -> None:
        """Ready; one pod, no matter how often anything was tried; the work on it ran once."""
        assert self.struck, "nothing ever happened to it"
        found = await self.launches.record(self.wished)
        assert found.outcome == Outcome.READY
        assert faults_of(await self.launches.lines(self.wished)) == []
        [pod] = self.world.runpod.fleet.ever()
        assert pod.id == found.pod_id
        assert pod.ended_at is None
        home = self.world.runpod.containers.home(pod.id)
        assert (home / "runs").read_text() == "run\n"
