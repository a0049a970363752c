"""The interactive elements of Block Kit as rules (docs.slack.dev/reference/block-kit/block-elements)."""

from __future__ import annotations

from collections.abc import Mapping

from simulator.slack.blockkit.rules import Fields, Flag, Free, Items, OneOf, Rule, Str, Text, Whole
from simulator.slack.limits import LIMITS

CONFIRM = Fields(
    {
        "title": Text(LIMITS["confirmation.title.max_length"], plain_only=True),
        "text": Text(LIMITS["confirmation.text.max_length"]),
        "confirm": Text(LIMITS["confirmation.confirm.max_length"], plain_only=True),
        "deny": Text(LIMITS["confirmation.deny.max_length"], plain_only=True),
        "style": OneOf(("primary", "danger")),
    },
    required=("title", "text", "confirm", "deny"),
)
DISPATCH = Fields({"trigger_actions_on": Items(OneOf(("on_enter_pressed", "on_character_entered")), 2, 1)})
PLACEHOLDER = Text(LIMITS["select.placeholder.max_length"], plain_only=True)


def _option(text: Text, *, url: bool = False) -> Fields:
    fields: dict[str, Rule] = {
        "text": text,
        "value": Str(LIMITS["option.value.max_length"], 1),
        "description": Text(LIMITS["option.description.max_length"], plain_only=text.plain_only),
    }
    if url:
        fields["url"] = Str(LIMITS["option.url.max_length"])
    return Fields(fields, required=("text", "value"))


OPTION = _option(Text(LIMITS["option.text.max_length"], plain_only=True))
RICH_OPTION = _option(Text(LIMITS["option.text.max_length"]))
OPTIONS = Items(OPTION, LIMITS["select.options.max_items"], LIMITS["select.options.min_items"])
OPTION_GROUP = Fields(
    {
        "label": Text(LIMITS["option_group.label.max_length"], plain_only=True),
        "options": Items(
            OPTION, LIMITS["option_group.options.max_items"], LIMITS["option_group.options.min_items"]
        ),
    },
    required=("label", "options"),
)
GROUPS = Items(
    OPTION_GROUP, LIMITS["select.option_groups.max_items"], LIMITS["select.option_groups.min_items"]
)


def _element(fields: Mapping[str, Rule], *required: str, confirm: bool = True) -> Fields:
    common: dict[str, Rule] = {"type": Str(), "action_id": Str(LIMITS["action_id.max_length"], 1)}
    if confirm:
        common["confirm"] = CONFIRM
    return Fields({**common, **fields}, required)


def _select(fields: Mapping[str, Rule], *, multiple: bool = False) -> Fields:
    more: dict[str, Rule] = {"placeholder": PLACEHOLDER, "focus_on_load": Flag(), **fields}
    if multiple:
        more["max_selected_items"] = Whole(LIMITS["multi_select.max_selected_items.min"])
    return _element(more)


def _input(placeholder: str, fields: Mapping[str, Rule]) -> Fields:
    shared: dict[str, Rule] = {
        "placeholder": Text(LIMITS[placeholder], plain_only=True),
        "focus_on_load": Flag(),
        "dispatch_action_config": DISPATCH,
    }
    return _element({**shared, **fields}, confirm=False)


