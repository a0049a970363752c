"""Clicks, choices and forms: the payloads that the app gets, and what its acknowledgement does."""

from collections.abc import AsyncIterator

import pytest
from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from simulator.slack import Manifest, SlackSimulator
from simulator.slack.jsontypes import JsonObject, object_at, objects_at
from tests.simulator.slack.apps import FAST, bare_client, button, over_socket, plain, section

KEEP: JsonObject = {
    "type": "static_select",
    "action_id": "keep",
    "placeholder": plain("Keep for…"),
    "options": [{"text": plain("3 days"), "value": "3d"}, {"text": plain("1 week"), "value": "1w"}],
}
MORE: JsonObject = {
    "type": "overflow",
    "action_id": "more",
    "options": [{"text": plain("Why?"), "value": "why"}],
}
CARD: list[JsonObject] = [
    section("pod p1"),
    {
        "type": "actions",
        "block_id": "row-1",
        "elements": [button("Terminate", "end", value="p1"), KEEP, MORE],
    },
]


def acks_everything(app: AsyncApp) -> None:
    @app.action({"type": "block_actions", "action_id": "end"})
    @app.action("keep")
    @app.action("more")
    @app.action("forged")
    async def any_action(ack: AsyncAck) -> None:
        await ack()


@pytest.fixture
async def connected(slack: SlackSimulator) -> AsyncIterator[SlackSimulator]:
    async with over_socket(slack, acks_everything):
        yield slack


def sent(slack: SlackSimulator) -> JsonObject:
    return slack.log.deliveries_of("block_actions")[-1].payload


def action(slack: SlackSimulator) -> JsonObject:
    return objects_at(sent(slack), "actions")[0]


async def test_a_click_carries_the_button_and_its_message(
    connected: SlackSimulator, client: AsyncWebClient
) -> None:
    posted = await client.chat_postMessage(channel="C0GPUOPS", text="card", blocks=CARD)

    await connected.people.bob.clicks("Terminate")

    payload = sent(connected)
    assert (action(connected)["action_id"], action(connected)["value"]) == ("end", "p1")
    assert object_at(payload, "user")["id"] == "U0BOB"
    assert object_at(payload, "message")["ts"] == posted["ts"]
    assert object_at(payload, "container")["is_ephemeral"] is False
    assert {"trigger_id", "response_url", "channel"} <= set(payload)


async def test_a_click_on_an_ephemeral_carries_no_message(
    connected: SlackSimulator, client: AsyncWebClient
) -> None:
    await client.chat_postEphemeral(channel="C0GPUOPS", user="U0BOB", text="card", blocks=CARD)

    await connected.people.bob.clicks("Terminate")

    assert "message" not in sent(connected)
    assert object_at(sent(connected), "container")["is_ephemeral"] is True


async def test_a_click_in_a_home_carries_neither_message_nor_channel(
    connected: SlackSimulator, client: AsyncWebClient
) -> None:
    await client.views_publish(user_id="U0BOB", view={"type": "home", "blocks": CARD})

    await connected.people.bob.clicks("Terminate", in_="home")

    payload = sent(connected)
    assert object_at(payload, "view")["type"] == "home"
    assert {"message", "channel", "response_url"}.isdisjoint(payload)


async def test_a_choice_carries_its_option_and_its_row(
    connected: SlackSimulator, client: AsyncWebClient
) -> None:
    await client.chat_postMessage(channel="C0GPUOPS", text="card", blocks=CARD)

    await connected.people.bob.picks("Keep for…", "3 days")

    assert object_at(action(connected), "selected_option")["value"] == "3d"
    assert action(connected)["block_id"] == "row-1"
    assert "[3 days ▾]" in connected.people.bob.reads("#gpu-ops")


async def test_an_overflow_menu_is_picked_from(connected: SlackSimulator, client: AsyncWebClient) -> None:
    await client.chat_postMessage(channel="C0GPUOPS", text="card", blocks=CARD)

    await connected.people.bob.picks("⋯", "Why?")

    assert (action(connected)["type"], object_at(action(connected), "selected_option")["value"]) == (
        "overflow",
        "why",
    )


async def test_an_option_that_is_not_there_cannot_be_picked(
    connected: SlackSimulator, client: AsyncWebClient
) -> None:
    await client.chat_postMessage(channel="C0GPUOPS", text="card", blocks=CARD)

    with pytest.raises(LookupError, match="3 days, 1 week"):
        await connected.people.bob.picks("Keep for…", "1 year")


async def test_a_click_can_be_aimed_at_one_of_several_messages(
    connected: SlackSimulator, client: AsyncWebClient
) -> None:
    for name in ("p1", "p2"):
        blocks: list[JsonObject] = [
            section(name),
            {"type": "actions", "elements": [button("Terminate", "end", value=name)]},
        ]
        await client.chat_postMessage(channel="C0GPUOPS", text=name, blocks=blocks)

    await connected.people.bob.clicks("Terminate", on="p1")
    first = action(connected)["value"]
    await connected.people.bob.clicks("Terminate")

    assert (first, action(connected)["value"]) == ("p1", "p2")


async def test_a_forged_click_reaches_the_app_without_any_button(
    connected: SlackSimulator, client: AsyncWebClient
) -> None:
    await client.chat_postMessage(channel="C0GPUOPS", text="card", blocks=CARD)
    card = connected.people.bob.messages("#gpu-ops")[0]

    outcome = await connected.people.gus.sends_action("forged", "p9", on=card)

    assert outcome.acknowledged
    assert (action(connected)["value"], object_at(sent(connected), "user")["id"]) == ("p9", "U0GUS")


async def test_a_forged_click_can_belong_to_nothing(connected: SlackSimulator) -> None:
    await connected.people.gus.sends_action("forged", "p9")

    assert {"message", "channel", "view", "response_url"}.isdisjoint(sent(connected))


async def test_a_stranger_is_named_with_another_team(
    connected: SlackSimulator, client: AsyncWebClient
) -> None:
    await client.chat_postMessage(channel="C0SHARED", text="card", blocks=CARD)

    await connected.people.sam.clicks("Terminate")

    assert object_at(sent(connected), "user")["team_id"] == "T0ELSEWHERE"


async def test_an_unacknowledged_click_is_a_warning_to_its_presser(impatient: SlackSimulator) -> None:
    blocks: list[JsonObject] = [{"type": "actions", "elements": [button("Nobody listens", "nobody")]}]
    await bare_client(impatient).chat_postMessage(channel="C0GPUOPS", text="x", blocks=blocks)
    async with over_socket(impatient, acks_everything):
        outcome = await impatient.people.bob.clicks("Nobody listens")

    assert outcome.error == "operation_timeout"
    assert [each.error for each in impatient.people.bob.warnings] == ["operation_timeout"]
    assert impatient.people.alice.warnings == []


async def test_without_interactivity_a_click_goes_nowhere() -> None:
    async with SlackSimulator(manifest=Manifest(interactivity=False), settings=FAST) as slack:
        await bare_client(slack).chat_postMessage(channel="C0GPUOPS", text="card", blocks=CARD)

        outcome = await slack.people.bob.clicks("Terminate")

        assert outcome.error == "not_configured_for_interactivity"
        assert slack.log.deliveries == []
