"""What strikes the reconciler inside a `serve` that is to be killed: at its own calls, at one stage."""

import os
import signal
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from sqlmodel import Session, col, select

import bot.service
from gateways.ssh.client import Ssh
from jobs.house import House
from jobs.provision.reconciler import Provisions
from pods.provision.stages import Stage
from storage.provision import ProvisionRow
from storage.rows import change
from tests.jobs.provision.faults import Gate, behind

HOW = "LAUNCH_STRUCK"
"""The variable that tells a process which stage and what; nothing of the product reads it."""
STRUCK, CUT = "struck", "ssh-is-cut"
"""Files beside the database: the calls that were struck already; whether no SSH connection comes about."""


class How(StrEnum):
    """What goes wrong at the stage. Each begins with a kill at the first call there."""

    EXCEPTION = "exception"
    """Each kind of call raises once."""
    KILL = "kill"
    """The process is killed before each kind of call."""
    DOWN = "provider down"
    """RunPod refuses connections for ten minutes, to the next process."""
    CUT = "ssh cut"
    """No SSH connection comes about for four minutes, to the next process."""
    TWICE = "run twice"
    """At each kind of call another takes the launch over and does a whole pass; then this one goes on."""
    LOST = "answer lost"
    """The process is killed after each kind of call, before it has its answer."""
    BLIND = "blind"
    """Nobody looks for ten minutes."""


_ONCE = frozenset({How.DOWN, How.CUT, How.BLIND})


def strikes() -> None:
    """For a forked process, before the service starts in it: its reconciler stands behind the gate."""
    word = os.environ.pop(HOW)
    stage, how = Stage(word.split()[0]), How(word.partition(" ")[2])
    folder = Path.cwd()

    def gated(house: House) -> Provisions:
        if (folder / CUT).exists():
            return Provisions(replace(house, ssh=Ssh(house.ssh.key, connect_seconds=0.0001)))
        striker = _Striker(house, stage, how, folder / STRUCK)
        gate = Gate(after=striker.at) if how is How.LOST else Gate(before=striker.at)
        return Provisions(behind(gate, house))

    setattr(bot.service, "Provisions", gated)  # noqa: B010 (no attribute that the module exports)


@dataclass(frozen=True, slots=True)
class _Striker:
    house: House
    stage: Stage
    how: How
    struck: Path

    async def at(self, call: str) -> None:
        """Strikes at the first call of each kind, or once, while the launch is at the stage."""
        before = self.struck.read_text().split() if self.struck.exists() else []
        if call in before or (before and self.how in _ONCE) or not self._is_time():
            return
        with self.struck.open("a") as file:
            file.write(f"{call}\n")
        await self._strike(first=not before)

    async def _strike(self, *, first: bool) -> None:
        if first or self.how in (How.KILL, How.LOST):
            os.kill(os.getpid(), signal.SIGKILL)
        if self.how is How.TWICE:
            await self._overtake()
        else:
            raise RuntimeError("a bug, a full disk, an answer that was lost on its way back")

    def _is_time(self) -> bool:
        here = select(ProvisionRow.outcome).where(ProvisionRow.stage == self.stage)
        return self.house.db.read_now(lambda session: session.exec(here).all()) == [None]

    async def _overtake(self) -> None:
        """As if the lease had run out: another does a whole pass over it."""

        def let_go(session: Session) -> str:
            change(session, ProvisionRow, col(ProvisionRow.id).is_not(None), lease_until=None)
            return session.exec(select(ProvisionRow.id)).one()

        await Provisions(self.house).pass_over(await self.house.db.run(let_go))