IMAGE = Fields(
    {
        "type": Str(),
        "image_url": Str(LIMITS["image_element.image_url.max_length"], 1),
        "slack_file": Fields({"id": Str(), "url": Str()}),
        "alt_text": Str(LIMITS["image_element.alt_text.max_length"], 1),
    },
    required=("alt_text",),
)
BUTTON = _element(
    {
        "text": Text(LIMITS["button.text.max_length"], plain_only=True),
        "url": Str(LIMITS["button.url.max_length"], 1),
        "value": Str(LIMITS["button.value.max_length"], 1),
        "style": OneOf(("primary", "danger")),
        "accessibility_label": Str(LIMITS["button.accessibility_label.max_length"], 1),
    },
    "text",
)
OVERFLOW = _element(
    {
        "options": Items(
            _option(Text(LIMITS["option.text.max_length"], plain_only=True), url=True),
            LIMITS["overflow.options.max_items"],
            LIMITS["overflow.options.min_items"],
        )
    },
    "options",
)
CHECKBOXES = _element(
    {
        "options": Items(
            RICH_OPTION, LIMITS["checkboxes.options.max_items"], LIMITS["checkboxes.options.min_items"]
        ),
        "initial_options": Items(RICH_OPTION, None, 1),
        "focus_on_load": Flag(),
    },
    "options",
)
RADIO_BUTTONS = _element(
    {
        "options": Items(
            RICH_OPTION, LIMITS["radio_buttons.options.max_items"], LIMITS["radio_buttons.options.min_items"]
        ),
        "initial_option": RICH_OPTION,
        "focus_on_load": Flag(),
    },
    "options",
)
SELECTS: Mapping[str, Fields] = {
    "static_select": _select({"options": OPTIONS, "option_groups": GROUPS, "initial_option": OPTION}),
    "external_select": _select({"initial_option": OPTION, "min_query_length": Whole(0)}),
    "users_select": _select({"initial_user": Str()}),
    "conversations_select": _select(
        {
            "initial_conversation": Str(),
            "default_to_current_conversation": Flag(),
            "response_url_enabled": Flag(),
            "filter": Free(),
        }
    ),
    "channels_select": _select({"initial_channel": Str(), "response_url_enabled": Flag()}),
}
MULTI_SELECTS: Mapping[str, Fields] = {
    "multi_static_select": _select(
        {"options": OPTIONS, "option_groups": GROUPS, "initial_options": Items(OPTION, 100, 1)}, multiple=True
    ),
    "multi_users_select": _select({"initial_users": Items(Str())}, multiple=True),
    "multi_conversations_select": _select(
        {"initial_conversations": Items(Str()), "default_to_current_conversation": Flag(), "filter": Free()},
        multiple=True,
    ),
    "multi_channels_select": _select({"initial_channels": Items(Str())}, multiple=True),
}
PICKERS: Mapping[str, Fields] = {
    "datepicker": _element(
        {
            "initial_date": Str(),
            "placeholder": Text(LIMITS["date_picker.placeholder.max_length"], plain_only=True),
            "focus_on_load": Flag(),
        }
    ),
    "timepicker": _element(
        {
            "initial_time": Str(),
            "timezone": Str(),
            "placeholder": Text(LIMITS["time_picker.placeholder.max_length"], plain_only=True),
            "focus_on_load": Flag(),
        }
    ),
}
DATETIMEPICKER = _element({"initial_date_time": Whole(), "focus_on_load": Flag()})
INPUTS: Mapping[str, Fields] = {
    "plain_text_input": _input(
        "plain_text_input.placeholder.max_length",
        {
            "initial_value": Str(LIMITS["plain_text_input.max_length.max"]),
            "multiline": Flag(),
            "min_length": Whole(
                LIMITS["plain_text_input.min_length.min"], LIMITS["plain_text_input.min_length.max"]
            ),
            "max_length": Whole(
                LIMITS["plain_text_input.max_length.min"], LIMITS["plain_text_input.max_length.max"]
            ),
        },
    ),
    "email_text_input": _input("email_input.placeholder.max_length", {"initial_value": Str()}),
    "url_text_input": _input("url_input.placeholder.max_length", {"initial_value": Str()}),
    "number_input": _input(
        "number_input.placeholder.max_length",
        {"initial_value": Str(), "min_value": Str(), "max_value": Str(), "is_decimal_allowed": Flag()},
    ),
    "file_input": _element(
        {
            "filetypes": Items(Str()),
            "max_files": Whole(LIMITS["file_input.max_files.min"], LIMITS["file_input.max_files.max"]),
        },
        confirm=False,
    ),
}
