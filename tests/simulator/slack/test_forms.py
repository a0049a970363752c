"""Modals as people fill them in, and each answer that an app can give to a submission."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from slack_bolt.async_app import AsyncAck, AsyncApp

from simulator.slack import SlackSimulator
from simulator.slack.jsontypes import Json, JsonObject, object_at
from tests.simulator.slack.apps import bare_client, over_socket, plain, section

NAME: JsonObject = {
    "type": "input",
    "block_id": "name",
    "label": plain("Name"),
    "element": {"type": "plain_text_input", "action_id": "value", "min_length": 2, "max_length": 5},
}
GPU: JsonObject = {
    "type": "input",
    "block_id": "gpu",
    "label": plain("GPU"),
    "optional": True,
    "element": {
        "type": "static_select",
        "action_id": "value",
        "options": [{"text": plain("H100"), "value": "h1"}, {"text": plain("A100"), "value": "a1"}],
    },
}
FORM: JsonObject = {
    "type": "modal",
    "callback_id": "form",
    "private_metadata": "row-7",
    "title": plain("Order"),
    "submit": plain("Rent"),
    "blocks": [NAME, GPU],
    "notify_on_close": True,
}


def second(text: str, **more: Json) -> JsonObject:
    return {"type": "modal", "title": plain("Next"), "blocks": [section(text)], **more}


ANSWERS: dict[str, dict[str, object]] = {
    "close": {},
    "error": {"response_action": "errors", "errors": {"name": "taken"}},
    "wrong": {"response_action": "errors", "errors": {"colour": "no such field"}},
    "swap": {"response_action": "update", "view": second("swapped")},
    "stack": {"response_action": "push", "view": second("on top")},
    "clear": {"response_action": "clear"},
    "text": {"text": "hello"},
    "huge": {"response_action": "update", "view": second("x" * 3001)},
}


def listeners(app: AsyncApp) -> None:
    @app.view("form")
    async def form(ack: AsyncAck, view: dict[str, dict[str, dict[str, dict[str, dict[str, str]]]]]) -> None:
        answer: Callable[..., Awaitable[object]] = ack
        await answer(**ANSWERS[view["state"]["values"]["name"]["value"]["value"]])

    @app.view_closed("form")
    async def closed(ack: AsyncAck) -> None:
        await ack()


@pytest.fixture
async def opened(slack: SlackSimulator) -> AsyncIterator[SlackSimulator]:
    async with over_socket(slack, listeners):
        await bare_client(slack).views_open(trigger_id=slack.office.triggers.issue("U0ALICE"), view=FORM)
        yield slack


async def test_a_submission_carries_everything_that_was_filled_in(opened: SlackSimulator) -> None:
    await opened.people.alice.fills({"Name": "close", "GPU": "A100"}).submits()

    view = object_at(opened.log.deliveries_of("view_submission")[0].payload, "view")
    values = object_at(object_at(view, "state"), "values")
    assert object_at(object_at(values, "name"), "value")["value"] == "close"
    assert object_at(object_at(object_at(values, "gpu"), "value"), "selected_option")["value"] == "a1"
    assert view["private_metadata"] == "row-7"


async def test_an_optional_field_left_empty_is_null(opened: SlackSimulator) -> None:
    await opened.people.alice.fills({"name": "close"}).submits()

    view = object_at(opened.log.deliveries_of("view_submission")[0].payload, "view")
    gpu = object_at(object_at(object_at(view, "state"), "values"), "gpu")
    assert object_at(gpu, "value")["selected_option"] is None


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("", "Please complete this required field."),
        ("x", "Must be at least 2 characters"),
        ("xxxxxx", "Must be less than 6 characters"),
    ],
)
async def test_slacks_own_client_refuses_before_anything_is_sent(
    opened: SlackSimulator, name: str, complaint: str
) -> None:
    outcome = await opened.people.alice.fills({"Name": name}).submits()

    assert outcome.error == "incomplete"
    assert complaint in opened.people.alice.reads("modal")
    assert opened.log.deliveries == []


async def test_a_field_that_is_not_there_cannot_be_filled(opened: SlackSimulator) -> None:
    with pytest.raises(LookupError, match="Name, GPU"):
        opened.people.alice.fills({"Colour": "red"})


@pytest.mark.parametrize(
    ("answer", "then"),
    [("close", ""), ("clear", ""), ("error", "⚠ taken"), ("swap", "swapped"), ("stack", "on top")],
)
async def test_the_acknowledgement_decides_what_stands_there_then(
    opened: SlackSimulator, answer: str, then: str
) -> None:
    outcome = await opened.people.alice.fills({"Name": answer}).submits()

    assert outcome.acknowledged
    assert then in opened.people.alice.reads("modal")
    assert bool(then) == (opened.people.alice.modal is not None)


@pytest.mark.parametrize("answer", ["text", "wrong", "huge"])
async def test_an_invalid_acknowledgement_is_a_warning_and_the_form_stays(
    opened: SlackSimulator, answer: str
) -> None:
    outcome = await opened.people.alice.fills({"Name": answer}).submits()

    assert outcome.error == "invalid_response"
    assert opened.people.alice.modal is not None
    assert [each.error for each in opened.people.alice.warnings] == ["invalid_response"]


async def test_closing_is_told_if_the_view_wants_it(opened: SlackSimulator) -> None:
    await opened.people.alice.dismisses()

    assert opened.people.alice.modal is None
    assert len(opened.log.deliveries_of("view_closed")) == 1


async def test_closing_what_was_pushed_shows_what_was_under_it(opened: SlackSimulator) -> None:
    await opened.people.alice.fills({"Name": "stack"}).submits()

    await opened.people.alice.dismisses()

    await opened.people.alice.sees("Name", in_="modal")
    assert opened.log.deliveries_of("view_closed") == []
