"""The form as scripts know it: its callback, its blocks, its fields."""

from typing import Any

from bot.provision.form import form_view
from bot.tables import TABLES
from pods.gpus import GpuType
from pods.options import OPTIONS
from pods.order import OrderDefaults

H100 = GpuType("NVIDIA H100 80GB HBM3", "H100 SXM", 80, 2.99, None)


def view() -> Any:
    return form_view([H100], OrderDefaults(image="image"), "{}")


def test_it_is_known_by_its_callback() -> None:
    assert view()["callback_id"] == "provision_form"
    assert "provision_form" in TABLES.forms


def test_a_block_is_called_as_its_option_and_a_field_is_called_value() -> None:
    fields = [(block["block_id"], block["element"]["action_id"]) for block in view()["blocks"]]

    assert fields == [(option.name, "value") for option in OPTIONS]


def test_the_gpu_is_chosen_by_its_id_in_the_catalogue_and_all_else_is_text() -> None:
    kinds = {block["block_id"]: block["element"]["type"] for block in view()["blocks"]}
    [gpu] = [block["element"] for block in view()["blocks"] if block["block_id"] == "gpu"]

    assert [option["value"] for option in gpu["options"]] == [H100.id]
    assert kinds.pop("gpu") == "static_select"
    assert set(kinds.values()) == {"plain_text_input"}
