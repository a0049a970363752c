"""Pausing and arming: admins only, shown first, refused while nobody knows what it would do."""

from datetime import timedelta

import pytest

from simulator.slack.client.person import Person
from storage.switch import is_on
from storage.switches import ARMED_NEVER_RAN, PAUSED
from tests.bot.account import looked, owned
from tests.bot.asking import sent
from tests.bot.talk import Talk, serving
from tests.world import World


@pytest.fixture
def dana(world: World) -> Person:
    return world.slack.people.dana


async def on(world: World, switch: str) -> bool:
    return await world.house.db.read(lambda session: is_on(session, switch))


async def test_an_admin_pauses_everything_and_all_see_it(world: World, talk: Talk, dana: Person):
    told = await talk.types(dana, "/pod pause")
    await sent(world)

    assert "nothing ends or stops" in told
    assert await on(world, PAUSED)
    await world.slack.people.bob.sees("paused everything", in_="#gpu-ops")


async def test_unpause_takes_it_back(world: World, talk: Talk, dana: Person):
    await talk.types(dana, "/pod pause")

    await talk.types(dana, "/pod unpause")

    assert not await on(world, PAUSED)


@pytest.mark.parametrize("verb", ["pause", "unpause", "arm stale", "disarm stale"])
async def test_nobody_else_touches_a_switch(world: World, talk: Talk, verb: str):
    told = await talk.types(world.slack.people.alice, f"/pod {verb}")

    assert "Only admins" in told
    assert not await on(world, PAUSED)


async def test_what_is_so_already_says_who_did_it(world: World, talk: Talk, dana: Person):
    await talk.types(dana, "/pod pause")

    told = await talk.types(dana, "/pod pause")

    assert "so already" in told
    assert "@dana" in told


async def test_arming_shows_the_plan_and_waits_for_the_click(world: World, talk: Talk, dana: Person):
    await owned(world, "train", world.slack.people.alice.id)

    told = await talk.types(dana, "/pod arm never-ran")
    before = await on(world, ARMED_NEVER_RAN)
    done = await talk.clicks(dana, "Arm")

    assert "it would do nothing" in told
    assert not before
    assert "is armed" in done
    assert await on(world, ARMED_NEVER_RAN)


async def test_a_plan_that_was_shown_long_ago_arms_nothing(world: World, talk: Talk, dana: Person):
    await looked(world)
    await talk.types(dana, "/pod arm never-ran")
    await world.clock.pass_by(timedelta(minutes=16))

    told = await talk.clicks(dana, "Arm")

    assert "old by now" in told
    assert not await on(world, ARMED_NEVER_RAN)


async def test_a_plan_shown_to_one_admin_is_not_confirmed_by_somebody_else(
    world: World, talk: Talk, dana: Person
):
    await looked(world)
    await talk.types(dana, "/pod arm never-ran")

    await world.slack.people.bob.sends_action("arm_confirm", "arm anything")
    await talk.settled()

    assert not await on(world, ARMED_NEVER_RAN)


async def test_arming_is_refused_while_a_check_fails(world: World, talk: Talk, dana: Person):
    await looked(world)
    world.slack.workspace.archive("gpu-ops")

    told = await talk.types(dana, "/pod arm stale")

    assert "not armed while this fails" in told


async def test_arming_is_refused_while_something_is_wrong_on_the_services_own_machine(
    world: World, dana: Person
):
    await looked(world)
    broken = world.with_settings(faults_here=lambda: ("FAIL secret_file: it can be read by others",))

    async with serving(broken) as running:
        told = await Talk(broken, running).types(dana, "/pod arm stale")

    assert "it can be read by others" in told


async def test_an_unknown_job_is_named(world: World, talk: Talk, dana: Person):
    assert "never-ran` or" in await talk.types(dana, "/pod arm everything")
