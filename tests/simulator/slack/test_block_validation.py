"""Blocks that Slack refuses are refused, in Slack's words and with its pointer."""

import pytest
from slack_sdk.models.blocks import Block

from simulator.slack.blockkit.surfaces import message_problems
from simulator.slack.jsontypes import Json, JsonObject
from tests.simulator.slack.apps import button, plain, section


def option(label: str = "one", value: str = "1") -> JsonObject:
    return {"text": plain(label), "value": value}


def actions(*elements: Json) -> JsonObject:
    return {"type": "actions", "elements": list(elements)}


def select(n: int) -> JsonObject:
    return {
        "type": "static_select",
        "action_id": "pick",
        "placeholder": plain("Pick"),
        "options": [option(str(i), str(i)) for i in range(n)],
    }


def overflow(n: int) -> JsonObject:
    return {"type": "overflow", "action_id": "more", "options": [option(str(i), str(i)) for i in range(n)]}


CONFIRM: JsonObject = {
    "title": plain("Sure?"),
    "text": plain("Gone."),
    "confirm": plain("Yes"),
    "deny": plain("No"),
}
REFUSED: dict[str, tuple[JsonObject, str]] = {
    "section text of 3001": (
        section("x" * 3001),
        "must be less than 3001 characters [json-pointer:/blocks/0/text/text]",
    ),
    "section text empty": (section(""), "must be more than 0 characters [json-pointer:/blocks/0/text/text]"),
    "section without text": ({"type": "section"}, "missing required field: text [json-pointer:/blocks/0]"),
    "section text a string": (
        {"type": "section", "text": "x"},
        "must provide an object [json-pointer:/blocks/0/text]",
    ),
    "fields 11": (
        {"type": "section", "fields": [plain("x") for _ in range(11)]},
        "no more than 10 items allowed [json-pointer:/blocks/0/fields]",
    ),
    "field of 2001": (
        {"type": "section", "fields": [plain("x" * 2001)]},
        "must be less than 2001 characters [json-pointer:/blocks/0/fields/0/text]",
    ),
    "header of 151": (
        {"type": "header", "text": plain("x" * 151)},
        "must be less than 151 characters [json-pointer:/blocks/0/text/text]",
    ),
    "header with mrkdwn": (
        {"type": "header", "text": {"type": "mrkdwn", "text": "x"}},
        "must be a valid enum value [json-pointer:/blocks/0/text/type]",
    ),
    "context 11": (
        {"type": "context", "elements": [plain("x") for _ in range(11)]},
        "no more than 10 items allowed [json-pointer:/blocks/0/elements]",
    ),
    "actions 26": (
        actions(*[button("x", f"a{i}") for i in range(26)]),
        "no more than 25 items allowed [json-pointer:/blocks/0/elements]",
    ),
    "actions empty": (actions(), "must provide at least 1 items [json-pointer:/blocks/0/elements]"),
    "button text of 76": (
        actions(button("x" * 76, "a")),
        "must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]",
    ),
    "button value of 2001": (
        actions(button("x", "a", value="x" * 2001)),
        "must be less than 2001 characters [json-pointer:/blocks/0/elements/0/value]",
    ),
    "button action_id of 256": (
        actions(button("x", "a" * 256)),
        "must be less than 256 characters [json-pointer:/blocks/0/elements/0/action_id]",
    ),
    "button style": (
        actions(button("x", "a", style="warning")),
        "must be a valid enum value [json-pointer:/blocks/0/elements/0/style]",
    ),
    "button with an unknown key": (
        actions(button("x", "a", disabled=True)),
        "invalid additional property: disabled [json-pointer:/blocks/0/elements/0]",
    ),
    "button without text": (
        actions({"type": "button", "action_id": "a"}),
        "missing required field: text [json-pointer:/blocks/0/elements/0]",
    ),
    "confirmation text of 301": (
        actions(button("x", "a", confirm=CONFIRM | {"text": plain("x" * 301)})),
        "must be less than 301 characters [json-pointer:/blocks/0/elements/0/confirm/text/text]",
    ),
    "confirmation without deny": (
        actions(button("x", "a", confirm={k: v for k, v in CONFIRM.items() if k != "deny"})),
        "missing required field: deny [json-pointer:/blocks/0/elements/0/confirm]",
    ),
    "the same action_id twice": (
        actions(button("x", "a"), button("y", "a")),
        '`action_id` "a" already exists [json-pointer:/blocks/0/elements/1/action_id]',
    ),
    "select with 101 options": (
        actions(select(101)),
        "no more than 100 items allowed [json-pointer:/blocks/0/elements/0/options]",
    ),
    "select without options": (
        actions(select(0)),
        "must provide at least 1 items [json-pointer:/blocks/0/elements/0/options]",
    ),
    "option value of 151": (
        actions(select(1) | {"options": [option(value="x" * 151)]}),
        "must be less than 151 characters [json-pointer:/blocks/0/elements/0/options/0/value]",
    ),
    "option text of 76": (
        actions(select(1) | {"options": [option(label="x" * 76)]}),
        "must be less than 76 characters [json-pointer:/blocks/0/elements/0/options/0/text/text]",
    ),
    "an initial option that is none": (
        actions(select(1) | {"initial_option": option("two", "2")}),
        "must match one of the options [json-pointer:/blocks/0/elements/0/initial_option]",
    ),
    "overflow with 6 options": (
        {**section("x"), "accessory": overflow(6)},
        "no more than 5 items allowed [json-pointer:/blocks/0/accessory/options]",
    ),
    "an unknown block": ({"type": "sectoin"}, "unsupported type: sectoin [json-pointer:/blocks/0/type]"),
    "a block without type": ({"text": plain("x")}, "missing required field: type [json-pointer:/blocks/0]"),
    "an unknown key": (
        {"type": "divider", "typo": 1},
        "invalid additional property: typo [json-pointer:/blocks/0]",
    ),
    "an unknown element": (
        actions({"type": "slider"}),
        "unsupported type: slider [json-pointer:/blocks/0/elements/0/type]",
    ),
    "a text input among actions": (
        actions({"type": "plain_text_input", "action_id": "a"}),
        "unsupported type: plain_text_input [json-pointer:/blocks/0/elements/0/type]",
    ),
    "block_id of 256": (
        {"type": "divider", "block_id": "b" * 256},
        "must be less than 256 characters [json-pointer:/blocks/0/block_id]",
    ),
    "image without alt_text": (
        {"type": "image", "image_url": "https://example.com/a.png"},
        "missing required field: alt_text [json-pointer:/blocks/0]",
    ),
    "markdown of 12001": (
        {"type": "markdown", "text": "x" * 12001},
        "must be less than 12001 characters [json-pointer:/blocks/0/text]",
    ),
}
TAKEN: dict[str, JsonObject] = {
    "section text of 3000": section("x" * 3000),
    "fields 10 of 2000": {"type": "section", "fields": [plain("x" * 2000) for _ in range(10)]},
    "header of 150": {"type": "header", "text": plain("x" * 150)},
    "actions 25": actions(*[button("x" * 75, f"a{i}", value="v" * 2000) for i in range(25)]),
    "select with 100 options": actions(select(100)),
    "overflow with 5 options": {**section("x"), "accessory": overflow(5)},
    "button with confirmation": actions(button("x", "a", confirm=CONFIRM, style="danger")),
    "context with image": {
        "type": "context",
        "elements": [
            plain("x"),
            {"type": "image", "image_url": "https://example.com/a.png", "alt_text": "a"},
        ],
    },
    "divider": {"type": "divider"},
    "table": {"type": "table", "rows": [[{"type": "raw_text", "text": "a"}] * 20] * 100},
}


