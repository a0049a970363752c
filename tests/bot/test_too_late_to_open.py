"""A form that Slack does not open any more, for the click was too long ago: said so, and nothing is done."""

import pytest

from storage.keep import keeps_of
from storage.question import open_questions
from tests.bot.account import looked, owned, rented
from tests.bot.asking import opened, prepared_together, sent
from tests.bot.talk import Talk
from tests.world import World

LATE = ("expired_trigger_id", "exchanged_trigger_id")
ONCE_MORE = "once more. Nothing was done."


@pytest.mark.parametrize("code", LATE)
async def test_how_long_a_keep_shall_last_is_asked_once_more(world: World, talk: Talk, code: str) -> None:
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    await opened(world, pod_id, alice.id)
    world.slack.faults.error("views.open", code)

    await alice.picks("Keep for…", "Other…")
    await talk.settled()

    await alice.sees(ONCE_MORE)
    assert await world.house.db.read(lambda session: keeps_of(session, pod_id)) == []


async def test_the_form_of_an_order_is_asked_for_once_more(world: World, talk: Talk) -> None:
    alice = world.slack.people.alice
    world.slack.faults.error("views.open", "expired_trigger_id")

    told = await talk.types(alice, "/pod provision")

    assert "Please type `/pod provision` again" in told
    assert alice.modal is None


async def test_all_of_them_is_pressed_once_more(world: World, talk: Talk) -> None:
    alice = world.slack.people.alice
    made = [await rented(world, f"train-{n}", alice.id) for n in range(4)]
    await looked(world)
    await prepared_together(world, made, alice.id)
    await sent(world)
    world.slack.faults.error("views.open", "expired_trigger_id")

    told = await talk.clicks(alice, "All of them…")

    assert ONCE_MORE in told
    assert len(await world.house.db.read(open_questions)) == 4
