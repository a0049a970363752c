"""Many askers, one listing."""

import asyncio
from datetime import timedelta

import pytest

from gateways.runpod.shared import SharedListing


@pytest.fixture
def shared(runpod, clock) -> SharedListing:
    return SharedListing(runpod, clock, at_most_every=timedelta(seconds=2))


async def test_a_hundred_who_ask_at_once_get_one_listing(shared, provider, answer):
    provider.will_answer(answer(200, {"pods": []}))

    listings = await asyncio.gather(*(shared.listing() for _ in range(100)))

    assert len(provider.asked) == 1
    assert all(listing is listings[0] for listing in listings)


async def test_a_listing_is_used_again_while_it_is_young(shared, provider, answer, clock):
    provider.will_answer(answer(200, {"pods": []}))

    first = await shared.listing()
    clock.move(1.9)
    assert await shared.listing() is first
    clock.move(0.1)
    assert await shared.listing() is not first


async def test_a_listing_from_the_future_is_not_used_again(shared, provider, answer, clock):
    provider.will_answer(answer(200, {"pods": []}))

    first = await shared.listing()
    clock.move(-3600)

    assert await shared.listing() is not first


async def test_an_asker_who_leaves_does_not_take_the_listing_from_the_others(shared, provider, answer):
    provider.will_answer(answer(200, {"pods": []}))
    leaver = asyncio.create_task(shared.listing())
    stayer = asyncio.create_task(shared.listing())
    await asyncio.sleep(0)

    leaver.cancel()

    assert (await stayer).whole
    assert len(provider.asked) == 1


async def test_a_listing_that_was_forgotten_is_not_used_again(shared, provider, answer):
    provider.will_answer(answer(200, {"pods": []}))
    first = await shared.listing()

    shared.forget()

    assert await shared.listing() is not first


async def test_who_asks_after_a_pod_was_made_does_not_get_what_was_asked_for_before(shared, provider, answer):
    provider.will_answer(answer(200, {"pods": []}))
    before = asyncio.create_task(shared.listing())
    await asyncio.sleep(0)

    shared.forget()
    after = await shared.listing()

    assert await before is not after
    assert await shared.listing() is after
