"""Two bots on one PostgreSQL, pressed at once; and a bot that dies between decision, effect and redraw."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from sqlmodel import Session

from bot.approvals.deciding import Refused, settle
from bot.approvals.decision import Act, Wish
from bot.slack.heard import Click
from bot.text import Shown
from jobs.house import House
from storage.database import Database
from storage.deed import deeds_of
from storage.keep import keeps_of
from storage.question import QuestionState
from tests.bot.account import owned
from tests.bot.asking import as_it_stands, opened, sent
from tests.world import World


@pytest.fixture
def engine_name() -> str:
    """Only there can two work on one database."""
    return "postgresql"


def click(user: str, key: str) -> Click:
    return Click(
        key=key,
        at=datetime(2026, 3, 2, 12, tzinfo=UTC),
        user=user,
        channel=None,
        action_id="card_terminate",
        value=None,
        block_id=None,
        chosen=None,
        message_ts=None,
        thread_ts=None,
        ephemeral=False,
        response_url=None,
        trigger_id=None,
    )


async def pressed(house: House, question_id: str, one: Click, wish: Wish) -> Shown | Refused:
    return await house.db.run(lambda session: settle(session, house, one, question_id, wish))


async def test_two_bots_pressed_at_once_make_one_decision(world: World, migrated_database_url: str):
    alice, dana = world.slack.people.alice, world.slack.people.dana
    pod_id = await owned(world, "train", alice.id)
    question_id = await opened(world, pod_id, alice.id)
    other = Database(migrated_database_url)
    second = replace(world.house, db=other)
    presses = [
        (world.house, click(alice.id, "a"), Wish(Act.END)),
        (second, click(dana.id, "b"), Wish(Act.KEEP)),
        (second, click(alice.id, "c"), Wish(Act.STOP)),
        (world.house, click(dana.id, "d"), Wish(Act.KEEP)),
    ]

    told = await asyncio.gather(*(pressed(house, question_id, one, wish) for house, one, wish in presses))
    other.close()

    keeps = await world.house.db.read(lambda session: keeps_of(session, pod_id))
    ends = await world.house.db.read(lambda session: deeds_of(session, pod_id))
    assert len(keeps) + len(ends) == 1
    assert sum(isinstance(one, Refused) for one in told) >= 2
    assert all(isinstance(one, Shown) or one.sentence for one in told)


async def test_a_decision_whose_bot_died_before_the_effect_never_happened(world: World):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    question_id = await opened(world, pod_id, alice.id)

    def dies(session: Session) -> None:
        settle(session, world.house, click(alice.id, "a"), question_id, Wish(Act.END))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await world.house.db.run(dies)

    assert (await as_it_stands(world, question_id)).state is QuestionState.OPEN
    assert await world.house.db.read(lambda session: deeds_of(session, pod_id)) == []


async def test_a_decision_whose_bot_died_before_the_redraw_is_drawn_by_the_next(world: World):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    question_id = await opened(world, pod_id, alice.id)
    one = click(alice.id, "a")
    await world.house.db.run(lambda session: settle(session, world.house, one, question_id, Wish(Act.KEEP)))

    again = await world.house.db.run(
        lambda session: settle(session, world.house, one, question_id, Wish(Act.KEEP))
    )
    await sent(world)

    assert isinstance(again, Shown)
    assert len(await world.house.db.read(lambda session: keeps_of(session, pod_id))) == 1
    await alice.sees("keeps it until", in_="dm")
