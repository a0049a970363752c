"""Modals and App Homes: what is open in front of whom, with what has been filled in."""

from __future__ import annotations

from dataclasses import dataclass, field

from simulator.slack.jsontypes import Json, JsonObject, copy, object_at, objects_at, text_at

STATEFUL = {
    "plain_text_input": "value",
    "email_text_input": "value",
    "url_text_input": "value",
    "number_input": "value",
    "static_select": "selected_option",
    "radio_buttons": "selected_option",
    "users_select": "selected_user",
    "conversations_select": "selected_conversation",
    "channels_select": "selected_channel",
    "checkboxes": "selected_options",
    "multi_static_select": "selected_options",
    "multi_users_select": "selected_users",
    "datepicker": "selected_date",
    "timepicker": "selected_time",
    "datetimepicker": "selected_date_time",
}
INITIAL = {
    "value": "initial_value",
    "selected_option": "initial_option",
    "selected_user": "initial_user",
    "selected_conversation": "initial_conversation",
    "selected_channel": "initial_channel",
    "selected_options": "initial_options",
    "selected_users": "initial_users",
    "selected_date": "initial_date",
    "selected_time": "initial_time",
    "selected_date_time": "initial_date_time",
}


@dataclass
class View:
    """One view. `values` is block id → action id → element state, as `view.state.values`."""

    id: str
    user: str
    body: JsonObject
    hash: str
    root_id: str
    previous_id: str | None = None
    values: dict[str, dict[str, JsonObject]] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        return text_at(self.body, "type")

    @property
    def blocks(self) -> list[JsonObject]:
        return objects_at(self.body, "blocks")


def elements_of(block: JsonObject) -> list[JsonObject]:
    """The interactive elements that a block holds."""
    single = [object_at(block, key) for key in ("accessory", "element")]
    return [element for element in [*objects_at(block, "elements"), *single] if "action_id" in element]


def initial_values(blocks: list[JsonObject]) -> dict[str, dict[str, JsonObject]]:
    """The state of freshly shown blocks: every stateful element with its initial value or null."""
    values: dict[str, dict[str, JsonObject]] = {}
    for block in blocks:
        for element in elements_of(block):
            kind = text_at(element, "type")
            if kind not in STATEFUL:
                continue
            key = STATEFUL[kind]
            start: Json = element.get(INITIAL[key])
            if start is None and key.endswith("s"):
                start = []
            state = values.setdefault(text_at(block, "block_id"), {})
            state[text_at(element, "action_id")] = {"type": kind, key: start}
    return values


def kept_values(
    old: dict[str, dict[str, JsonObject]], blocks: list[JsonObject]
) -> dict[str, dict[str, JsonObject]]:
    """The state after an update: what has the same block id and action id keeps what was filled in."""
    fresh = initial_values(blocks)
    for block_id, states in fresh.items():
        for action_id, state in states.items():
            before = old.get(block_id, {}).get(action_id)
            if before is not None and before.get("type") == state.get("type"):
                states[action_id] = before
    return fresh


def state_json(values: dict[str, dict[str, JsonObject]]) -> JsonObject:
    return {
        "values": {
            block: {action: copy(state) for action, state in row.items()} for block, row in values.items()
        }
    }


def view_json(view: View, *, team_id: str, app_id: str, bot_id: str) -> JsonObject:
    """`view` as views.open answers and as payloads carry it."""
    body = view.body
    return {
        "id": view.id,
        "team_id": team_id,
        "type": view.kind,
        "blocks": body.get("blocks", []),
        "private_metadata": text_at(body, "private_metadata"),
        "callback_id": text_at(body, "callback_id"),
        "external_id": text_at(body, "external_id"),
        "state": state_json(view.values),
        "hash": view.hash,
        "title": body.get("title"),
        "submit": body.get("submit"),
        "close": body.get("close"),
        "clear_on_close": bool(body.get("clear_on_close", False)),
        "notify_on_close": bool(body.get("notify_on_close", False)),
        "submit_disabled": False,
        "previous_view_id": view.previous_id,
        "root_view_id": view.root_id,
        "app_id": app_id,
        "app_installed_team_id": team_id,
        "bot_id": bot_id,
    }
