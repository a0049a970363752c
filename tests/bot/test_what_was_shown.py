"""What somebody decides is what they were shown: a keep or a plan that came later is shown first."""

from dataclasses import replace
from datetime import timedelta

from sqlmodel import Session

from jobs.executor.words import KEPT_SINCE
from pods.guards import Path
from storage.deed import DeedState, deeds_of
from storage.keep import keeps_of
from storage.page import page, put_page
from storage.switch import is_on
from storage.switches import ARMED_STALE
from tests.bot.account import looked, owned
from tests.bot.talk import Talk, value_of
from tests.world import World


async def test_a_keep_that_came_after_the_confirmation_is_shown_before_anything_ends(
    world: World, talk: Talk
):
    alice, dana = world.slack.people.alice, world.slack.people.dana
    pod_id = await owned(world, "train", alice.id)
    await talk.types(alice, "/pod terminate train")
    await talk.types(dana, "/pod keep train 3d evaluation is running")

    told = await talk.clicks(alice, "Terminate")

    assert "or its keep, has changed since you were asked" in told
    assert "Ending it sets that aside." in told
    assert await world.house.db.read(lambda session: deeds_of(session, pod_id)) == []


async def test_a_keep_that_was_shown_is_set_aside_by_the_owners_yes(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    await talk.types(alice, "/pod keep train 3d")
    await talk.types(alice, "/pod terminate train")

    told = await talk.clicks(alice, "Terminate")

    for _ in range(4):
        await world.passes(timedelta(seconds=20))
        await talk.works()

    [deed] = await world.house.db.read(lambda session: deeds_of(session, pod_id))
    [keep] = await world.house.db.read(lambda session: keeps_of(session, pod_id))
    assert "ends in 10 seconds" in told
    assert (deed.path, deed.attempts, keep.lifted_by) == (Path.OWNER, 1, alice.id)


async def test_a_keep_that_comes_while_the_end_can_still_be_undone_stops_it(world: World, talk: Talk):
    alice, dana = world.slack.people.alice, world.slack.people.dana
    pod_id = await owned(world, "train", alice.id)
    await talk.types(alice, "/pod terminate train")
    await talk.clicks(alice, "Terminate")

    await talk.types(dana, "/pod keep train 3d evaluation is running")
    for _ in range(4):
        await world.passes(timedelta(seconds=20))
        await talk.works()

    [deed] = await world.house.db.read(lambda session: deeds_of(session, pod_id))
    assert (deed.state, deed.outcome) == (DeedState.REFUSED, KEPT_SINCE)


async def test_a_plan_that_would_do_something_else_by_now_is_shown_anew(world: World, talk: Talk):
    dana = world.slack.people.dana
    await looked(world)
    await talk.types(dana, "/pod arm stale")
    await world.house.db.run(lambda session: _shown_with_an_end(session, value_of(dana, "arm_confirm")))

    told = await talk.clicks(dana, "Arm")
    before = await world.house.db.read(lambda session: is_on(session, ARMED_STALE))
    again = await talk.clicks(dana, "Arm")

    assert "so nothing is armed. This is the present plan." in told
    assert not before
    assert "is armed" in again


def _shown_with_an_end(session: Session, page_id: str) -> None:
    """As if one pod less were to be ended now than when the plan was shown."""
    shown = page(session, page_id)
    assert shown is not None
    put_page(session, replace(shown, items={**shown.items, "would": "end abc"}))
