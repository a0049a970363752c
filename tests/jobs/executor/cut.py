"""Cutting the executor off at one of its awaits: by an exception that nobody catches, or by SIGKILL."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import asyncssh

from gateways.runpod.budget import Budget
from gateways.runpod.client import connected as connected_runpod
from gateways.runpod.shared import SharedListing
from gateways.runpod.status_text import StatusTextWitness
from gateways.runpod.wire import Login
from gateways.slack.client import connected as connected_slack
from gateways.ssh.client import Ssh
from jobs.executor.running import run
from jobs.house import House
from pods.order import OrderDefaults
from storage.database import Database
from tests.world import IMAGE, HandClock


class Killed(BaseException):
    """The process is no more."""


@dataclass
class Cut:
    """Counts what is waited for, and ends everything before or after one of it."""

    at: int
    side: str
    end: Callable[[], None]
    met: int = 0

    def house(self, house: House) -> House:
        """The same house, which can be cut off."""
        database: Any = _Edge(house.db, self)
        return replace(house, db=database, runpod=_Edge(house.runpod, self))

    async def around(self, work: Any) -> Any:
        self.met += 1
        mine = self.met == self.at
        if mine and self.side == "before":
            work.close()
            self.end()
        answer = await work
        if mine and self.side == "after":
            self.end()
        return answer


class _Edge:
    """Every coroutine of what it wraps passes the cut."""

    def __init__(self, inside: Any, cut: Cut) -> None:
        self._inside, self._cut = inside, cut

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._inside, name)
        return lambda *args, **named: self._cut.around(method(*args, **named))


def raise_killed() -> None:
    raise Killed


def kill_for_real() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def run_until_killed(arguments: list[str]) -> None:
    """In a process of its own: one pass of the executor that dies at the given await."""
    database, url, api_key, slack_url, token, moment, at, side = arguments
    clock = HandClock(datetime.fromisoformat(moment))
    login, budget = Login(url, api_key), Budget(clock, per_minute=100_000, burst=100_000)
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with connected_runpod(login, clock, budget) as runpod, connected_slack(token, slack_url) as slack:
        house = House(
            clock=clock,
            monotonic=clock.monotonic,
            db=Database(database),
            runpod=runpod,
            listing=SharedListing(runpod, clock, timedelta(seconds=2)),
            witness=StatusTextWitness(login, clock, budget),
            ssh=Ssh(key),
            public_key="",
            slack=slack,
            ops_channel="C1",
            admins=frozenset(),
            defaults=OrderDefaults(image=IMAGE),
        )
        await run(Cut(int(at), side, kill_for_real).house(house))


if __name__ == "__main__":
    asyncio.run(run_until_killed(sys.argv[1:]))
