"""Block Kit as plain text: buttons as `[Terminate]`, selects as `[Keep for… ▾]`, menus as `[⋯]`."""

from __future__ import annotations

from simulator.slack.jsontypes import Json, JsonObject, object_at, objects, objects_at, text_at
from simulator.slack.render.mrkdwn import Reader
from simulator.slack.viewstate import STATEFUL, View

Values = dict[str, dict[str, JsonObject]]


def block_lines(blocks: list[JsonObject], reader: Reader, values: Values | None = None) -> list[str]:
    return [line for block in blocks for line in _block(block, reader, values or {})]


def view_lines(view: View, reader: Reader) -> list[str]:
    """A modal or Home: title, content, errors under their fields, and the buttons at its foot."""
    title = text_at(object_at(view.body, "title"), "text")
    lines = [f"╔ {title}"] if title else []
    for block in view.blocks:
        lines += _block(block, reader, view.values)
        error = view.errors.get(text_at(block, "block_id"))
        if error:
            lines.append(f"  ⚠ {error}")
    foot = [text_at(object_at(view.body, key), "text") for key in ("submit", "close")]
    shown = "  ".join(f"[{label}]" for label in foot if label)
    return [*lines, shown] if shown else lines


def _block(block: JsonObject, reader: Reader, values: Values) -> list[str]:
    state = values.get(text_at(block, "block_id"), {})
    match text_at(block, "type"):
        case "section":
            return _section(block, reader, state)
        case "header":
            return [_text(block.get("text"), reader)]
        case "markdown":
            return text_at(block, "text").splitlines()
        case "divider":
            return ["────"]
        case "context":
            return ["  ".join(_element(each, reader, state) for each in objects_at(block, "elements"))]
        case "actions":
            return ["  ".join(_element(each, reader, state) for each in objects_at(block, "elements"))]
        case "input":
            return [_input(block, reader, state)]
        case "image":
            return [f"(image: {text_at(block, 'alt_text')})"]
        case "rich_text":
            return _rich_text(block, reader).splitlines()
        case "table":
            rows = block.get("rows")
            return [_row(row, reader) for row in rows] if isinstance(rows, list) else []
        case _:
            return []


def _section(block: JsonObject, reader: Reader, state: dict[str, JsonObject]) -> list[str]:
    lines = _text(block.get("text"), reader).splitlines() if "text" in block else []
    for field in objects_at(block, "fields"):
        lines += _text(field, reader).splitlines()
    accessory = object_at(block, "accessory")
    return [*lines, _element(accessory, reader, state)] if accessory else lines


def _input(block: JsonObject, reader: Reader, state: dict[str, JsonObject]) -> str:
    element = object_at(block, "element")
    label = _text(block.get("label"), reader)
    optional = " (optional)" if block.get("optional") else ""
    chosen = _chosen(element, state)
    if chosen is not None:
        return f"{label}{optional}: {{{chosen}}}"
    if text_at(element, "type") in {"radio_buttons", "checkboxes"}:
        return f"{label}{optional}: {_element(element, reader, state)}"
    hint = text_at(object_at(element, "placeholder"), "text")
    return f"{label}{optional}: {{{hint or ' '}}}"


def _element(element: JsonObject, reader: Reader, state: dict[str, JsonObject]) -> str:
    kind = text_at(element, "type")
    match kind:
        case "button":
            return f"[{_text(element.get('text'), reader)}]"
        case "overflow":
            return "[⋯]"
        case "image":
            return f"(image: {text_at(element, 'alt_text')})"
        case "mrkdwn" | "plain_text":
            return _text(element, reader)
        case "radio_buttons" | "checkboxes":
            labels = [text_at(object_at(option, "text"), "text") for option in objects_at(element, "options")]
            chosen = _chosen(element, state) or ""
            return "  ".join(f"({'x' if label in chosen.split(', ') else ' '}) {label}" for label in labels)
        case _ if kind in STATEFUL:
            hint = text_at(object_at(element, "placeholder"), "text") or kind.replace("_", " ")
            return f"[{_chosen(element, state) or hint} ▾]"
        case _:
            return ""


def _chosen(element: JsonObject, state: dict[str, JsonObject]) -> str | None:
    """What is filled in or chosen in an element, as text."""
    kind = text_at(element, "type")
    found = state.get(text_at(element, "action_id"), {}).get(STATEFUL.get(kind, ""))
    if isinstance(found, list):
        return ", ".join(_label(each) for each in found) or None
    return _label(found) or None


def _label(value: Json) -> str:
    if isinstance(value, dict):
        return text_at(object_at(value, "text"), "text")
    return "" if value is None else str(value)


def _text(value: Json, reader: Reader) -> str:
    if not isinstance(value, dict):
        return ""
    text = text_at(value, "text")
    return reader.plain(text) if value.get("type") == "mrkdwn" else text


def _rich_text(value: JsonObject, reader: Reader) -> str:
    kind = text_at(value, "type")
    inner = "".join(_rich_text(each, reader) for each in objects_at(value, "elements"))
    match kind:
        case "text" | "link":
            return text_at(value, "text") or text_at(value, "url")
        case "user":
            return reader.plain(f"<@{text_at(value, 'user_id')}>")
        case "channel":
            return reader.plain(f"<#{text_at(value, 'channel_id')}>")
        case "emoji":
            return f":{text_at(value, 'name')}:"
        case "rich_text_list":
            items = [_rich_text(each, reader).strip("\n") for each in objects_at(value, "elements")]
            return "".join(f"• {item}\n" for item in items)
        case "rich_text_section" | "rich_text_preformatted" | "rich_text_quote":
            return inner + "\n"
        case _:
            return inner


def _row(row: Json, reader: Reader) -> str:
    cells = [
        text_at(cell, "text") if cell.get("type") == "raw_text" else _rich_text(cell, reader).strip()
        for cell in objects(row)
    ]
    return " | ".join(cells)
