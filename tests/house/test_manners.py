"""Modules are short, say what they are for, and carry no empty names."""

import pytest

from tests.house.manners import MAX_LINES, faults, own_skips
from tests.house.sources import ROOMS, modules_of, source_of

WHERE_SKIPPING_IS_DECIDED = {"tests/machine.py", "tests/house/test_ground.py"}


def test_every_module_keeps_the_manners_of_the_house() -> None:
    found = {module: faults(module, source_of(module)) for module in modules_of(*ROOMS, "benchmarks")}

    assert found
    assert {module: said for module, said in found.items() if said} == {}


def test_every_module_of_the_tests_is_short_enough_to_read() -> None:
    lengths = {module: len(source_of(module).splitlines()) for module in modules_of("tests")}

    assert {module: lines for module, lines in lengths.items() if lines > MAX_LINES} == {}


@pytest.mark.parametrize(
    ("module", "source", "fault"),
    [
        ("pods/phase.py", "x = 1", "has no docstring"),
        ("pods/phase.py", '"""Phases."""\n' * (MAX_LINES + 1), "has 301 lines and is asking to be two"),
        ("bot/utils.py", '"""Odds and ends."""', "utils does not say what it is"),
        ("bot/helpers/ids.py", '"""Ids."""', "helpers does not say what it is"),
        ("pods/fleet.py", '"""Pods."""\nclass PodManager: ...', "PodManager does not say what it is"),
    ],
)
def test_bad_manners_are_noticed(module: str, source: str, fault: str) -> None:
    assert faults(module, source) == [fault]


def test_a_module_of_the_greatest_length_is_still_well() -> None:
    assert faults("pods/phase.py", '"""Phases."""\n' * MAX_LINES) == []


def test_what_a_test_needs_is_asked_for_so_that_ci_can_insist() -> None:
    modules = {*modules_of("tests")} - WHERE_SKIPPING_IS_DECIDED
    found = {module: own_skips(source_of(module)) for module in modules}

    assert {module: said for module, said in found.items() if said} == {}, "use tests.machine.missing"


@pytest.mark.parametrize(
    "source",
    [
        "if True: pytest.skip('no browser')",
        "@pytest.mark.skipif(True, reason='no')\ndef test(): ...",
        "@pytest.mark.skip\ndef test(): ...",
        "playwright = pytest.importorskip('playwright')",
    ],
)
def test_a_test_that_skips_by_itself_is_noticed(source: str) -> None:
    assert len(own_skips(source)) == 1
