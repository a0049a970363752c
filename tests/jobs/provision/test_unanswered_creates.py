"""Create calls of which nobody knows whether they made a pod: somebody hears of it, whatever became of us."""

import asyncio
from contextlib import suppress
from datetime import timedelta

import pytest
from pytest_mock import MockerFixture
from sqlmodel import Session, col, select

from jobs.hearing.passing import Hearing
from jobs.house import House
from jobs.provision import creating
from jobs.provision.orders import create_order
from jobs.watch import Watcher
from pods.ownership import Grade
from pods.provision.effects import Create
from pods.provision.seen import Created, Lost
from pods.provision.value import Provision
from storage.outbox import OutboxRow
from storage.provision import ProvisionRow
from storage.rows import change
from storage.verdict import current_verdicts
from tests.bot.account import whose
from tests.jobs.provision.launching import Launches
from tests.world import World

MINUTE = timedelta(minutes=1)


@pytest.fixture
def engine_name() -> str:
    """What is stored is proved elsewhere; here it is what is heard."""
    return "sqlite"


async def watched(world: World, launches: Launches, minutes: int) -> None:
    """So many minutes, with everything that looks, judges and speaks."""
    for _ in range(minutes):
        await world.passes(MINUTE)
        await launches.look()
        await Watcher(world.house).judge()
        await Hearing(world.house).run()


async def heard(world: World, kind: str) -> list[str]:
    sent = select(OutboxRow.target).where(OutboxRow.kind == kind)
    return await world.house.db.read(lambda session: list(session.exec(sent)))


async def test_a_create_call_that_was_cut_off_with_its_process_is_heard_of(
    world: World, mocker: MockerFixture
) -> None:
    launches, alice = Launches(world), world.slack.people.alice.id
    await watched(world, launches, 2)
    wished = await launches.wish()

    async def dies(*_: object) -> Created:
        raise asyncio.CancelledError

    cut = mocker.patch.object(creating, "send", dies)
    with suppress(asyncio.CancelledError):
        await launches.look()
    mocker.stop(cut)
    world.runpod.quirks.account.listing = "html"

    def let_go(session: Session) -> None:
        change(session, ProvisionRow, col(ProvisionRow.id) == wished, lease_until=None)

    await world.house.db.run(let_go)
    await watched(world, Launches(world), 14)

    assert await heard(world, "create_unknown") == [alice]


async def test_a_pod_that_comes_of_a_call_after_its_launch_was_called_off_is_its_owners(
    world: World, mocker: MockerFixture
) -> None:
    launches, alice, orders = Launches(world), world.slack.people.alice.id, []
    world.runpod.rent("somebodys", by="console:carol", created=world.runpod.ago(hours=50))
    await watched(world, launches, 2)

    async def lost(house: House, provision: Provision, create: Create, owner: str) -> Lost:
        orders.append(await create_order(house, provision, create, owner))
        return Lost(create.call, "no answer")

    mocker.patch.object(creating, "send", lost)
    wished = await launches.wish()
    await launches.look()
    await launches.call_off(wished)
    await launches.over(wished)

    made = await world.house.runpod.create(orders[0])
    await watched(world, launches, 3)

    found = await whose(world, made.pod_id)
    verdict = (await world.house.db.read(current_verdicts))[made.pod_id]
    assert (found.grade, found.owner) == (Grade.CLAIMED, alice)
    assert (verdict.verdict, verdict.reason) == ("ask", "moved_or_copied")
    assert alice in await heard(world, "card")
