"""Orders that need somebody's *Go on* before anything is rented."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.provision.ask import order
from bot.provision.ordering import terms_of
from bot.provision.terms import Accepted
from jobs.catalogue import Catalogue
from pods.provision.outcomes import Outcome
from pods.wish import wish_from_request
from storage.ledger import Asked, record
from storage.provision_asks import call_off
from storage.question import open_questions
from tests.bot.talk import Talk, serving
from tests.jobs.provision.launching import quick
from tests.world import World


@pytest.fixture
async def talk(world: World, tmp_path: Path) -> AsyncIterator[Talk]:
    quick_world = quick(world, tmp_path)
    world.runpod.quirks.every_pod(pull_s=4)
    async with serving(quick_world) as service:
        yield Talk(quick_world, service)


async def an_agent_orders(talk: Talk) -> Accepted:
    """An agent of alice's orders eight H100, which cost more than an agent may order by itself."""
    house, alice = talk.world.house, talk.world.slack.people.alice.id
    asked = Asked(alice, "agent:scout", "agent", agent="scout")
    answered = await order(
        house.db,
        wish_from_request({"name": "train", "gpu": "H100 SXM", "count": 8}),
        asked,
        terms_of(house),
        Catalogue(house),
        house.clock.now(),
        house.wakes.wake,
    )
    assert isinstance(answered, Accepted)
    house.wakes.wake("outbox")
    return answered


async def time_passes(talk: Talk, looks: int = 20) -> None:
    for _ in range(looks):
        await talk.world.passes(timedelta(seconds=2))
        await talk.works()


async def test_an_agents_dear_order_waits_for_its_owner_and_goes_out_with_one_click(talk: Talk) -> None:
    alice = talk.world.slack.people.alice
    ordered = await an_agent_orders(talk)
    assert ordered.asked == alice.id
    await alice.sees("waits for you", in_="dm")
    await time_passes(talk)
    assert not list(talk.world.runpod.fleet.ever())
    told = await talk.clicks(alice, "Go on")
    assert "goes on; its thread tells how it goes" in told
    await time_passes(talk)
    assert len(list(talk.world.runpod.fleet.ever())) == 1
    await alice.sees("@alice said: go on", in_="dm")
    await alice.sees_no_button("Go on", in_="dm")


async def test_somebody_else_cannot_let_it_go_on(talk: Talk) -> None:
    alice, bob = talk.world.slack.people.alice, talk.world.slack.people.bob
    await an_agent_orders(talk)
    await alice.sees("waits for you", in_="dm")
    [question] = await talk.world.house.db.read(open_questions)
    await bob.sends_action("order_go_on", question.id)
    await time_passes(talk)
    assert not list(talk.world.runpod.fleet.ever())


@pytest.mark.parametrize("what", ["is_restricted", "is_bot", "is_stranger"])
async def test_who_became_a_guest_since_the_order_rents_nothing_with_a_click(talk: Talk, what: str) -> None:
    alice = talk.world.slack.people.alice
    ordered = await an_agent_orders(talk)
    await alice.sees("waits for you", in_="dm")
    await time_passes(talk)
    talk.world.slack.workspace.change(alice.id, **{what: True})
    told = await talk.clicks(alice, "Go on")
    assert "does not go on: only active full members" in told
    await time_passes(talk)
    assert not list(talk.world.runpod.fleet.ever())
    over = await talk.world.house.db.read(lambda session: record(session, ordered.provision))
    assert over is not None
    assert over.outcome == Outcome.NOT_ALLOWED


async def test_if_slack_cannot_say_who_clicked_the_click_goes_by_what_is_known(talk: Talk) -> None:
    alice = talk.world.slack.people.alice
    await an_agent_orders(talk)
    await alice.sees("waits for you", in_="dm")
    await time_passes(talk)
    talk.world.slack.faults.error("users.info", "missing_scope", times=50)
    assert "goes on" in await talk.clicks(alice, "Go on")


async def test_nothing_goes_on_that_was_called_off(talk: Talk) -> None:
    alice, house = talk.world.slack.people.alice, talk.world.house
    ordered = await an_agent_orders(talk)
    await alice.sees("waits for you", in_="dm")
    await house.db.run(lambda session: call_off(session, ordered.provision, alice.id, house.clock.now()))
    house.wakes.wake("provisions")
    await time_passes(talk)
    assert "is over. Nothing was done" in await talk.clicks(alice, "Go on")
