"""What holds for a whole message or view beyond each block by itself, and the ids that Slack fills in."""

from __future__ import annotations

from collections.abc import Callable

from simulator.slack.blockkit.blocks import MESSAGE_BLOCKS, VIEW
from simulator.slack.blockkit.check import check
from simulator.slack.blockkit.rules import Problem
from simulator.slack.jsontypes import Json, JsonObject, object_at, objects, objects_at, text_at
from simulator.slack.limits import LIMITS


def message_problems(blocks: Json) -> list[Problem]:
    """What Slack says of a message's blocks; nothing if it takes them."""
    problems = check(blocks, MESSAGE_BLOCKS, "/blocks")
    found = objects(blocks)
    problems += _across(found, "/blocks")
    markdown = sum(len(text_at(block, "text")) for block in found if block.get("type") == "markdown")
    if markdown > LIMITS["markdown.total_text.max_length"]:
        problems.append(Problem("markdown text exceeds the limit of 12000 characters", "/blocks"))
    if sum(block.get("type") == "table" for block in found) > 1:
        problems.append(Problem("only one table allowed", "/blocks"))
    return problems


def view_problems(view: Json) -> list[Problem]:
    """What Slack says of a view; nothing if it takes it."""
    problems = check(view, VIEW, "/view")
    if not isinstance(view, dict):
        return problems
    if problems and problems[0].pointer == "/view":
        problems = [Problem("failed to match all allowed schemas", "/view"), *problems]
    blocks = objects_at(view, "blocks")
    problems += _across(blocks, "/view/blocks")
    if view.get("type") == "modal" and "submit" not in view:
        problems += [
            Problem("must define `submit` to use an `input` block in modals", f"/view/blocks/{n}/input")
            for n, block in enumerate(blocks)
            if block.get("type") == "input"
        ]
    return problems


def _across(blocks: list[JsonObject], at: str) -> list[Problem]:
    problems: list[Problem] = []
    seen: set[str] = set()
    for n, block in enumerate(blocks):
        block_id = text_at(block, "block_id")
        if block_id and block_id in seen:
            problems.append(Problem(f'`block_id` "{block_id}" already exists', f"{at}/{n}/block_id"))
        seen.add(block_id)
        problems += _in_block(block, f"{at}/{n}")
    return problems


def _in_block(block: JsonObject, at: str) -> list[Problem]:
    problems: list[Problem] = []
    seen: set[str] = set()
    for where, element in _placed_elements(block, at):
        action_id = text_at(element, "action_id")
        if action_id and action_id in seen:
            problems.append(Problem(f'`action_id` "{action_id}" already exists', f"{where}/action_id"))
        seen.add(action_id)
        problems += _choices(element, where)
    match block.get("type"):
        case "section" if "text" not in block and "fields" not in block:
            problems.append(Problem("missing required field: text", at))
        case "image" if "image_url" not in block and "slack_file" not in block:
            problems.append(Problem("missing required field: image_url", at))
    return problems


def _choices(element: JsonObject, at: str) -> list[Problem]:
    kind = text_at(element, "type")
    if kind == "image" and "image_url" not in element and "slack_file" not in element:
        return [Problem("missing required field: image_url", at)]
    if kind not in {"static_select", "multi_static_select", "radio_buttons", "checkboxes"}:
        return []
    if "options" not in element and "option_groups" not in element:
        return [Problem("missing required field: options", at)] if kind.endswith("static_select") else []
    if "options" in element and "option_groups" in element:
        return [Problem("only one of options and option_groups allowed", at)]
    options = [*objects_at(element, "options")]
    for group in objects_at(element, "option_groups"):
        options += objects_at(group, "options")
    wanted = (
        [element["initial_option"]] if "initial_option" in element else element.get("initial_options", [])
    )
    return [
        Problem("must match one of the options", f"{at}/initial_option")
        for option in (wanted if isinstance(wanted, list) else [])
        if option not in options
    ]


def _placed_elements(block: JsonObject, at: str) -> list[tuple[str, JsonObject]]:
    placed = [(f"{at}/elements/{n}", element) for n, element in enumerate(objects_at(block, "elements"))]
    for key in ("accessory", "element"):
        if isinstance(block.get(key), dict):
            placed.append((f"{at}/{key}", object_at(block, key)))
    return placed


_STATIC = {"image", "mrkdwn", "plain_text"}


def with_ids(blocks: list[JsonObject], new_id: Callable[[], str]) -> list[JsonObject]:
    """Gives every block and interactive element that has no id one, as Slack does."""
    for block in blocks:
        if not block.get("block_id"):
            block["block_id"] = new_id()
        if block.get("type") in {"actions", "section", "input"}:
            for _, element in _placed_elements(block, ""):
                if element.get("type") not in _STATIC and not element.get("action_id"):
                    element["action_id"] = new_id()
    return blocks


def text_length(value: Json) -> int:
    """Characters of all texts inside blocks together."""
    if isinstance(value, list):
        return sum(text_length(item) for item in value)
    if isinstance(value, dict):
        own = value.get("text")
        inner = sum(text_length(item) for item in value.values() if isinstance(item, dict | list))
        return inner + (len(own) if isinstance(own, str) else 0)
    return 0