DIVIDER: JsonObject = {"type": "divider"}


def sentences(*blocks: Json) -> list[str]:
    return [str(problem) for problem in message_problems(list(blocks))]


@pytest.mark.parametrize("case", REFUSED)
def test_what_slack_refuses_is_refused_in_its_words(case: str) -> None:
    block, sentence = REFUSED[case]

    assert sentence in sentences(block)


@pytest.mark.parametrize("case", TAKEN)
def test_what_reaches_a_limit_is_taken(case: str) -> None:
    assert sentences(TAKEN[case]) == []


@pytest.mark.parametrize("case", TAKEN)
def test_what_is_taken_here_is_taken_by_slacks_sdk(case: str) -> None:
    block = Block.parse(TAKEN[case])
    assert block is not None
    block.validate_json()


def test_an_overlong_text_fails_the_schema_and_its_text_as_slack_tells_it() -> None:
    assert sentences(section("x" * 3001)) == [
        "failed to match all allowed schemas [json-pointer:/blocks/0/text]",
        "must be less than 3001 characters [json-pointer:/blocks/0/text/text]",
    ]


def test_a_message_takes_fifty_blocks_and_no_more() -> None:
    assert sentences(*[DIVIDER] * 50) == []
    assert sentences(*[DIVIDER] * 51) == ["no more than 50 items allowed [json-pointer:/blocks]"]


def test_a_block_id_is_there_once() -> None:
    twice: list[JsonObject] = [{"type": "divider", "block_id": "b"}, {"type": "divider", "block_id": "b"}]

    assert sentences(*twice) == ['`block_id` "b" already exists [json-pointer:/blocks/1/block_id]']


def test_the_same_action_id_in_two_blocks_is_taken() -> None:
    assert sentences(actions(button("x", "a")), actions(button("y", "a"))) == []


def test_a_message_holds_one_table() -> None:
    assert sentences(TAKEN["table"], TAKEN["table"]) == ["only one table allowed [json-pointer:/blocks]"]
