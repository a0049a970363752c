"""What can be pressed, and under which id: the contract's labels and ids, and those that were added to them.

Whatever a test has the bot show is held against this table when the test is over.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from simulator.slack.log import ApiCall

BUTTONS: Mapping[str, frozenset[str]] = {
    "card_keep_1d": frozenset({"Keep 1 day"}),
    "card_stop": frozenset({"Stop"}),
    "card_terminate": frozenset({"Terminate", "End now"}),
    "card_not_mine": frozenset({"Not mine"}),
    "card_why": frozenset({"Why?"}),
    "claim": frozenset({"Mine"}),
    "claim_object": frozenset({"Not theirs"}),
    "claim_confirm": frozenset({"Confirm"}),
    "take_over": frozenset({"Take over"}),
    "give_accept": frozenset({"Accept"}),
    "order_go_on": frozenset({"Go on"}),
    "agent_confirm": frozenset({"Yes, mine"}),
    "arm_confirm": frozenset({"Arm"}),
    "pod_terminate": frozenset({"Terminate"}),
    "pod_stop": frozenset({"Stop"}),
    "pod_leave": frozenset({"Leave it"}),
    "deed_undo": frozenset({"Undo"}),
    "provision_cancel": frozenset({"Call off"}),
    "provision_retry": frozenset({"Retry bootstrap"}),
    "page_next": frozenset({"More"}),
    "page_prev": frozenset({"Back"}),
    # Beyond the contract.
    "cards_all": frozenset({"All of them…"}),
    "fleet_empty": frozenset({"It is empty"}),
    "witness_overrule": frozenset({"The pods are dead"}),
}
KEEPS = frozenset({"3d", "1w", "other"})
SELECTS: Mapping[str, tuple[str, frozenset[str]]] = {
    "card_keep": ("static_select", KEEPS),
    "pod_keep": ("static_select", KEEPS),
    # Beyond the contract.
    "claim_ask": ("users_select", frozenset()),
}
ONE_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")


def faults_of(calls: Iterable[ApiCall]) -> list[str]:
    """What of everything that was shown is not as the table has it."""
    shown = [block for call in calls for block in _blocks(call)]
    return [fault for block in shown for element in _elements(block) for fault in _faults(block, element)]


def _blocks(call: ApiCall) -> list[Any]:
    view, blocks = _read(call.args.get("view")), _read(call.args.get("blocks"))
    inside = view.get("blocks") if isinstance(view, dict) else None
    return [*(inside or []), *(blocks or [])]


def _read(value: object) -> Any:
    return json.loads(value) if isinstance(value, str) and value else value


def _elements(block: Any) -> Iterator[Any]:
    """Those that send something when they are pressed: not the fields of forms."""
    yield from block.get("elements", []) if block["type"] == "actions" else []
    if "accessory" in block:
        yield block["accessory"]


def _faults(block: Any, element: Any) -> Iterator[str]:
    name = element.get("action_id")
    if element["type"] == "button":
        if element["text"]["text"] not in BUTTONS.get(name, ()):
            yield f"the button {element['text']['text']!r} has the id {name!r}"
        if not ONE_ID.fullmatch(element.get("value", "")):
            yield f"the value of {name!r} is no id of one row: {element.get('value')!r}"
        return
    kind, options = SELECTS.get(name, ("nothing", frozenset()))
    if element["type"] != kind or {each["value"] for each in element.get("options", [])} != options:
        yield f"{name!r} is no select of these options: {element}"
    if any("initial" in key for key in element):
        yield f"{name!r} has something preselected"
    if not ONE_ID.fullmatch(block.get("block_id", "")):
        yield f"the block of {name!r} carries no id of one row: {block.get('block_id')!r}"
