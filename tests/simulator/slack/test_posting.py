"""chat.*: where the bot may post, what it may post, and what becomes of it."""

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from simulator.slack import Manifest, SlackSimulator
from simulator.slack.jsontypes import JsonObject
from tests.simulator.slack.apps import bare_client, section


async def error_of(client: AsyncWebClient, method: str, args: JsonObject) -> str:
    with pytest.raises(SlackApiError) as refused:
        await client.api_call(method, json=args)
    return str(refused.value.response["error"])


async def test_a_message_reaches_everybody_in_the_channel_and_nobody_else(
    slack: SlackSimulator, client: AsyncWebClient
) -> None:
    await client.chat_postMessage(channel="C0GPUOPS", text="pod up")

    await slack.people.bob.sees("pod up", in_="#gpu-ops")
    await slack.people.gus.sees_not("pod up")


async def test_a_message_to_a_persons_id_lands_in_their_dm(
    slack: SlackSimulator, client: AsyncWebClient
) -> None:
    answer = await client.chat_postMessage(channel="U0BOB", text="yours")

    assert answer["channel"] == "D0BOB"
    await slack.people.bob.sees("yours", in_="dm")


async def test_a_message_to_a_deactivated_person_succeeds_silently(client: AsyncWebClient) -> None:
    assert (await client.chat_postMessage(channel="U0DEE", text="hello"))["ok"]


async def test_a_reply_stands_in_its_thread(slack: SlackSimulator, client: AsyncWebClient) -> None:
    first = await client.chat_postMessage(channel="C0GPUOPS", text="provision")
    await client.chat_postMessage(channel="C0GPUOPS", text="ready", thread_ts=first["ts"])

    assert slack.people.bob.reads("#gpu-ops") == "Podkeeper: provision\n  ↳ Podkeeper: ready"


async def test_a_reply_to_a_message_that_is_gone_silently_lands_in_the_channel(
    client: AsyncWebClient,
) -> None:
    answer = await client.chat_postMessage(channel="C0GPUOPS", text="ready", thread_ts="1.000001")

    assert "thread_ts" not in answer["message"]


@pytest.mark.parametrize(
    ("args", "error"),
    [
        ({"channel": "C0NOWHERE", "text": "x"}, "channel_not_found"),
        ({"channel": "#nowhere", "text": "x"}, "channel_not_found"),
        ({"channel": "C0SECRET", "text": "x"}, "channel_not_found"),
        ({"channel": "C0RANDOM", "text": "x"}, "not_in_channel"),
        ({"channel": "C0OLD", "text": "x"}, "is_archived"),
        ({"channel": "U0ROBO", "text": "x"}, "cannot_dm_bot"),
        ({"channel": "C0GENERAL"}, "no_text"),
        ({"channel": "C0GENERAL", "text": "  "}, "no_text"),
        ({"channel": "C0GENERAL", "blocks": "[{"}, "invalid_blocks_format"),
        ({"channel": "C0GENERAL", "blocks": {"type": "divider"}}, "invalid_blocks_format"),
        ({"channel": "C0GENERAL", "blocks": [{"type": "nonsense"}]}, "invalid_blocks"),
        ({"channel": "C0GENERAL", "blocks": [section("x" * 3000)] * 5}, "msg_blocks_too_long"),
        ({"channel": "C0GENERAL", "attachments": [{"text": "x"}] * 101}, "too_many_attachments"),
        ({"text": "x"}, "invalid_arguments"),
    ],
)
async def test_a_message_that_slack_does_not_take_has_slacks_error(
    client: AsyncWebClient, args: JsonObject, error: str
) -> None:
    assert await error_of(client, "chat.postMessage", args) == error


async def test_refused_blocks_come_with_slacks_sentences(client: AsyncWebClient) -> None:
    with pytest.raises(SlackApiError) as refused:
        await client.chat_postMessage(channel="C0GENERAL", text="x", blocks=[section("x" * 3001)])

    sentences = [
        "failed to match all allowed schemas [json-pointer:/blocks/0/text]",
        "must be less than 3001 characters [json-pointer:/blocks/0/text/text]",
    ]
    assert refused.value.response["errors"] == sentences
    assert refused.value.response["response_metadata"]["messages"] == [
        f"[ERROR] {each}" for each in sentences
    ]


async def test_a_closed_messages_tab_takes_no_direct_messages() -> None:
    async with SlackSimulator(manifest=Manifest(messages_tab=False)) as slack:
        error = await error_of(bare_client(slack), "chat.postMessage", {"channel": "U0BOB", "text": "x"})

    assert error == "messages_tab_disabled"


