"""Modules are short, say what they are for, and carry no empty names."""

import pytest

from tests.house.manners import MAX_LINES, faults, own_skips
from tests.house.sources import ROOMS, modules_of, source_of

WHERE_SKIPPING_IS_DECIDED = {"tests/machine.py", "tests/house/test_ground.py"}


@pytest.mark.parametrize("module", modules_of(*ROOMS, "benchmarks"))
def test_a_module_keeps_the_manners_of_the_house(module: str) -> None:
    assert faults(module, source_of(module)) == []


@pytest.mark.parametrize("module", modules_of("tests"))
def test_a_module_of_the_tests_is_short_enough_to_read(module: str) -> None:
    assert [fault for fault in faults(module, source_of(module)) if "lines" in fault] == []


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


@pytest.mark.parametrize("module", sorted({*modules_of("tests")} - WHERE_SKIPPING_IS_DECIDED))
def test_what_a_test_needs_is_asked_for_so_that_ci_can_insist(module: str) -> None:
    assert own_skips(source_of(module)) == [], "use tests.machine.missing"


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
