"""What waits at the same moment is taken down together; work begins after the acknowledgements."""

import asyncio
import threading
from datetime import timedelta

from sqlmodel import Session, select

from bot.slack.intake import Intake
from storage.database import Database
from storage.errors import DatabaseBusyError
from storage.inbox import Arrival, InboxRow
from tests.world import MONDAY_NOON


def arrival(key: str) -> Arrival:
    return Arrival(key, "slack.command", {"text": key}, MONDAY_NOON)


def keys(session: Session) -> set[str]:
    return set(session.exec(select(InboxRow.id)))


async def test_what_came_in_is_committed_when_take_down_returns(database: Database):
    await Intake(database, lambda _key: None).take_down(arrival("one"))

    assert await database.read(keys) == {"one"}


async def test_many_at_once_are_all_committed(database: Database):
    intake = Intake(database, lambda _key: None)

    await asyncio.gather(*(intake.take_down(arrival(f"{n}")) for n in range(50)))

    assert len(await database.read(keys)) == 50


async def test_the_same_again_is_one_row(database: Database):
    intake = Intake(database, lambda _key: None)

    await asyncio.gather(*(intake.take_down(arrival("one")) for _ in range(3)))

    assert await database.read(keys) == {"one"}


async def test_work_begins_when_nobody_waits_for_an_acknowledgement(database: Database):
    begun: list[str] = []
    intake = Intake(database, begun.append)
    await asyncio.gather(intake.take_down(arrival("one")), intake.take_down(arrival("two")))

    intake.answered("one")
    while_two_waits = list(begun)
    intake.answered("two")

    assert while_two_waits == []
    assert begun == ["one", "two"]


async def test_work_is_not_put_off_for_long(database: Database):
    begun = asyncio.Event()
    intake = Intake(database, lambda _key: begun.set())
    await asyncio.gather(intake.take_down(arrival("one")), intake.take_down(arrival("two")))

    intake.answered("one")

    await asyncio.wait_for(begun.wait(), 5)


async def test_a_database_that_is_held_is_a_refusal_leaves_no_row_and_hinders_nothing_later(
    database: Database,
):
    held, release = threading.Event(), threading.Event()

    def hold(_session: Session) -> None:
        held.set()
        release.wait(10)

    holding = asyncio.create_task(database.run(hold))
    await asyncio.to_thread(held.wait)
    intake = Intake(database, lambda _key: None, within=timedelta(milliseconds=50))

    refused = await asyncio.gather(
        *(intake.take_down(arrival(key)) for key in ("one", "two")), return_exceptions=True
    )
    release.set()
    await holding
    intake.within = timedelta(seconds=5)
    await intake.take_down(arrival("three"))

    assert all(isinstance(error, DatabaseBusyError) for error in refused)
    assert await database.read(keys) == {"three"}
