"""Files in Slack's three steps, through the sdk's own upload."""

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from simulator.slack import SlackSimulator


async def test_an_uploaded_log_stands_in_the_channel(slack: SlackSimulator, client: AsyncWebClient) -> None:
    answer = await client.files_upload_v2(
        filename="boot.log",
        content="line one",
        title="Bootstrap",
        channel="C0GPUOPS",
        initial_comment="The log:",
    )

    stored = slack.workspace.files[answer["file"]["id"]]
    assert stored.content == b"line one"
    assert slack.people.bob.reads("#gpu-ops") == "Podkeeper: The log:\n  (file: Bootstrap)"


async def test_a_picture_lands_in_a_thread(slack: SlackSimulator, client: AsyncWebClient) -> None:
    first = await client.chat_postMessage(channel="C0GPUOPS", text="digest")
    await client.files_upload_v2(
        filename="money.png", content=b"\x89PNG", alt_txt="money", channel="C0GPUOPS", thread_ts=first["ts"]
    )

    reply = slack.people.bob.messages("#gpu-ops")[-1]
    assert reply.thread_ts == first["ts"]
    assert slack.workspace.files[reply.files[0]].mimetype == "image/png"


async def test_an_upload_without_content_is_not_found(client: AsyncWebClient) -> None:
    announced = await client.files_getUploadURLExternal(filename="a.txt", length=3)

    with pytest.raises(SlackApiError) as refused:
        await client.files_completeUploadExternal(files=[{"id": announced["file_id"]}], channel_id="C0GPUOPS")

    assert refused.value.response["error"] == "file_not_found"


async def test_an_empty_file_is_refused(client: AsyncWebClient) -> None:
    with pytest.raises(SlackApiError) as refused:
        await client.files_getUploadURLExternal(filename="a.txt", length=0)

    assert refused.value.response["error"] == "file_upload_size_restricted"


async def test_a_file_goes_only_where_the_bot_is(slack: SlackSimulator, client: AsyncWebClient) -> None:
    with pytest.raises(SlackApiError) as refused:
        await client.files_upload_v2(filename="a.txt", content="x", channel="C0RANDOM")

    assert refused.value.response["error"] == "not_in_channel"
