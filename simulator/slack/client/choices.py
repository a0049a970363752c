"""From what a person chooses to what Slack sends and keeps."""

from __future__ import annotations

from collections.abc import Sequence

from simulator.slack.client.eyes import Eyes, Found, options_of
from simulator.slack.jsontypes import Json, JsonObject, object_at, text_at
from simulator.slack.viewstate import STATEFUL, View
from simulator.slack.workspace import SlackWorkspace

Entry = str | Sequence[str] | None
_KEPT = ("text", "value", "url", "style", "confirm", "placeholder", "accessibility_label")


def button_action(found: Found) -> JsonObject:
    """The action of a pressed button."""
    return _base(found)


def choice_action(workspace: SlackWorkspace, found: Found, chosen: Entry) -> JsonObject:
    """The action of a choice. Raises `LookupError` if it is not among the options."""
    kind = text_at(found.element, "type")
    key = "selected_option" if kind == "overflow" else STATEFUL[kind]
    return _base(found) | {key: entered(workspace, found.element, chosen)}


def entered(workspace: SlackWorkspace, element: JsonObject, chosen: Entry) -> Json:
    """What an element holds once this was entered. Raises `LookupError` if it cannot be."""
    kind = text_at(element, "type")
    if chosen is None or chosen == "":
        return [] if STATEFUL.get(kind, "").endswith("s") else None
    if isinstance(chosen, str):
        return _one(workspace, element, kind, chosen)
    return [_one(workspace, element, kind, each) for each in chosen]


def _one(workspace: SlackWorkspace, element: JsonObject, kind: str, chosen: str) -> Json:
    match kind:
        case "static_select" | "radio_buttons" | "overflow":
            return _option(element, chosen)
        case "checkboxes" | "multi_static_select":
            return _option(element, chosen)
        case "users_select" | "multi_users_select":
            user = workspace.user(chosen.removeprefix("@"))
            if user is None:
                raise LookupError(f"there is nobody called {chosen!r}")
            return user.id
        case "channels_select" | "conversations_select":
            channel = workspace.channel(chosen)
            if channel is None:
                raise LookupError(f"there is no channel {chosen!r}")
            return channel.id
        case "datetimepicker":
            return int(chosen)
        case _:
            return chosen


def _option(element: JsonObject, chosen: str) -> JsonObject:
    options = options_of(element)
    for option in options:
        if chosen in {text_at(object_at(option, "text"), "text"), text_at(option, "value")}:
            return option
    labels = ", ".join(text_at(object_at(option, "text"), "text") for option in options)
    raise LookupError(f"there is no option {chosen!r}; there are: {labels}")


def _base(found: Found) -> JsonObject:
    element = found.element
    base: JsonObject = {
        "type": element["type"],
        "action_id": text_at(element, "action_id"),
        "block_id": text_at(found.block, "block_id"),
    }
    return base | {key: element[key] for key in _KEPT if key in element}


def keep(eyes: Eyes, found: Found, chosen: Entry) -> None:
    """What was entered stays where it was entered, as Slack's client shows it."""
    kind = text_at(found.element, "type")
    if kind not in STATEFUL:
        return
    workspace, surface = eyes.workspace, found.surface
    state: JsonObject = {"type": kind, STATEFUL[kind]: entered(workspace, found.element, chosen)}
    values = (
        surface.values
        if isinstance(surface, View)
        else workspace.choices.setdefault((surface.channel, surface.ts, eyes.user_id), {})
    )
    values.setdefault(text_at(found.block, "block_id"), {})[text_at(found.element, "action_id")] = state
    workspace.changes.happened()


def incomplete(block: JsonObject, state: JsonObject) -> str | None:
    """What Slack's client says under a field before it sends anything; None if it is filled in."""
    element = object_at(block, "element")
    value = next((item for key, item in state.items() if key != "type"), None)
    if value in (None, "", []):
        return None if block.get("optional") is True else "Please complete this required field."
    if isinstance(value, str) and element.get("type") == "plain_text_input":
        return _length(element, value)
    if isinstance(value, str) and element.get("type") == "number_input":
        return _number(element, value)
    return None


def _length(element: JsonObject, value: str) -> str | None:
    least, most = element.get("min_length", 0), element.get("max_length", 3000)
    if isinstance(least, int) and len(value) < least:
        return f"Must be at least {least} characters"
    if isinstance(most, int) and len(value) > most:
        return f"Must be less than {most + 1} characters"
    return None


def _number(element: JsonObject, value: str) -> str | None:
    try:
        number = float(value)
    except ValueError:
        return "Enter a number"
    if element.get("is_decimal_allowed") is False and not number.is_integer():
        return "Enter a whole number"
    least, most = text_at(element, "min_value"), text_at(element, "max_value")
    if least and number < float(least):
        return f"Enter a number of at least {least}"
    return f"Enter a number of at most {most}" if most and number > float(most) else None


def goes_on(element: JsonObject, name: str, confirm: bool | None) -> bool:
    """Whether the act goes on after the confirmation. Raises `AssertionError` if it was not reckoned with."""
    dialog = object_at(element, "confirm")
    if not dialog:
        if confirm is not None:
            raise AssertionError(f"{name!r} does not ask for a confirmation")
        return True
    question = text_at(object_at(dialog, "text"), "text")
    if confirm is None:
        raise AssertionError(f"{name!r} asks {question!r}: say confirm=True or confirm=False")
    return confirm


def state_of(view: View, block: JsonObject) -> JsonObject:
    element = object_at(block, "element")
    return view.values.get(text_at(block, "block_id"), {}).get(text_at(element, "action_id"), {})


def field_names(block: JsonObject) -> set[str]:
    if block.get("type") != "input":
        return set()
    return {text_at(block, "block_id"), text_at(object_at(block, "label"), "text")}
