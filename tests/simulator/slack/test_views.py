"""views.*: trigger ids, the stack of modals, hashes, App Home."""

import asyncio

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from simulator.slack import Manifest, SlackSimulator
from simulator.slack.jsontypes import Json, JsonObject
from tests.simulator.slack.apps import IMPATIENT, bare_client, plain, section


def modal(text: str, **more: Json) -> JsonObject:
    return {"type": "modal", "title": plain("Form"), "blocks": [section(text)], **more}


def home(text: str) -> JsonObject:
    return {"type": "home", "blocks": [section(text)]}


def trigger(slack: SlackSimulator, user: str = "U0ALICE") -> str:
    return slack.office.triggers.issue(user)


async def error_of(client: AsyncWebClient, method: str, args: JsonObject) -> str:
    with pytest.raises(SlackApiError) as refused:
        await client.api_call(method, json=args)
    return str(refused.value.response["error"])


async def test_a_modal_opens_in_front_of_the_person_of_the_trigger(
    slack: SlackSimulator, client: AsyncWebClient
) -> None:
    await client.views_open(trigger_id=trigger(slack), view=modal("hello"))

    await slack.people.alice.sees("hello", in_="modal")
    assert slack.people.bob.modal is None


async def test_a_trigger_is_good_once(slack: SlackSimulator, client: AsyncWebClient) -> None:
    once = trigger(slack)
    await client.views_open(trigger_id=once, view=modal("x"))

    assert (
        await error_of(client, "views.open", {"trigger_id": once, "view": modal("x")})
        == "exchanged_trigger_id"
    )


async def test_a_trigger_expires(impatient: SlackSimulator) -> None:
    late: JsonObject = {"trigger_id": trigger(impatient), "view": modal("x")}
    await asyncio.sleep(IMPATIENT.trigger_life + 0.01)

    assert await error_of(bare_client(impatient), "views.open", late) == "expired_trigger_id"


async def test_a_made_up_trigger_is_none(client: AsyncWebClient) -> None:
    assert (
        await error_of(client, "views.open", {"trigger_id": "1.2.3", "view": modal("x")})
        == "invalid_trigger_id"
    )


async def test_a_refused_view_does_not_use_up_its_trigger(
    slack: SlackSimulator, client: AsyncWebClient
) -> None:
    once = trigger(slack)
    bad = modal("x", title=plain("x" * 25))

    assert await error_of(client, "views.open", {"trigger_id": once, "view": bad}) == "invalid_arguments"
    assert (await client.views_open(trigger_id=once, view=modal("x")))["ok"]


async def test_a_view_of_more_than_250_kilobytes_is_too_large(
    slack: SlackSimulator, client: AsyncWebClient
) -> None:
    view = modal("x") | {"blocks": [section("x" * 2999) for _ in range(90)]}

    assert (
        await error_of(client, "views.open", {"trigger_id": trigger(slack), "view": view}) == "view_too_large"
    )


async def test_an_update_with_an_old_hash_conflicts(slack: SlackSimulator, client: AsyncWebClient) -> None:
    opened = (await client.views_open(trigger_id=trigger(slack), view=modal("one")))["view"]
    await client.views_update(view_id=opened["id"], hash=opened["hash"], view=modal("two"))

    late: JsonObject = {"view_id": opened["id"], "hash": opened["hash"], "view": modal("three")}
    assert await error_of(client, "views.update", late) == "hash_conflict"
    await slack.people.alice.sees("two", in_="modal")


async def test_an_update_of_a_closed_view_finds_nothing(client: AsyncWebClient) -> None:
    assert await error_of(client, "views.update", {"view_id": "V9", "view": modal("x")}) == "not_found"


async def test_an_external_id_finds_its_view(slack: SlackSimulator, client: AsyncWebClient) -> None:
    await client.views_open(trigger_id=trigger(slack), view=modal("one", external_id="mine"))
    await client.views_update(external_id="mine", view=modal("two", external_id="mine"))

    await slack.people.alice.sees("two", in_="modal")


async def test_three_modals_stand_on_each_other_and_no_fourth(
    slack: SlackSimulator, client: AsyncWebClient
) -> None:
    await client.views_open(trigger_id=trigger(slack), view=modal("1"))
    for text in ("2", "3"):
        await client.views_push(trigger_id=trigger(slack), view=modal(text))

    fourth: JsonObject = {"trigger_id": trigger(slack), "view": modal("4")}
    assert await error_of(client, "views.push", fourth) == "push_limit_reached"


async def test_what_was_filled_in_stays_where_the_ids_stay(
    slack: SlackSimulator, client: AsyncWebClient
) -> None:
    field: JsonObject = {
        "type": "input",
        "block_id": "name",
        "label": plain("Name"),
        "element": {"type": "plain_text_input", "action_id": "value"},
    }
    form = modal("x", submit=plain("Go")) | {"blocks": [field]}
    opened = (await client.views_open(trigger_id=trigger(slack), view=form))["view"]
    slack.people.alice.fills({"Name": "gpu-7"})

    answer = await client.views_update(view_id=opened["id"], view=form)

    assert answer["view"]["state"]["values"]["name"]["value"]["value"] == "gpu-7"


async def test_a_home_is_each_persons_own(slack: SlackSimulator, client: AsyncWebClient) -> None:
    await client.views_publish(user_id="U0ALICE", view=home("yours, Alice"))

    assert slack.people.alice.reads("home") == "yours, Alice"
    assert slack.people.bob.home is None


async def test_a_home_with_an_old_hash_conflicts(slack: SlackSimulator, client: AsyncWebClient) -> None:
    first = (await client.views_publish(user_id="U0ALICE", view=home("one")))["view"]
    await client.views_publish(user_id="U0ALICE", view=home("two"), hash=first["hash"])

    late: JsonObject = {"user_id": "U0ALICE", "view": home("three"), "hash": first["hash"]}
    assert await error_of(client, "views.publish", late) == "hash_conflict"


async def test_a_closed_home_tab_takes_no_home() -> None:
    async with SlackSimulator(manifest=Manifest(home_tab=False)) as slack:
        error = await error_of(bare_client(slack), "views.publish", {"user_id": "U0ALICE", "view": home("x")})

    assert error == "not_enabled"


async def test_a_modal_is_no_home(client: AsyncWebClient) -> None:
    args: JsonObject = {"user_id": "U0ALICE", "view": modal("x")}

    assert await error_of(client, "views.publish", args) == "invalid_arguments"
