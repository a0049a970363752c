"""Tokens and scopes are really checked."""

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from simulator.slack import Manifest, SlackSimulator
from tests.simulator.slack.apps import bare_client


async def error_of(client: AsyncWebClient, method: str, **args: object) -> str:
    with pytest.raises(SlackApiError) as refused:
        await client.api_call(method, params=dict(args))
    return str(refused.value.response["error"])


async def test_auth_test_tells_who_the_bot_is(slack: SlackSimulator, client: AsyncWebClient) -> None:
    answer = await client.auth_test()

    assert (answer["user_id"], answer["bot_id"], answer["team_id"]) == ("U0BOT", "B0SIMULATED", "T0SIMULATED")


async def test_every_answer_names_the_scopes_of_the_token(client: AsyncWebClient) -> None:
    answer = await client.auth_test()

    assert "chat:write" in answer.headers["x-oauth-scopes"].split(",")


async def test_a_wrong_token_is_refused(slack: SlackSimulator) -> None:
    assert await error_of(bare_client(slack, "xoxb-other"), "auth.test") == "invalid_auth"


async def test_no_token_is_refused(slack: SlackSimulator) -> None:
    assert (
        await error_of(AsyncWebClient(base_url=slack.api_url, retry_handlers=[]), "auth.test") == "not_authed"
    )


async def test_an_app_token_posts_nothing(slack: SlackSimulator) -> None:
    client = bare_client(slack, slack.app_token)

    assert (
        await error_of(client, "chat.postMessage", channel="#general", text="x") == "not_allowed_token_type"
    )


async def test_a_bot_token_opens_no_connection(client: AsyncWebClient) -> None:
    assert await error_of(client, "apps.connections.open") == "not_allowed_token_type"


async def test_an_unknown_method_is_named_so(client: AsyncWebClient) -> None:
    assert await error_of(client, "chat.shout") == "unknown_method"


async def test_a_base_url_without_its_last_slash_works(slack: SlackSimulator) -> None:
    client = AsyncWebClient(base_url=slack.api_url.rstrip("/"), token=slack.bot_token, retry_handlers=[])

    assert (await client.auth_test())["ok"]


@pytest.mark.parametrize(
    ("method", "args", "scope"),
    [
        ("chat.postMessage", {"channel": "#general", "text": "x"}, "chat:write"),
        ("conversations.open", {"users": "U0BOB"}, "im:write"),
        ("conversations.info", {"channel": "C0GENERAL"}, "channels:read"),
        ("conversations.info", {"channel": "C0OPSPRIVATE"}, "groups:read"),
        ("conversations.list", {}, "channels:read"),
        ("conversations.join", {"channel": "C0RANDOM"}, "channels:join"),
        ("users.info", {"user": "U0BOB"}, "users:read"),
        ("users.lookupByEmail", {"email": "bob@example.com"}, "users:read.email"),
        ("files.getUploadURLExternal", {"filename": "a.txt", "length": "1"}, "files:write"),
    ],
)
async def test_a_method_without_its_scope_names_the_scope(
    method: str, args: dict[str, str], scope: str
) -> None:
    every = Manifest().scopes
    kept = tuple(each for each in every if each != scope)
    async with SlackSimulator(manifest=Manifest(scopes=kept)) as slack:
        with pytest.raises(SlackApiError) as refused:
            await bare_client(slack).api_call(method, params=args)

    assert refused.value.response["error"] == "missing_scope"
    assert refused.value.response["needed"] == scope
    assert refused.value.response["provided"].split(",") == list(kept)


async def test_without_the_email_scope_nobody_has_an_address() -> None:
    async with SlackSimulator(manifest=Manifest(scopes=("users:read",))) as slack:
        answer = await bare_client(slack).users_info(user="U0BOB")

    assert "email" not in answer["user"]["profile"]
