"""*Yes, mine*, pressed in Slack at the running service."""

import pytest

from bot.agents.registry import add
from storage.agent import agent
from tests.bot.talk import serving
from tests.world import World


@pytest.mark.timeout(120)
async def test_only_the_owner_confirms_and_the_question_is_redrawn(world: World) -> None:
    alice, bob, now = world.slack.people.alice, world.slack.people.bob, world.clock.now()
    await world.house.db.run(lambda session: add(session, "scout", alice.id, frozenset(), now))

    async with serving(world) as service:
        service.house.wakes.wake("outbox")
        await alice.clicks("Yes, mine", within=20)
        await alice.sees("*scout* is yours", within=20)
        await alice.sees_no_button("Yes, mine")
        await bob.sees_not("scout")

    known = world.house.db.read_now(lambda session: agent(session, "scout"))
    assert known is not None
    assert known.confirmed_at == now
