"""The arrows that the gate checks are the ones that were drawn, and they hold."""

import tomllib

import pytest

from tests.house.sources import ROOMS, ROOT

MAY_IMPORT = {
    "bot": {"jobs", "storage", "pods", "gateways"},
    "jobs": {"storage", "pods", "gateways"},
    "storage": {"pods"},
    "gateways": {"pods"},
    "pods": set(),
    "simulator": set(),
}
EXCEPTIONS = {"bot": {"bot.demo", "bot.demo.**"}}

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
CONTRACTS = {contract["source_modules"][0]: contract for contract in SETTINGS["contracts"]}


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_is_forbidden_every_room_that_it_may_not_import(room: str) -> None:
    forbidden = set(CONTRACTS[room]["forbidden_modules"])

    assert forbidden == {*ROOMS, "benchmarks"} - MAY_IMPORT[room] - {room}


@pytest.mark.parametrize("room", ROOMS)
def test_only_the_demo_may_step_over_an_arrow(room: str) -> None:
    stepping_over = {arrow.split(" -> ")[0] for arrow in CONTRACTS[room].get("ignore_imports", [])}

    assert stepping_over == EXCEPTIONS.get(room, set())
