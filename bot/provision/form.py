"""The form of `/pod provision`: one field for each option, named as the option is."""

from collections.abc import Sequence

from gateways.slack.protocol import View
from pods.gpus import GpuType, describe
from pods.options import NAME, OPTIONS, Kind, Option
from pods.order import Cloud, OrderDefaults

CALLBACK = "provision_form"
_MOST_OPTIONS = 100
_LONGEST_OPTION = 75
_LONGEST_LABEL = 48
_LONGEST_HINT = 140


def form_view(types: Sequence[GpuType], defaults: OrderDefaults, metadata: str) -> View:
    """The modal. `metadata` comes back with what was filled in."""
    return {
        "type": "modal",
        "callback_id": CALLBACK,
        "title": {"type": "plain_text", "text": "A new pod"},
        "submit": {"type": "plain_text", "text": "Order"},
        "close": {"type": "plain_text", "text": "Leave it"},
        "private_metadata": metadata,
        "blocks": [_field(option, types, defaults) for option in OPTIONS],
    }


def _field(option: Option, types: Sequence[GpuType], defaults: OrderDefaults) -> dict[str, object]:
    needed = option.name == NAME or (option.name == "gpu" and defaults.gpu is None)
    return {
        "type": "input",
        "block_id": option.name,
        "optional": not needed,
        "label": {"type": "plain_text", "text": option.name[:_LONGEST_LABEL]},
        "hint": {"type": "plain_text", "text": _hint(option)[:_LONGEST_HINT]},
        "element": _gpu(types, defaults) if option.name == "gpu" else _text(option),
    }


def _hint(option: Option) -> str:
    if option.name == "gpu":
        return "GPU type, with its list price"
    if option.kind is Kind.FLAG:
        return f"{option.help}: yes or no"
    more = "; one a line" if option.kind is Kind.REPEATED else ""
    return f"{option.help.replace('`', '')}{more}"


def _text(option: Option) -> dict[str, object]:
    return {
        "type": "plain_text_input",
        "action_id": "value",
        "multiline": option.kind is Kind.REPEATED,
        "placeholder": {"type": "plain_text", "text": option.example},
    }


def _gpu(types: Sequence[GpuType], defaults: OrderDefaults) -> dict[str, object]:
    offered = sorted(types, key=lambda gpu: (gpu.usd(Cloud.SECURE) is None, gpu.name))[:_MOST_OPTIONS]
    choices = [_choice(gpu) for gpu in offered]
    element: dict[str, object] = {
        "type": "static_select",
        "action_id": "value",
        "placeholder": {"type": "plain_text", "text": "Choose a type"},
        "options": choices,
    }
    chosen = [choice for choice in choices if choice["value"] == defaults.gpu]
    return {**element, "initial_option": chosen[0]} if chosen else element


def _choice(gpu: GpuType) -> dict[str, object]:
    text = describe(gpu, Cloud.SECURE)
    shown = text if len(text) <= _LONGEST_OPTION else f"{text[: _LONGEST_OPTION - 1]}…"
    return {"text": {"type": "plain_text", "text": shown}, "value": gpu.id[:_LONGEST_OPTION]}
