"""Faults on demand, as the unmodified slack-sdk meets them."""

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.async_handler import AsyncRetryHandler
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from simulator.slack import Settings, SlackSimulator
from tests.simulator.slack.apps import bare_client


async def test_an_error_answers_so_often_and_then_no_more(
    slack: SlackSimulator, client: AsyncWebClient
) -> None:
    slack.faults.error("chat.postMessage", "fatal_error", times=2)

    for _ in range(2):
        with pytest.raises(SlackApiError, match="fatal_error"):
            await client.chat_postMessage(channel="C0GENERAL", text="x")
    assert (await client.chat_postMessage(channel="C0GENERAL", text="x"))["ok"]
    assert len(slack.people.bob.messages("#general")) == 1


async def test_a_fault_of_a_family_spares_the_others(slack: SlackSimulator, client: AsyncWebClient) -> None:
    slack.faults.error("chat.*", "fatal_error")

    assert (await client.auth_test())["ok"]


async def test_a_rate_limit_says_when_to_come_again(slack: SlackSimulator, client: AsyncWebClient) -> None:
    slack.faults.rate_limit("chat.postMessage", retry_after=7)

    with pytest.raises(SlackApiError) as refused:
        await client.chat_postMessage(channel="C0GENERAL", text="x")

    assert (refused.value.response.status_code, refused.value.response.headers["Retry-After"]) == (429, "7")


async def test_the_sdks_own_handler_survives_a_rate_limit(slack: SlackSimulator) -> None:
    slack.faults.rate_limit("chat.postMessage", retry_after=0)
    handlers: list[AsyncRetryHandler] = [AsyncRateLimitErrorRetryHandler()]
    client = AsyncWebClient(base_url=slack.api_url, token=slack.bot_token, retry_handlers=handlers)

    assert (await client.chat_postMessage(channel="C0GENERAL", text="x"))["ok"]


async def test_an_outage_answers_with_a_page(slack: SlackSimulator, client: AsyncWebClient) -> None:
    slack.faults.http("chat.postMessage", 503)

    with pytest.raises(SlackApiError) as refused:
        await client.chat_postMessage(channel="C0GENERAL", text="x")

    assert refused.value.response.status_code == 503


async def test_a_lost_answer_is_done_and_not_told(slack: SlackSimulator, client: AsyncWebClient) -> None:
    slack.faults.lose_answer("chat.postMessage")

    with pytest.raises(aiohttp.ServerDisconnectedError):
        await client.chat_postMessage(channel="C0GENERAL", text="once")

    await slack.people.bob.sees("once")


async def test_the_sdks_default_handler_posts_twice_after_a_lost_answer(slack: SlackSimulator) -> None:
    slack.faults.lose_answer("chat.postMessage")
    client = AsyncWebClient(base_url=slack.api_url, token=slack.bot_token)

    await client.chat_postMessage(channel="C0GENERAL", text="twice")

    assert [each.text for each in slack.people.bob.messages("#general")] == ["twice", "twice"]


async def test_a_refused_call_is_not_done(slack: SlackSimulator, client: AsyncWebClient) -> None:
    slack.faults.refuse("chat.postMessage")

    with pytest.raises(aiohttp.ServerDisconnectedError):
        await client.chat_postMessage(channel="C0GENERAL", text="never")

    await slack.people.bob.sees_not("never")


async def test_a_slow_call_is_done_at_once_and_told_late(slack: SlackSimulator) -> None:
    slack.faults.slow("chat.postMessage", 5)
    client = AsyncWebClient(base_url=slack.api_url, token=slack.bot_token, retry_handlers=[], timeout=0.1)  # type: ignore[arg-type]

    with pytest.raises(TimeoutError):
        await client.chat_postMessage(channel="C0GENERAL", text="slow")

    assert slack.people.bob.messages("#general")[0].text == "slow"


async def test_a_response_url_can_fail(slack: SlackSimulator) -> None:
    slack.faults.response_url(500)
    hook = AsyncWebhookClient(slack.office.response_urls.issue("C0GENERAL", "U0BOB"), retry_handlers=[])

    assert (await hook.send(text="x")).status_code == 500
    assert (await hook.send(text="x")).status_code == 200


async def test_what_is_left_of_the_faults_can_be_forgotten(
    slack: SlackSimulator, client: AsyncWebClient
) -> None:
    slack.faults.error("*", "fatal_error", times=9)
    await slack.faults.down()

    slack.faults.clear()

    assert (await client.auth_test())["ok"]


async def test_a_pace_can_be_kept_for_each_channel() -> None:
    async with SlackSimulator(settings=Settings(posts_per_second=1)) as slack:
        client = bare_client(slack)
        await client.chat_postMessage(channel="C0GENERAL", text="x")
        await client.chat_postMessage(channel="C0GPUOPS", text="x")

        with pytest.raises(SlackApiError, match="ratelimited"):
            await client.chat_postMessage(channel="C0GENERAL", text="x")


async def test_every_call_is_in_the_log_with_its_answer(
    slack: SlackSimulator, client: AsyncWebClient
) -> None:
    await client.chat_postMessage(channel="C0GENERAL", text="x")
    with pytest.raises(SlackApiError):
        await client.chat_postMessage(channel="C0NOWHERE", text="x")

    first, second = slack.log.calls_of("chat.*")
    assert (first.ok, first.args["text"], second.error, second.status) == (
        True,
        "x",
        "channel_not_found",
        200,
    )
