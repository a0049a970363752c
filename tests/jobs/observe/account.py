"""An account of a teammate's pods, and an observer that looks at it."""

from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from jobs.observe.looking import Observer
from simulator.runpod.pod import Pod
from storage.outbox import OutboxRow
from tests.world import World

MINUTE = timedelta(minutes=1)


def rents(world: World, name: str, exited: datetime | None = None) -> Pod:
    """A teammate's pod that has been running for two hours."""
    return world.runpod.rent(name, by="console:carol", created=world.runpod.ago(hours=2), exited=exited)


async def looks(world: World, observer: Observer, times: int = 1, apart: timedelta = MINUTE) -> None:
    """So many looks, with time passing before each."""
    for _ in range(times):
        await world.passes(apart)
        await observer.run()


def letters(session: Session) -> list[str]:
    return list(session.exec(select(OutboxRow.kind).order_by(col(OutboxRow.created_at))))
