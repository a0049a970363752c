"""conversations.history and conversations.replies: what an app may read of what was said."""

from dataclasses import replace

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from simulator.slack import SlackSimulator
from tests.simulator.slack.apps import FAST, bare_client

NAMED = {"event_type": "named", "event_payload": {"id": "m1"}}


async def error_of(client: AsyncWebClient, method: str, **args: str) -> str:
    with pytest.raises(SlackApiError) as refused:
        await client.api_call(method, params=args)
    return str(refused.value.response["error"])


async def test_the_newest_comes_first_and_what_only_one_person_sees_does_not_come(
    slack: SlackSimulator, client: AsyncWebClient
) -> None:
    first = await client.chat_postMessage(channel="C0GENERAL", text="first")
    await client.chat_postMessage(channel="C0GENERAL", text="reply", thread_ts=first["ts"])
    await client.chat_postEphemeral(channel="C0GENERAL", user="U0BOB", text="psst")
    await client.chat_postMessage(channel="C0GENERAL", text="second")

    said = await client.conversations_history(channel="C0GENERAL")
    thread = await client.conversations_replies(channel="C0GENERAL", ts=first["ts"])

    assert [message["text"] for message in said["messages"]] == ["second", "first"]
    assert [message["text"] for message in thread["messages"]] == ["first", "reply"]


async def test_metadata_comes_only_to_who_asks_for_it(slack: SlackSimulator, client: AsyncWebClient) -> None:
    await client.chat_postMessage(channel="C0GENERAL", text="first", metadata=NAMED)

    [plain] = (await client.conversations_history(channel="C0GENERAL"))["messages"]
    [whole] = (await client.conversations_history(channel="C0GENERAL", include_all_metadata=True))["messages"]

    assert "metadata" not in plain
    assert whole["metadata"] == NAMED


async def test_metadata_outlives_an_edit(slack: SlackSimulator, client: AsyncWebClient) -> None:
    posted = await client.chat_postMessage(channel="C0GENERAL", text="first", metadata=NAMED)
    await client.chat_update(channel="C0GENERAL", ts=str(posted["ts"]), text="second")

    [message] = (await client.conversations_history(channel="C0GENERAL", include_all_metadata=True))[
        "messages"
    ]

    assert (message["text"], message["metadata"]) == ("second", NAMED)


async def test_metadata_without_type_or_payload_is_refused(
    slack: SlackSimulator, client: AsyncWebClient
) -> None:
    args = {"channel": "C0GENERAL", "text": "x", "metadata": '{"event_type": "named"}'}

    assert await error_of(client, "chat.postMessage", **args) == "invalid_metadata_schema"


async def test_only_a_member_with_the_scope_may_read(slack: SlackSimulator, client: AsyncWebClient) -> None:
    outside = await error_of(client, "conversations.history", channel="C0RANDOM")
    no_thread = await error_of(client, "conversations.replies", channel="C0GENERAL", ts="1.0")
    slack.workspace.manifest = replace(slack.workspace.manifest, scopes=("chat:write",))

    assert outside == "not_in_channel"
    assert no_thread == "thread_not_found"
    assert await error_of(client, "conversations.history", channel="C0GENERAL") == "missing_scope"


async def test_an_app_that_is_sold_has_next_to_no_allowance() -> None:
    async with SlackSimulator(settings=replace(FAST, histories_open=False)) as slack:
        with pytest.raises(SlackApiError) as refused:
            await bare_client(slack).conversations_history(channel="C0GPUOPS")

    assert refused.value.response.status_code == 429
    assert refused.value.response.headers["Retry-After"] == "60"
