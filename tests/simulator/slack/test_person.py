"""The people themselves: they wait for what comes, fail loudly, and only see what is theirs to see."""

import asyncio

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from simulator.slack import SlackSimulator
from simulator.slack.jsontypes import JsonObject
from tests.simulator.slack.apps import button, plain, section

CONFIRM: JsonObject = {
    "title": plain("?"),
    "text": plain("Sure?"),
    "confirm": plain("Yes"),
    "deny": plain("No"),
}


def row(*elements: JsonObject) -> JsonObject:
    return {"type": "actions", "elements": list(elements)}


async def test_looking_waits_for_what_is_still_to_come(slack: SlackSimulator, client: AsyncWebClient) -> None:
    looking = asyncio.create_task(slack.people.bob.sees("later"))
    await asyncio.sleep(0)
    await client.chat_postMessage(channel="C0GPUOPS", text="later")

    assert (await looking).plain == "later"


async def test_looking_in_vain_fails_with_what_is_there_instead(
    slack: SlackSimulator, client: AsyncWebClient
) -> None:
    await client.chat_postMessage(channel="C0GPUOPS", text="something else")

    with pytest.raises(AssertionError, match=r"bob does not see 'pod'(?s:.*)something else"):
        await slack.people.bob.sees("pod", within=0.01)


async def test_looking_away_fails_if_it_is_there(slack: SlackSimulator, client: AsyncWebClient) -> None:
    await client.chat_postMessage(channel="C0GPUOPS", text="secret")

    with pytest.raises(AssertionError, match="bob sees 'secret'"):
        await slack.people.bob.sees_not("secret")


async def test_a_button_that_is_not_there_cannot_be_pressed(slack: SlackSimulator) -> None:
    with pytest.raises(AssertionError, match="sees no 'Terminate' to press"):
        await slack.people.bob.clicks("Terminate", within=0.01)


async def test_a_button_of_somebody_elses_ephemeral_cannot_be_pressed(
    slack: SlackSimulator, client: AsyncWebClient
) -> None:
    await client.chat_postEphemeral(
        channel="C0GPUOPS", user="U0BOB", text="x", blocks=[row(button("Terminate", "end"))]
    )

    with pytest.raises(AssertionError, match="sees no"):
        await slack.people.alice.clicks("Terminate", within=0.01)


async def test_a_handle_from_somebody_elses_hand_shows_no_button(
    slack: SlackSimulator, client: AsyncWebClient
) -> None:
    await client.chat_postEphemeral(
        channel="C0GPUOPS", user="U0BOB", text="x", blocks=[row(button("Terminate", "end"))]
    )
    card = slack.people.bob.messages("#gpu-ops")[0]

    with pytest.raises(AssertionError, match="sees no"):
        await slack.people.alice.clicks("Terminate", on=card, within=0.01)


async def test_a_button_of_an_old_handle_is_gone_once_the_message_lost_it(
    slack: SlackSimulator, client: AsyncWebClient
) -> None:
    posted = await client.chat_postMessage(
        channel="C0GPUOPS", text="x", blocks=[row(button("Terminate", "end"))]
    )
    card = slack.people.bob.messages("#gpu-ops")[0]
    await client.chat_update(channel="C0GPUOPS", ts=posted["ts"], text="decided", blocks=[section("decided")])

    with pytest.raises(AssertionError, match="sees no"):
        await slack.people.bob.clicks("Terminate", on=card, within=0.01)


async def test_a_confirmation_has_to_be_reckoned_with(slack: SlackSimulator, client: AsyncWebClient) -> None:
    elements = (button("Sure", "a", confirm=CONFIRM), button("Plain", "b"))
    await client.chat_postMessage(channel="C0GPUOPS", text="x", blocks=[row(*elements)])

    with pytest.raises(AssertionError, match=r"asks 'Sure\?'"):
        await slack.people.bob.clicks("Sure")
    with pytest.raises(AssertionError, match="does not ask"):
        await slack.people.bob.clicks("Plain", confirm=True)


async def test_an_open_modal_is_pressed_before_the_message_under_it(
    slack: SlackSimulator, client: AsyncWebClient
) -> None:
    await client.chat_postMessage(channel="C0GPUOPS", text="x", blocks=[row(button("Go", "message"))])
    view: JsonObject = {"type": "modal", "title": plain("M"), "blocks": [row(button("Go", "modal"))]}
    await client.views_open(trigger_id=slack.office.triggers.issue("U0BOB"), view=view)

    await slack.people.bob.clicks("Go")

    (delivery,) = slack.log.deliveries_of("block_actions")
    assert "view" in delivery.payload


async def test_an_act_returns_what_became_visible_and_what_changed(
    slack: SlackSimulator, client: AsyncWebClient
) -> None:
    await client.chat_postMessage(channel="C0GPUOPS", text="old")

    outcome = await slack.people.bob.in_("#gpu-ops").types("new")

    assert [message.text for message in outcome.messages] == ["new"]


async def test_a_screen_shows_every_place_once(slack: SlackSimulator, client: AsyncWebClient) -> None:
    await client.chat_postMessage(channel="C0GPUOPS", text="in the channel")
    await client.chat_postMessage(channel="U0BOB", text="in private")
    await client.views_publish(user_id="U0BOB", view={"type": "home", "blocks": [section("at home")]})

    assert slack.people.bob.screen.split("\n\n") == [
        "=== #gpu-ops\nPodkeeper: in the channel",
        "=== @Podkeeper\nPodkeeper: in private",
        "=== Home\nat home",
    ]


async def test_somebody_new_can_join_the_cast(slack: SlackSimulator, client: AsyncWebClient) -> None:
    eve = slack.people.add("eve", tz="Asia/Tokyo", is_admin=True, channels=("general", "gpu-ops"))
    await client.chat_postMessage(channel="C0GPUOPS", text="hello")

    await eve.sees("hello")
    assert (await client.users_info(user=eve.id))["user"]["is_admin"]


def test_a_name_is_there_once(slack: SlackSimulator) -> None:
    with pytest.raises(ValueError, match="alice"):
        slack.people.add("alice")


async def test_a_deactivated_person_does_nothing_any_more(slack: SlackSimulator) -> None:
    slack.workspace.deactivate("U0BOB")

    with pytest.raises(LookupError):
        await slack.people.bob.types("hello")
