"""Views that Slack refuses are refused with `invalid_arguments`, its sentences and its pointers."""

import pytest

from simulator.slack.blockkit.surfaces import view_problems
from simulator.slack.jsontypes import Json, JsonObject
from tests.simulator.slack.apps import plain, section

INPUT: JsonObject = {
    "type": "input",
    "label": plain("Name"),
    "element": {"type": "plain_text_input", "action_id": "value"},
}


DIVIDER: JsonObject = {"type": "divider"}


def modal(**fields: Json) -> JsonObject:
    return {"type": "modal", "title": plain("Order"), "blocks": [section("x")], **fields}


REFUSED: dict[str, tuple[Json, str]] = {
    "title of 25": (
        modal(title=plain("x" * 25)),
        "must be less than 25 characters [json-pointer:/view/title/text]",
    ),
    "submit of 25": (
        modal(submit=plain("x" * 25)),
        "must be less than 25 characters [json-pointer:/view/submit/text]",
    ),
    "private_metadata of 3001": (
        modal(private_metadata="x" * 3001),
        "must be less than 3001 characters [json-pointer:/view/private_metadata]",
    ),
    "callback_id of 256": (
        modal(callback_id="x" * 256),
        "must be less than 256 characters [json-pointer:/view/callback_id]",
    ),
    "101 blocks": (
        modal(blocks=[DIVIDER for _ in range(101)]),
        "no more than 100 items allowed [json-pointer:/view/blocks]",
    ),
    "an input without submit": (
        modal(blocks=[INPUT]),
        "must define `submit` to use an `input` block in modals [json-pointer:/view/blocks/0/input]",
    ),
    "a markdown block": (
        modal(blocks=[{"type": "markdown", "text": "x"}]),
        "unsupported type: markdown [json-pointer:/view/blocks/0/type]",
    ),
    "an unknown key": (modal(colour="red"), "invalid additional property: colour [json-pointer:/view]"),
    "an unknown type": ({"type": "popup", "blocks": []}, "unsupported type: popup [json-pointer:/view/type]"),
    "a modal without title": (
        {"type": "modal", "blocks": []},
        "missing required field: title [json-pointer:/view]",
    ),
    "a home with a title": (
        {"type": "home", "blocks": [], "title": plain("x")},
        "invalid additional property: title [json-pointer:/view]",
    ),
    "no object": (7, "must provide an object [json-pointer:/view]"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_slack_refuses_is_refused_in_its_words(case: str) -> None:
    view, sentence = REFUSED[case]

    assert sentence in [str(problem) for problem in view_problems(view)]


@pytest.mark.parametrize(
    "view",
    [
        modal(title=plain("x" * 24), private_metadata="x" * 3000, blocks=[DIVIDER for _ in range(100)]),
        modal(submit=plain("Go"), close=plain("No"), notify_on_close=True, blocks=[INPUT]),
        {"type": "home", "blocks": [DIVIDER for _ in range(100)]},
    ],
)
def test_what_reaches_a_limit_is_taken(view: JsonObject) -> None:
    assert view_problems(view) == []
