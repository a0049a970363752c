"""The limit table is held against two tables that we did not write."""

import pytest
from slack_sdk.models.blocks import (
    ActionsBlock,
    ButtonElement,
    ConfirmObject,
    ContextBlock,
    HeaderBlock,
    ImageBlock,
    InputBlock,
    Option,
    OptionGroup,
    OverflowMenuElement,
    SectionBlock,
    StaticSelectElement,
)
from slack_sdk.models.views import View
from slackblocks import _limits as registry

from simulator.slack.limits import LIMITS

SDK = {
    "button.text.max_length": ButtonElement.text_max_length,
    "button.url.max_length": ButtonElement.url_max_length,
    "button.value.max_length": ButtonElement.value_max_length,
    "action_id.max_length": ButtonElement.action_id_max_length,
    "block_id.max_length": SectionBlock.block_id_max_length,
    "actions.elements.max_items": ActionsBlock.elements_max_length,
    "context.elements.max_items": ContextBlock.elements_max_length,
    "header.text.max_length": HeaderBlock.text_max_length,
    "image.alt_text.max_length": ImageBlock.alt_text_max_length,
    "image.title.max_length": ImageBlock.title_max_length,
    "input.label.max_length": InputBlock.label_max_length,
    "input.hint.max_length": InputBlock.hint_max_length,
    "section.text.max_length": SectionBlock.text_max_length,
    "section.fields.max_items": SectionBlock.fields_max_length,
    "overflow.options.max_items": OverflowMenuElement.options_max_length,
    "select.options.max_items": StaticSelectElement.options_max_length,
    "select.option_groups.max_items": StaticSelectElement.option_groups_max_length,
    "option.text.max_length": Option.label_max_length,
    "option.value.max_length": Option.value_max_length,
    "option_group.label.max_length": OptionGroup.label_max_length,
    "option_group.options.max_items": OptionGroup.options_max_length,
    "confirmation.title.max_length": ConfirmObject.title_max_length,
    "confirmation.text.max_length": ConfirmObject.text_max_length,
    "confirmation.confirm.max_length": ConfirmObject.confirm_max_length,
    "confirmation.deny.max_length": ConfirmObject.deny_max_length,
    "view.title.max_length": View.title_max_length,
    "view.blocks.max_items": View.blocks_max_length,
    "view.close.max_length": View.close_max_length,
    "view.submit.max_length": View.submit_max_length,
    "view.private_metadata.max_length": View.private_metadata_max_length,
    "view.callback_id.max_length": View.callback_id_max_length,
}


@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_is_that_of_the_public_registry(name: str) -> None:
    assert LIMITS[name] == getattr(registry, name.upper().replace(".", "_"))


@pytest.mark.parametrize("name", SDK)
def test_a_limit_is_that_of_slacks_own_sdk(name: str) -> None:
    assert LIMITS[name] == SDK[name]
