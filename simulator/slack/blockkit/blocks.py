"""The blocks, and which elements each may hold (docs.slack.dev/reference/block-kit/blocks)."""

from __future__ import annotations

from collections.abc import Mapping

from simulator.slack.blockkit.elements import (
    BUTTON,
    CHECKBOXES,
    DATETIMEPICKER,
    IMAGE,
    INPUTS,
    MULTI_SELECTS,
    OVERFLOW,
    PICKERS,
    RADIO_BUTTONS,
    SELECTS,
)
from simulator.slack.blockkit.rules import ByType, Fields, Flag, Free, Items, Rule, Str, Text
from simulator.slack.limits import LIMITS

ACCESSORIES = ByType(
    {
        "button": BUTTON,
        "image": IMAGE,
        "overflow": OVERFLOW,
        "checkboxes": CHECKBOXES,
        "radio_buttons": RADIO_BUTTONS,
        **PICKERS,
        **SELECTS,
        **MULTI_SELECTS,
    }
)
ACTIONS = ByType(
    {
        "button": BUTTON,
        "overflow": OVERFLOW,
        "checkboxes": CHECKBOXES,
        "radio_buttons": RADIO_BUTTONS,
        "datetimepicker": DATETIMEPICKER,
        **PICKERS,
        **SELECTS,
    }
)
INPUT_ELEMENTS = ByType(
    {
        "checkboxes": CHECKBOXES,
        "radio_buttons": RADIO_BUTTONS,
        "datetimepicker": DATETIMEPICKER,
        **PICKERS,
        **SELECTS,
        **MULTI_SELECTS,
        **INPUTS,
    }
)
_CONTEXT_TEXT = Fields(
    {"type": Str(), "text": Str(LIMITS["text.max_length"], 1), "emoji": Flag(), "verbatim": Flag()},
    required=("text",),
)
CONTEXT_ELEMENTS = ByType({"image": IMAGE, "mrkdwn": _CONTEXT_TEXT, "plain_text": _CONTEXT_TEXT})
CELL = ByType(
    {
        "raw_text": Fields({"type": Str(), "text": Str(None, 1)}, required=("text",)),
        "rich_text": Fields({"type": Str(), "elements": Items(Free())}, required=("elements",)),
    }
)


def _block(fields: Mapping[str, Rule], *required: str) -> Fields:
    common: dict[str, Rule] = {"type": Str(), "block_id": Str(LIMITS["block_id.max_length"], 1)}
    return Fields({**common, **fields}, required)


EVERYWHERE: Mapping[str, Fields] = {
    "actions": _block(
        {"elements": Items(ACTIONS, LIMITS["actions.elements.max_items"], 1)},
        "elements",
    ),
    "context": _block(
        {"elements": Items(CONTEXT_ELEMENTS, LIMITS["context.elements.max_items"], 1)},
        "elements",
    ),
    "divider": _block({}),
    "header": _block({"text": Text(LIMITS["header.text.max_length"], plain_only=True)}, "text"),
    "image": _block(
        {
            "image_url": Str(LIMITS["image.image_url.max_length"], 1),
            "slack_file": Fields({"id": Str(), "url": Str()}),
            "alt_text": Str(LIMITS["image.alt_text.max_length"], 1),
            "title": Text(LIMITS["image.title.max_length"], plain_only=True),
        },
        "alt_text",
    ),
    "input": _block(
        {
            "label": Text(LIMITS["input.label.max_length"], plain_only=True),
            "element": INPUT_ELEMENTS,
            "hint": Text(LIMITS["input.hint.max_length"], plain_only=True),
            "optional": Flag(),
            "dispatch_action": Flag(),
        },
        "label",
        "element",
    ),
    "rich_text": _block({"elements": Items(Free())}, "elements"),
    "section": _block(
        {
            "text": Text(LIMITS["section.text.max_length"]),
            "fields": Items(
                Text(LIMITS["section.fields.item.max_length"]), LIMITS["section.fields.max_items"], 1
            ),
            "accessory": ACCESSORIES,
            "expand": Flag(),
        }
    ),
}
MESSAGES_ONLY: Mapping[str, Fields] = {
    "markdown": _block({"text": Str(LIMITS["markdown.text.max_length"], 1)}, "text"),
    "file": _block({"external_id": Str(), "source": Str()}, "external_id", "source"),
    "table": _block(
        {
            "rows": Items(
                Items(CELL, LIMITS["table.columns.max_items"], 1), LIMITS["table.rows.max_items"], 1
            ),
            "column_settings": Items(Free(), LIMITS["table.column_settings.max_items"]),
        },
        "rows",
    ),
}
MESSAGE_BLOCKS = Items(ByType({**EVERYWHERE, **MESSAGES_ONLY}), LIMITS["message.blocks.max_items"])
VIEW_BLOCKS = Items(ByType(EVERYWHERE), LIMITS["view.blocks.max_items"])

_COMMON_VIEW: Mapping[str, Rule] = {
    "type": Str(),
    "blocks": VIEW_BLOCKS,
    "private_metadata": Str(LIMITS["view.private_metadata.max_length"]),
    "callback_id": Str(LIMITS["view.callback_id.max_length"]),
    "external_id": Str(LIMITS["view.external_id.max_length"]),
}
VIEW = ByType(
    {
        "home": Fields(_COMMON_VIEW, required=("blocks",)),
        "modal": Fields(
            {
                **_COMMON_VIEW,
                "title": Text(LIMITS["view.title.max_length"], plain_only=True),
                "submit": Text(LIMITS["view.submit.max_length"], plain_only=True),
                "close": Text(LIMITS["view.close.max_length"], plain_only=True),
                "clear_on_close": Flag(),
                "notify_on_close": Flag(),
                "submit_disabled": Flag(),
            },
            required=("title", "blocks"),
        ),
    }
)
