"""A whole conversation with the real slack-bolt, the same over Socket Mode and signed HTTP."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager

import pytest
from slack_bolt.async_app import AsyncAck, AsyncApp, AsyncRespond
from slack_sdk.web.async_client import AsyncWebClient

from simulator.slack import SlackSimulator
from simulator.slack.jsontypes import JsonObject
from tests.simulator.slack.apps import Listeners, button, over_http, over_socket, plain, section

Over = Callable[[SlackSimulator, Listeners], AbstractAsyncContextManager[AsyncApp]]
SURE: JsonObject = {
    "title": plain("End it?"),
    "text": plain("Gone for ever."),
    "confirm": plain("End"),
    "deny": plain("No"),
}
FORM: JsonObject = {
    "type": "modal",
    "callback_id": "order",
    "title": plain("New pod"),
    "submit": plain("Rent"),
    "blocks": [
        {
            "type": "input",
            "block_id": "name",
            "label": plain("Name"),
            "element": {"type": "plain_text_input", "action_id": "value", "max_length": 10},
        }
    ],
}


def listeners(app: AsyncApp) -> None:
    @app.command("/pod")
    async def pod(
        ack: AsyncAck, respond: AsyncRespond, command: dict[str, str], client: AsyncWebClient
    ) -> None:
        if command["text"] == "form":
            await ack()
            await client.views_open(trigger_id=command["trigger_id"], view=FORM)
            return
        await ack(f"taken: {command['text']}")
        buttons = [button("Terminate", "end", value="p1", style="danger", confirm=SURE)]
        await respond(text="card", blocks=[section("*pod p1*"), {"type": "actions", "elements": buttons}])

    @app.action("end")
    async def end(ack: AsyncAck, respond: AsyncRespond, body: JsonObject, action: dict[str, str]) -> None:
        await ack()
        await respond(text=f"{action['value']} ended", replace_original=True)

    @app.view("order")
    async def order(ack: AsyncAck, view: dict[str, dict[str, dict[str, dict[str, dict[str, str]]]]]) -> None:
        name = view["state"]["values"]["name"]["value"]["value"]
        if name == "bad":
            await ack(response_action="errors", errors={"name": "Not that one."})
            return
        await ack()
        await app.client.chat_postMessage(channel="#gpu-ops", text=f"ordered {name}")

    @app.event("app_home_opened")
    async def home(event: dict[str, str], client: AsyncWebClient) -> None:
        view = {"type": "home", "blocks": [section(f"Hello <@{event['user']}>")]}
        await client.views_publish(user_id=event["user"], view=view)


@pytest.fixture(params=[over_socket, over_http], ids=["socket", "http"])
async def connected(request: pytest.FixtureRequest, slack: SlackSimulator) -> AsyncIterator[SlackSimulator]:
    over: Over = request.param
    async with over(slack, listeners):
        yield slack


async def test_a_command_is_acknowledged_and_answered_to_its_asker_alone(connected: SlackSimulator) -> None:
    answer = await connected.people.alice.types("/pod list")

    assert answer.acknowledged
    assert "taken: list" in answer.text
    await connected.people.bob.sees_not("taken")


async def test_a_button_with_a_confirmation_replaces_the_message_it_stands_on(
    connected: SlackSimulator,
) -> None:
    alice = connected.people.alice
    await alice.types("/pod list")

    await alice.clicks("Terminate", confirm=True)

    await alice.sees("p1 ended")
    await alice.sees_no_button("Terminate")


async def test_a_confirmation_that_is_declined_sends_nothing(connected: SlackSimulator) -> None:
    alice = connected.people.alice
    await alice.types("/pod list")

    await alice.clicks("Terminate", confirm=False)

    assert connected.log.deliveries_of("block_actions") == []


async def test_a_form_is_filled_in_refused_with_a_reason_and_then_taken(connected: SlackSimulator) -> None:
    alice = connected.people.alice
    await alice.types("/pod form")

    refused = await alice.fills({"Name": "bad"}).submits()
    taken = await alice.fills({"Name": "gpu-7"}).submits()

    assert "⚠ Not that one." in refused.text
    assert taken.acknowledged
    assert alice.modal is None
    await connected.people.bob.sees("ordered gpu-7", in_="#gpu-ops")


async def test_a_home_is_published_when_it_is_opened(connected: SlackSimulator) -> None:
    await connected.people.alice.opens_home()

    assert (await connected.people.alice.sees("Hello @alice", in_="home")).buttons == []
