"""Slack's limits for Block Kit and messages, one row each, as Slack documents them.

Lengths are characters, items are counted. The names are those of the public registry of these limits that the
tests hold this table against.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

LIMITS: Mapping[str, int] = MappingProxyType(
    {
        "text.min_length": 1,
        "text.max_length": 3000,
        "action_id.max_length": 255,
        "block_id.max_length": 255,
        "button.text.max_length": 75,
        "button.url.max_length": 3000,
        "button.value.max_length": 2000,
        "button.accessibility_label.max_length": 75,
        "confirmation.title.max_length": 100,
        "confirmation.text.max_length": 300,
        "confirmation.confirm.max_length": 30,
        "confirmation.deny.max_length": 30,
        "option.text.max_length": 75,
        "option.value.max_length": 150,
        "option.description.max_length": 75,
        "option.url.max_length": 3000,
        "option_group.label.max_length": 75,
        "option_group.options.min_items": 1,
        "option_group.options.max_items": 100,
        "select.placeholder.max_length": 150,
        "select.options.min_items": 1,
        "select.options.max_items": 100,
        "select.option_groups.min_items": 1,
        "select.option_groups.max_items": 100,
        "multi_select.max_selected_items.min": 1,
        "overflow.options.min_items": 1,
        "overflow.options.max_items": 5,
        "checkboxes.options.min_items": 1,
        "checkboxes.options.max_items": 10,
        "radio_buttons.options.min_items": 1,
        "radio_buttons.options.max_items": 10,
        "file_input.max_files.min": 1,
        "file_input.max_files.max": 10,
        "plain_text_input.min_length.min": 0,
        "plain_text_input.min_length.max": 3000,
        "plain_text_input.max_length.min": 1,
        "plain_text_input.max_length.max": 3000,
        "plain_text_input.placeholder.max_length": 150,
        "email_input.placeholder.max_length": 150,
        "url_input.placeholder.max_length": 150,
        "number_input.placeholder.max_length": 150,
        "date_picker.placeholder.max_length": 150,
        "time_picker.placeholder.max_length": 150,
        "actions.elements.max_items": 25,
        "context.elements.max_items": 10,
        "header.text.max_length": 150,
        "image.image_url.max_length": 3000,
        "image.alt_text.max_length": 2000,
        "image.title.max_length": 2000,
        "image_element.image_url.max_length": 3000,
        "image_element.alt_text.max_length": 2000,
        "input.label.max_length": 2000,
        "input.hint.max_length": 2000,
        "markdown.text.max_length": 12000,
        "markdown.total_text.max_length": 12000,
        "section.text.max_length": 3000,
        "section.fields.max_items": 10,
        "section.fields.item.max_length": 2000,
        "table.rows.max_items": 100,
        "table.columns.max_items": 20,
        "table.column_settings.max_items": 20,
        "message.blocks.max_items": 50,
        "message.attachments.max_items": 100,
        "view.blocks.max_items": 100,
        "view.private_metadata.max_length": 3000,
        "view.callback_id.max_length": 255,
        "view.external_id.max_length": 255,
        "view.title.max_length": 24,
        "view.close.max_length": 24,
        "view.submit.max_length": 24,
    }
)

MESSAGE_TEXT_TRUNCATED_AT = 40_000
"""chat.postMessage cuts longer text."""
UPDATE_TEXT_MAX = 4_000
"""chat.update answers `msg_too_long` above it."""
MESSAGE_BLOCKS_TEXT_MAX = 12_000
"""All text of a message's blocks together; above it `msg_blocks_too_long`. Slack documents no figure: public
reports put it between 11,300 and 13,300, depending on the kinds of blocks."""
VIEW_BYTES_MAX = 250_000
"""A view's JSON; above it `view_too_large`."""
MODAL_STACK_MAX = 3
"""Views on top of each other; above it `push_limit_reached`."""
