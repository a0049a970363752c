"""Once a day what is old is forgotten, all of it, however much there is."""

import pytest
from sqlmodel import Session, func, select

from jobs.forgetting import Forgetting
from storage.page import Page, PageRow, put_page
from storage.retention import PAGES
from storage.rows import CHUNK
from tests.world import World

MANY = CHUNK + 1


@pytest.fixture
def engine_name() -> str:
    """What is forgotten is tested on both engines where it is stored."""
    return "sqlite"


async def left(world: World) -> int:
    return await world.house.db.read(
        lambda session: session.exec(select(func.count()).select_from(PageRow)).one()
    )


async def test_more_than_one_bite_is_forgotten_in_one_pass(world: World) -> None:
    def write(session: Session) -> None:
        for n in range(MANY):
            put_page(session, Page(f"p{n}", "pod list", "UANN", {"ids": []}, 0, world.clock.now()))

    await world.house.db.run(write)
    young = await Forgetting(world.house).run()
    kept = await left(world)
    await world.passes(2 * PAGES)

    old = await Forgetting(world.house).run()

    assert (young.sentence, kept) == (None, MANY)
    assert (old.sentence, await left(world)) == (f"{MANY} rows forgotten", 0)
