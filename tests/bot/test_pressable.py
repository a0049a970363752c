"""The table of what can be pressed is whole, and holds what is shown to it."""

from datetime import UTC, datetime
from typing import Any

import pytest

from bot.tables import TABLES
from simulator.slack.log import ApiCall
from tests.bot.pressable import BUTTONS, SELECTS, faults_of

KEEP = {
    "type": "static_select",
    "action_id": "card_keep",
    "options": [{"value": value} for value in ("3d", "1w", "other")],
}


def shown(element: dict[str, Any], **block: str) -> list[ApiCall]:
    blocks: Any = [{"type": "actions", "elements": [element], **block}]
    return [ApiCall("chat.postMessage", {"blocks": blocks}, datetime(2026, 3, 2, tzinfo=UTC))]


def button(label: str, action_id: str, value: str) -> dict[str, Any]:
    return {"type": "button", "text": {"text": label}, "action_id": action_id, "value": value}


def test_everything_that_can_be_pressed_does_something_and_nothing_else_does() -> None:
    assert {*BUTTONS, *SELECTS} == set(TABLES.clicks)


@pytest.mark.parametrize(
    ("element", "block"),
    [
        (button("Kill", "pod_terminate", "abc"), {}),
        (button("Terminate", "pod_end", "abc"), {}),
        (button("Terminate", "pod_terminate", "confirm abc"), {}),
        (button("Terminate", "pod_terminate", ""), {}),
        (KEEP, {}),
        ({**KEEP, "options": [{"value": "9d"}]}, {"block_id": "abc"}),
        ({**KEEP, "initial_option": {"value": "3d"}}, {"block_id": "abc"}),
    ],
)
def test_what_is_not_of_the_table_is_a_fault(element: dict[str, Any], block: dict[str, str]) -> None:
    assert faults_of(shown(element, **block))


def test_what_is_of_the_table_is_none() -> None:
    assert faults_of(shown(button("End now", "card_terminate", "abc"))) == []
    assert faults_of(shown(KEEP, block_id="abc")) == []