async def test_a_person_whom_the_bot_cannot_see_cannot_be_messaged(
    slack: SlackSimulator, client: AsyncWebClient
) -> None:
    slack.workspace.allow_messages("U0GUS", False)

    assert (
        await error_of(client, "chat.postMessage", {"channel": "U0GUS", "text": "x"}) == "channel_not_found"
    )
    assert await error_of(client, "conversations.open", {"users": "U0GUS"}) == "user_not_visible"


async def test_an_update_changes_the_message_for_everybody(
    slack: SlackSimulator, client: AsyncWebClient
) -> None:
    posted = await client.chat_postMessage(channel="C0GPUOPS", text="working", blocks=[section("working")])
    await client.chat_update(channel="C0GPUOPS", ts=posted["ts"], text="done", blocks=[section("done")])

    assert slack.people.bob.reads("#gpu-ops") == "Podkeeper (edited): done"


@pytest.mark.parametrize(
    ("args", "error"),
    [
        ({"channel": "C0GPUOPS", "ts": "1.000001", "text": "x"}, "message_not_found"),
        ({"channel": "C0NOWHERE", "ts": "1.000001", "text": "x"}, "channel_not_found"),
    ],
)
async def test_an_update_of_nothing_has_slacks_error(
    client: AsyncWebClient, args: JsonObject, error: str
) -> None:
    assert await error_of(client, "chat.update", args) == error


async def test_an_update_takes_no_more_than_4000_characters(client: AsyncWebClient) -> None:
    posted = await client.chat_postMessage(channel="C0GPUOPS", text="x")
    args: JsonObject = {"channel": "C0GPUOPS", "ts": posted["ts"], "text": "x" * 4001}

    assert await error_of(client, "chat.update", args) == "msg_too_long"


async def test_a_persons_message_is_not_the_bots_to_change(
    slack: SlackSimulator, client: AsyncWebClient
) -> None:
    said = (await slack.people.bob.types("hello", in_="#gpu-ops")).messages[0]
    args: JsonObject = {"channel": said.channel, "ts": said.ts, "text": "goodbye"}

    assert await error_of(client, "chat.update", args) == "cant_update_message"
    assert await error_of(client, "chat.delete", args) == "cant_delete_message"


async def test_a_deleted_message_is_gone(slack: SlackSimulator, client: AsyncWebClient) -> None:
    posted = await client.chat_postMessage(channel="C0GPUOPS", text="oops")
    await client.chat_delete(channel="C0GPUOPS", ts=posted["ts"])

    await slack.people.bob.sees_not("oops")


async def test_an_ephemeral_is_seen_by_one_person_only(slack: SlackSimulator, client: AsyncWebClient) -> None:
    await client.chat_postEphemeral(channel="C0GPUOPS", user="U0BOB", text="psst")

    assert slack.people.bob.reads("#gpu-ops") == "Podkeeper (only you): psst"
    await slack.people.alice.sees_not("psst")


async def test_an_ephemeral_cannot_be_found_again(client: AsyncWebClient) -> None:
    posted = await client.chat_postEphemeral(channel="C0GPUOPS", user="U0BOB", text="psst")
    args: JsonObject = {"channel": "C0GPUOPS", "ts": posted["message_ts"], "text": "x"}

    assert await error_of(client, "chat.update", args) == "message_not_found"


@pytest.mark.parametrize("user", ["U0GUS", "U0DEE", "U0NOBODY"])
async def test_an_ephemeral_to_somebody_who_is_not_there_is_refused(
    client: AsyncWebClient, user: str
) -> None:
    args: JsonObject = {"channel": "C0GPUOPS", "user": user, "text": "x"}

    assert await error_of(client, "chat.postEphemeral", args) == "user_not_in_channel"


async def test_a_permalink_names_channel_and_message(client: AsyncWebClient) -> None:
    posted = await client.chat_postMessage(channel="C0GPUOPS", text="x")
    answer = await client.chat_getPermalink(channel="C0GPUOPS", message_ts=posted["ts"])

    assert answer["permalink"].endswith(f"/archives/C0GPUOPS/p{posted['ts'].replace('.', '')}")


async def test_text_that_looks_like_json_stays_text(slack: SlackSimulator, client: AsyncWebClient) -> None:
    await client.api_call("chat.postMessage", data={"channel": "C0GPUOPS", "text": '{"a": 1}'})

    assert slack.people.bob.messages("#gpu-ops")[0].text == '{"a": 1}'


async def test_blocks_of_a_form_are_json(slack: SlackSimulator, client: AsyncWebClient) -> None:
    blocks = '[{"type": "section", "text": {"type": "plain_text", "text": "from a form"}}]'
    await client.api_call("chat.postMessage", data={"channel": "C0GPUOPS", "text": "x", "blocks": blocks})

    await slack.people.bob.sees("from a form")
