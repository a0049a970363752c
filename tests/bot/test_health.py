"""`/healthz`, `/readyz`, `/metrics`."""

from collections.abc import Mapping

import aiohttp

from bot.metrics import Metrics
from tests.bot.account import looked, owned
from tests.bot.talk import Talk, serving
from tests.world import World


async def got(url: str) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.get(url) as answer:
        return answer.status, await answer.text()


async def parts(url: str) -> tuple[int, Mapping[str, str]]:
    async with aiohttp.ClientSession() as session, session.get(f"{url}/readyz") as answer:
        return answer.status, await answer.json()


async def test_a_service_that_runs_is_alive(world: World, talk: Talk):
    assert (await got(f"{talk.service.url}/healthz"))[0] == 200


async def test_before_the_first_look_it_is_not_ready_and_says_why(world: World, talk: Talk):
    status, said = await parts(talk.service.url)

    assert status == 503
    assert (said["database"], said["slack"]) == ("ok", "ok")
    assert said["listing"] != "ok"


async def test_after_a_complete_look_it_is_ready(world: World):
    metrics = Metrics()
    async with serving(world, metrics=metrics) as bot:
        metrics.called("ok")
        await looked(world)

        assert await parts(bot.url) == (
            200,
            {"database": "ok", "slack": "ok", "runpod": "ok", "listing": "ok"},
        )


async def test_an_account_that_was_never_seen_whole_was_seen_so_at_nought(world: World, talk: Talk):
    _, page = await got(f"{talk.service.url}/metrics")

    assert "podkeeper_last_complete_listing_timestamp_seconds 0.0" in page


async def test_the_metrics_of_the_contract_are_there(world: World):
    metrics = Metrics()
    async with serving(world, metrics=metrics) as bot:
        talk = Talk(world, bot)
        await owned(world, "train", world.slack.people.alice.id)
        await talk.types(world.slack.people.alice, "/pod terminate train")
        await talk.clicks(world.slack.people.alice, "Terminate")
        metrics.called("ok")

        _, page = await got(f"{bot.url}/metrics")

    for line in (
        'podkeeper_deeds_total{outcome="due",path="owner"} 1.0',
        'podkeeper_provisions{stage="ready"} 1.0',
        'podkeeper_provider_calls_total{outcome="ok"} 1.0',
        'podkeeper_usd_per_hour{grade="proved"}',
        'podkeeper_armed{job="never-ran"} 0.0',
        'podkeeper_armed{job="stale"} 0.0',
        "podkeeper_outbox_oldest_seconds",
        "podkeeper_last_complete_listing_timestamp_seconds",
        "podkeeper_ack_seconds_count 2.0",
        'podkeeper_passes_total{complete="true",job="',
    ):
        assert line in page
