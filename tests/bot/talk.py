"""The real service around the small world, and people who talk to it."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlmodel import Session, col, select

from bot.metrics import Metrics
from bot.service import Doors, Pace, Service, listen, service
from bot.table import Tables
from bot.tables import TABLES
from simulator.slack.client.handles import Outcome
from simulator.slack.client.person import Person
from storage.inbox import InboxRow
from tests.world import World

KEY = bytes(range(32))


async def _at_once(_seconds: float) -> None:
    return None


UNHURRIED = Pace(take_down_within=timedelta(seconds=60), nap=_at_once)
"""No pauses, and patience with a machine that has much else to do."""


@asynccontextmanager
async def serving(
    world: World,
    *,
    http: bool = False,
    tables: Tables = TABLES,
    metrics: Metrics | None = None,
    pace: Pace = UNHURRIED,
) -> AsyncIterator[Service]:
    """The service, connected to the simulated Slack by Socket Mode or by signed HTTP."""
    doors = Doors(
        identity=await world.house.slack.who(),
        slack_api_url=world.slack.api_url,
        app_token=None if http else world.slack.app_token,
        signing_secret=world.slack.signing_secret if http else None,
        listening=listen("127.0.0.1", 0),
        master_key=KEY,
    )
    async with service(world.house, doors, metrics or Metrics(), tables, pace) as running:
        if http:
            await world.slack.use_http(f"{running.url}/slack/events")
        else:
            await world.slack.connected()
        yield running


@dataclass(frozen=True, slots=True)
class Talk:
    """People who talk to a running service, and wait until it has answered."""

    world: World
    service: Service

    async def settled(self) -> None:
        """Until everything that came in is handled, by whichever pass took it up, and Slack is quiet."""
        await self.service.inbox.drain()
        while await self.world.house.db.read(self._open):  # noqa: ASYNC110 - only the row tells
            await asyncio.sleep(0.01)
        await self.world.slack.settle()

    async def works(self, rounds: int = 1) -> None:
        """What is due by now has been done, and what follows from it, as far as `rounds` passes go."""
        for _ in range(rounds):
            await self.settled()
            await self.service.ticker.tick()
            await self.service.ticker.drain()
        await self.world.slack.settle()

    def _open(self, session: Session) -> bool:
        waiting = col(InboxRow.done_at).is_(None) & (col(InboxRow.due_at) <= self.world.clock.now())
        return session.exec(select(InboxRow.id).where(waiting)).first() is not None

    async def types(self, person: Person, text: str, in_: str | None = None) -> str:
        """What the person sees that is new, after typing this."""
        return await self._new(person, person.types(text, in_=in_))

    async def clicks(self, person: Person, label: str, confirm: bool | None = None) -> str:
        """What the person sees that is new, after that click."""
        return await self._new(person, person.clicks(label, confirm=confirm))

    async def _new(self, person: Person, act: Coroutine[None, None, Outcome]) -> str:
        before = {(message.ts, message.plain) for message in person.messages()}
        outcome = await act
        assert outcome.acknowledged, outcome
        await self.settled()
        shown = [message.plain for message in person.messages() if (message.ts, message.plain) not in before]
        return "\n".join(shown)


def value_of(person: Person, action_id: str) -> str:
    """The value of the newest button of that id that the person sees."""
    found = [
        element["value"]
        for message in person.messages()
        for block in message.blocks
        for element in _elements(block)
        if element.get("action_id") == action_id
    ]
    return str(found[-1])


def _elements(block: Any) -> list[Any]:
    return list(block.get("elements") or [])
