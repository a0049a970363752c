"""Provisions driven through a small world: the simulated RunPod with real SSH pods, a clock set by hand."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from jobs.executor import running as executor
from jobs.house import OnPod
from jobs.observe.looking import Observer
from jobs.provision.reconciler import Provisions
from pods.exit_codes import ExitCode
from pods.order import Order
from pods.provision.entering import begin
from storage.keys import new_key
from storage.ledger import Asked, ProvisionRecord, lines, record, wish
from storage.provision_asks import call_off
from tests.world import IMAGE, World

H100 = "NVIDIA H100 80GB HBM3"
STEP = timedelta(minutes=1)


def script(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text)
    return file


def quick(
    world: World, folder: Path, *, bootstrap: str = "echo hello\n", preflight: str = "exit 0\n"
) -> World:
    """The same world with these scripts on its pods."""
    return world.with_settings(
        on_pod=OnPod(
            bootstrap_script=script(folder, "bootstrap.sh", bootstrap),
            preflight_script=script(folder, "preflight.sh", preflight),
        )
    )


@dataclass
class Launches:
    """The reconciler of a world, and time that passes for it."""

    world: World
    provisions: Provisions = field(init=False)
    observer: Observer = field(init=False)
    observes: bool = True
    _observed_at: datetime | None = None

    def __post_init__(self) -> None:
        self.provisions = Provisions(self.world.house)
        self.observer = Observer(self.world.house)

    async def wish(self, name: str = "train", *, owner: str | None = None, **order: object) -> str:
        """Alice wishes for a pod, as the doors write it down."""
        house, alice = self.world.house, owner or self.world.slack.people.alice.id
        wished = Order(name=name, **{"gpus": (H100,), "image": IMAGE, "disk_gb": 50, **order})  # type: ignore[arg-type]
        provision = begin(new_key(), wished, house.clock.now(), house.waits)
        channel = self.world.slack.channel("#general").id
        asked = Asked(alice, alice, "slack", channel=channel)
        await house.db.run(lambda session: wish(session, provision, asked, house.clock.now()))
        return provision.id

    async def look(self) -> None:
        """One pass over everything that is due, and one of those that work beside it."""
        await self.world.runpod.settle()
        await self.provisions.run()
        await self.provisions.drain()
        await executor.run(self.world.house)
        now = self.world.clock.now()
        if not self.observes:
            return
        if self._observed_at is None or now - self._observed_at >= timedelta(minutes=1):
            self._observed_at = now
            await self.observer.run()

    async def until(
        self,
        is_so: Callable[[ProvisionRecord], bool],
        provision_id: str,
        within: timedelta = timedelta(hours=3),
    ) -> ProvisionRecord:
        """Let time pass until the provision is so."""
        end = self.world.clock.now() + within
        while self.world.clock.now() < end:
            await self.look()
            found = await self.record(provision_id)
            if is_so(found):
                return found
            await self.world.passes(STEP)
        raise AssertionError(f"within {within} it came to: {await self.record(provision_id)}")

    async def over(self, provision_id: str, within: timedelta = timedelta(hours=3)) -> ProvisionRecord:
        return await self.until(lambda found: found.outcome is not None, provision_id, within)

    async def call_off(self, provision_id: str) -> None:
        """Its asker calls it off."""
        found, now = await self.record(provision_id), self.world.clock.now()
        await self.world.house.db.run(lambda session: call_off(session, provision_id, found.asker, now))

    async def record(self, provision_id: str) -> ProvisionRecord:
        found = await self.world.house.db.read(lambda session: record(session, provision_id))
        assert found is not None
        return found

    async def lines(self, provision_id: str) -> list[str]:
        told = await self.world.house.db.read(lambda session: lines(session, provision_id))
        return [line for _, line in told]


def exit_code(found: ProvisionRecord) -> ExitCode:
    assert found.exit_code is not None
    return ExitCode(found.exit_code)
