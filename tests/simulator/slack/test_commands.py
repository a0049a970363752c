"""Slash commands: what the app gets, and what its answers do."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from slack_bolt.async_app import AsyncAck, AsyncApp, AsyncRespond
from slack_sdk.webhook.async_client import AsyncWebhookClient

from simulator.clock import ManualClock
from simulator.slack import Manifest, SlackSimulator
from simulator.slack.jsontypes import JsonObject
from simulator.slack.manifest import SlashCommand
from tests.simulator.slack.apps import FAST, over_socket, section


def silent(app: AsyncApp) -> None:
    @app.command("/pod")
    async def pod(ack: AsyncAck) -> None:
        await ack()


def sent(slack: SlackSimulator) -> JsonObject:
    return slack.log.deliveries_of("slash_commands")[-1].payload


@pytest.mark.parametrize(
    ("typed", "received"),
    [
        ("give p1 @bob", "give p1 <@U0BOB|bob>"),
        ("give p1 @nobody", "give p1 @nobody"),
        ("list #gpu-ops", "list <#C0GPUOPS|gpu-ops>"),
        ("keep a<b & c>d", "keep a&lt;b &amp; c&gt;d"),
        ("new --repo https://example.com/r.git", "new --repo <https://example.com/r.git>"),
        ("new --image ghcr.io/org/img:1", "new --image <http://ghcr.io/org/img:1|ghcr.io/org/img:1>"),
        ("key add bob@example.com", "key add <mailto:bob@example.com|bob@example.com>"),
        ("terminate —force “gpu-7”", "terminate —force “gpu-7”"),
        ("list <!channel>", "list &lt;!channel&gt;"),
    ],
)
async def test_typed_text_is_escaped_as_should_escape_does(
    slack: SlackSimulator, typed: str, received: str
) -> None:
    async with over_socket(slack, silent):
        await slack.people.alice.types(f"/pod {typed}")

    assert sent(slack)["text"] == received


async def test_without_should_escape_names_stay_as_typed() -> None:
    manifest = Manifest(commands=(SlashCommand("/pod", should_escape=False),))
    async with SlackSimulator(manifest=manifest, settings=FAST) as slack, over_socket(slack, silent):
        await slack.people.alice.types("/pod give p1 @bob & co")

        assert sent(slack)["text"] == "give p1 @bob &amp; co"


async def test_a_command_names_person_and_place(slack: SlackSimulator) -> None:
    async with over_socket(slack, silent):
        await slack.people.alice.types("/pod list", in_="#gpu-ops")

    payload = sent(slack)
    assert (payload["user_id"], payload["channel_id"], payload["channel_name"]) == (
        "U0ALICE",
        "C0GPUOPS",
        "gpu-ops",
    )


async def test_a_command_works_where_the_bot_is_no_member(slack: SlackSimulator) -> None:
    async with over_socket(slack, silent):
        answer = await slack.people.alice.types("/pod list", in_="#random")

    assert answer.acknowledged


async def test_an_unknown_command_never_reaches_the_app(slack: SlackSimulator) -> None:
    answer = await slack.people.alice.types("/pods list")

    assert "not a valid command" in answer.text
    assert slack.log.deliveries == []


async def test_there_are_no_commands_in_threads(slack: SlackSimulator) -> None:
    first = (await slack.people.alice.types("hello")).messages[0]

    with pytest.raises(LookupError, match="threads"):
        await slack.people.alice.types("/pod list", thread=first)


async def test_nobody_types_where_they_are_not(slack: SlackSimulator) -> None:
    with pytest.raises(LookupError, match="gus cannot type"):
        await slack.people.gus.types("/pod list", in_="#gpu-ops")


async def test_an_answer_in_channel_is_seen_by_all(slack: SlackSimulator) -> None:
    def loud(app: AsyncApp) -> None:
        @app.command("/pod")
        async def pod(ack: AsyncAck) -> None:
            await ack(text="for all", response_type="in_channel")

    async with over_socket(slack, loud):
        await slack.people.alice.types("/pod list")

    await slack.people.bob.sees("for all", in_="#general")


async def test_refused_blocks_in_an_acknowledgement_are_an_invalid_response(slack: SlackSimulator) -> None:
    def wrong(app: AsyncApp) -> None:
        @app.command("/pod")
        async def pod(ack: AsyncAck) -> None:
            await ack(text="x", blocks=[section("x" * 3001)])

    async with over_socket(slack, wrong):
        answer = await slack.people.alice.types("/pod list")

    assert 'failed with the error "invalid_command_response"' in answer.text


async def test_a_late_acknowledgement_is_a_timeout_and_the_work_goes_on(
    impatient: SlackSimulator,
) -> None:
    gate, done = asyncio.Event(), asyncio.Event()

    def slow(app: AsyncApp) -> None:
        @app.command("/pod")
        async def pod(ack: AsyncAck) -> None:
            await gate.wait()
            await ack()
            done.set()

    async with over_socket(impatient, slow):
        answer = await impatient.people.alice.types("/pod list")
        gate.set()
        await done.wait()

    assert answer.error == "operation_timeout"
    assert 'failed with the error "operation_timeout"' in answer.text
    await impatient.people.bob.sees_not("operation_timeout")


async def test_with_nobody_connected_the_dispatch_fails(slack: SlackSimulator) -> None:
    answer = await slack.people.alice.types("/pod list")

    assert answer.error == "dispatch_failed"
    assert 'failed with the error "dispatch_failed"' in answer.text


async def respond(slack: SlackSimulator, **body: object) -> tuple[int, str]:
    hook = AsyncWebhookClient(str(sent(slack)["response_url"]))
    answer = await hook.send_dict(body)
    return answer.status_code, answer.body


async def test_a_response_url_is_good_five_times(slack: SlackSimulator) -> None:
    await slack.people.alice.types("/pod list")

    answers = [await respond(slack, text=str(n)) for n in range(6)]

    assert answers == [(200, "ok")] * 5 + [(404, "used_url")]


async def test_a_response_url_is_good_for_half_an_hour() -> None:
    clock = ManualClock(datetime(2026, 3, 1, 12, tzinfo=UTC))
    async with SlackSimulator(clock, settings=FAST) as slack:
        await slack.people.alice.types("/pod list")
        clock.advance(timedelta(minutes=30))
        just_in_time = await respond(slack, text="x")
        clock.advance(timedelta(seconds=1))

        assert (just_in_time, await respond(slack, text="x")) == ((200, "ok"), (404, "expired_url"))


async def test_replacing_the_original_of_a_command_posts_anew(slack: SlackSimulator) -> None:
    await slack.people.alice.types("/pod list")
    await respond(slack, text="one")
    await respond(slack, text="two", replace_original=True)

    assert [each.plain for each in slack.people.alice.messages()][-2:] == ["one", "two"]


@pytest.mark.parametrize(
    ("body", "error"),
    [({"text": ""}, "no_text"), ({"text": "x", "blocks": [{"type": "nonsense"}]}, "invalid_blocks")],
)
async def test_a_response_url_takes_no_nonsense(slack: SlackSimulator, body: JsonObject, error: str) -> None:
    await slack.people.alice.types("/pod list")

    assert await respond(slack, **body) == (400, error)


async def test_a_private_answer_by_response_url_is_private(slack: SlackSimulator) -> None:
    def answering(app: AsyncApp) -> None:
        @app.command("/pod")
        async def pod(ack: AsyncAck, respond: AsyncRespond) -> None:
            await ack()
            await respond("only for you")

    async with over_socket(slack, answering):
        answer = await slack.people.alice.types("/pod list", in_="#random")

    assert answer.text == "only for you"
    await slack.people.bob.sees_not("only for you")
