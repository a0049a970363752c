"""Events: which ones the app hears, and when."""

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from simulator.slack import Manifest, SlackSimulator
from simulator.slack.jsontypes import JsonObject, object_at
from tests.simulator.slack.apps import FAST


def events(slack: SlackSimulator, kind: str) -> list[JsonObject]:
    return [object_at(delivery.payload, "event") for delivery in slack.log.deliveries_of(kind)]


async def test_a_direct_message_is_an_event(slack: SlackSimulator) -> None:
    await slack.people.alice.types("help me", in_="dm")

    (event,) = events(slack, "message")
    assert (event["text"], event["channel_type"], event["user"]) == ("help me", "im", "U0ALICE")


async def test_the_bots_own_direct_message_is_an_event_too(
    slack: SlackSimulator, client: AsyncWebClient
) -> None:
    await client.chat_postMessage(channel="U0ALICE", text="hello")

    (event,) = events(slack, "message")
    assert event["bot_id"] == slack.bot.bot_id


async def test_an_edit_is_an_event_without_a_user(slack: SlackSimulator, client: AsyncWebClient) -> None:
    posted = await client.chat_postMessage(channel="U0ALICE", text="one")
    await client.chat_update(channel=posted["channel"], ts=posted["ts"], text="two")

    event = events(slack, "message")[-1]
    assert (event["subtype"], object_at(event, "message")["text"]) == ("message_changed", "two")
    assert "user" not in event


async def test_a_message_in_a_channel_is_none_unless_asked_for(slack: SlackSimulator) -> None:
    await slack.people.alice.types("hello all", in_="#general")

    assert slack.log.deliveries == []


async def test_a_mention_is_heard_where_the_bot_is(slack: SlackSimulator) -> None:
    bot = slack.workspace.users[slack.bot.bot_user_id].name
    await slack.people.alice.types(f"@{bot} hello", in_="#general")
    await slack.people.alice.types(f"@{bot} hello", in_="#random")

    (event,) = events(slack, "app_mention")
    assert event["channel"] == "C0GENERAL"


async def test_comings_and_goings_are_heard(slack: SlackSimulator) -> None:
    await slack.people.gus.joins("#gpu-ops")
    await slack.people.gus.leaves("#gpu-ops")

    assert events(slack, "member_joined_channel")[0]["user"] == "U0GUS"
    assert events(slack, "member_left_channel")[0]["user"] == "U0GUS"


async def test_the_bot_hears_that_it_was_removed_and_by_whom(slack: SlackSimulator) -> None:
    await slack.people.dana.removes("bot", "#gpu-ops")
    await slack.people.dana.removes("bot", "#ops-private")

    assert events(slack, "channel_left")[0]["actor_id"] == "U0DANA"
    assert events(slack, "group_left")[0]["channel"] == "C0OPSPRIVATE"


async def test_the_bot_can_be_invited(slack: SlackSimulator, client: AsyncWebClient) -> None:
    await slack.people.bob.invites("bot", "#secret")

    assert (await client.chat_postMessage(channel="C0SECRET", text="x"))["ok"]


async def test_an_event_that_the_manifest_leaves_out_is_not_sent() -> None:
    async with SlackSimulator(manifest=Manifest(bot_events=()), settings=FAST) as slack:
        await slack.people.alice.opens_home()
        await slack.people.alice.types("hello", in_="dm")

        assert slack.log.deliveries == []


@pytest.mark.parametrize("manifest", [Manifest(messages_tab=False), Manifest(messages_tab_read_only=True)])
async def test_nobody_writes_into_a_closed_messages_tab(manifest: Manifest) -> None:
    async with SlackSimulator(manifest=manifest, settings=FAST) as slack:
        outcome = await slack.people.alice.types("hello", in_="dm")

        assert outcome.error == "messages_tab_disabled"
        assert slack.people.alice.messages("dm") == []
