"""users.*, conversations.*, team.info, bots.info as the bot sees them."""

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from simulator.slack import SlackSimulator
from simulator.slack.jsontypes import JsonObject


async def error_of(client: AsyncWebClient, method: str, args: JsonObject) -> str:
    with pytest.raises(SlackApiError) as refused:
        await client.api_call(method, json=args)
    return str(refused.value.response["error"])


@pytest.mark.parametrize(
    ("user", "flag"),
    [
        ("U0DANA", "is_admin"),
        ("U0GUS", "is_restricted"),
        ("U0UMA", "is_ultra_restricted"),
        ("U0DEE", "deleted"),
        ("U0ROBO", "is_bot"),
        ("U0SAM", "is_stranger"),
    ],
)
async def test_each_kind_of_person_can_be_told_apart(client: AsyncWebClient, user: str, flag: str) -> None:
    assert (await client.users_info(user=user))["user"][flag] is True
    assert not (await client.users_info(user="U0ALICE"))["user"].get(flag)


async def test_a_stranger_is_of_another_workspace(slack: SlackSimulator, client: AsyncWebClient) -> None:
    assert (await client.users_info(user="U0SAM"))["user"]["team_id"] != slack.bot.team_id


async def test_a_person_has_a_zone_and_if_asked_for_a_locale(client: AsyncWebClient) -> None:
    user = (await client.users_info(user="U0BOB", include_locale=True))["user"]

    assert (user["tz"], user["locale"]) == ("America/New_York", "en-US")
    assert user["tz_offset"] in {-18000, -14400}


async def test_slackbot_is_listed_and_says_it_is_no_bot(client: AsyncWebClient) -> None:
    members = {user["id"]: user for user in (await client.users_list())["members"]}

    assert members["USLACKBOT"]["is_bot"] is False


async def test_an_address_finds_its_person_whatever_its_case(client: AsyncWebClient) -> None:
    assert (await client.users_lookupByEmail(email="BOB@example.com"))["user"]["id"] == "U0BOB"


@pytest.mark.parametrize("email", ["nobody@example.com", "dee@example.com"])
async def test_an_address_of_nobody_active_is_not_found(client: AsyncWebClient, email: str) -> None:
    assert await error_of(client, "users.lookupByEmail", {"email": email}) == "users_not_found"


async def test_an_unknown_person_is_not_found(client: AsyncWebClient) -> None:
    assert await error_of(client, "users.info", {"user": "U0NOBODY"}) == "user_not_found"


@pytest.mark.parametrize(
    ("users", "error"),
    [
        ("U0DEE", "user_disabled"),
        ("U0NOBODY", "user_not_found"),
        ("U0ROBO", "cannot_dm_bot"),
        ("", "users_list_not_supplied"),
    ],
)
async def test_a_direct_message_that_cannot_be_opened_says_why(
    client: AsyncWebClient, users: str, error: str
) -> None:
    assert await error_of(client, "conversations.open", {"users": users}) == error


async def test_the_direct_message_of_a_deactivated_person_can_be_opened_if_so_switched(
    slack: SlackSimulator, client: AsyncWebClient
) -> None:
    slack.workspace.deactivated_dm = "ok"

    assert (await client.conversations_open(users="U0DEE"))["channel"]["id"] == "D0DEE"


async def test_a_private_channel_of_others_is_hidden(client: AsyncWebClient) -> None:
    names = {
        each["name"]
        for each in (await client.conversations_list(types="public_channel,private_channel"))["channels"]
    }

    assert "ops-private" in names
    assert "secret" not in names
    assert await error_of(client, "conversations.info", {"channel": "C0SECRET"}) == "channel_not_found"


async def test_a_channel_says_whether_the_bot_is_in_it(client: AsyncWebClient) -> None:
    inside = (await client.conversations_info(channel="C0GPUOPS"))["channel"]
    outside = (await client.conversations_info(channel="C0RANDOM"))["channel"]

    assert (inside["is_member"], outside["is_member"]) == (True, False)


async def test_users_conversations_are_those_that_the_bot_is_in(client: AsyncWebClient) -> None:
    names = {each["name"] for each in (await client.users_conversations(exclude_archived=True))["channels"]}

    assert names == {"general", "gpu-ops", "shared"}


async def test_members_come_in_pages(client: AsyncWebClient) -> None:
    first = await client.conversations_members(channel="C0GPUOPS", limit=2)
    cursor = first["response_metadata"]["next_cursor"]
    rest = await client.conversations_members(channel="C0GPUOPS", limit=10, cursor=cursor)

    assert first["members"] + rest["members"] == slack_members()
    assert rest["response_metadata"]["next_cursor"] == ""


def slack_members() -> list[str]:
    return ["U0ALICE", "U0BOB", "U0CAROL", "U0DANA", "U0BOT"]


async def test_joining_a_public_channel_lets_the_bot_post_there(
    slack: SlackSimulator, client: AsyncWebClient
) -> None:
    await client.conversations_join(channel="C0RANDOM")
    await client.chat_postMessage(channel="C0RANDOM", text="here now")

    await slack.people.carol.sees("here now", in_="#random")


async def test_a_bot_is_known_by_its_bot_id(slack: SlackSimulator, client: AsyncWebClient) -> None:
    assert (await client.bots_info(bot=slack.bot.bot_id))["bot"]["user_id"] == slack.bot.bot_user_id
    assert await error_of(client, "bots.info", {"bot": "B0NONE"}) == "bot_not_found"


async def test_blocks_are_validated_without_sending(slack: SlackSimulator, client: AsyncWebClient) -> None:
    with pytest.raises(SlackApiError) as refused:
        await client.api_call("blocks.validate", json={"blocks": [{"type": "nonsense"}]})

    assert refused.value.response["errors"] == [
        {"pointer": "/blocks/0/type", "code": "failed_constraint", "message": "unsupported type: nonsense"}
    ]
