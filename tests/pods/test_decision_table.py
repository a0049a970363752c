"""The decision table of the contract: each of its lines against each grade, as expected by hand."""

from pathlib import Path

import pytest

from pods.judge import judge
from pods.verdict import Ask, CannotTell, Keep, Reap, Reason, Verdict
from tests.pods.samples import GRADES
from tests.pods.situations import SITUATIONS

WORDS: dict[type[Verdict], str] = {Keep: "keep", Ask: "ask", Reap: "reap", CannotTell: "cannot_tell"}


TABLE = Path(__file__).with_name("decision_table.txt").read_text().splitlines()
ROWS = [[cell.strip() for cell in row.split("|")] for row in TABLE if not row.startswith("#")][1:]


def expected_cells() -> list[tuple[str, str, str]]:
    cells = []
    for situation, *columns in ROWS:
        expected = ""
        for grade, cell in zip(GRADES, columns, strict=True):
            expected = expected if cell == "=" else cell
            cells.append((situation, grade, expected))
    return cells


@pytest.mark.parametrize(("situation", "grade", "expected"), expected_cells())
def test_each_line_decides_for_each_grade_as_written(situation: str, grade: str, expected: str) -> None:
    pod, pass_ = SITUATIONS[situation]

    verdict = judge(pod._replace(**GRADES[grade]), pass_)

    assert f"{WORDS[type(verdict)]} {verdict.reason} {verdict.rule}" == expected


def test_every_situation_has_its_row_and_every_row_its_situation() -> None:
    assert [situation for situation, *_ in ROWS] == list(SITUATIONS)


def test_every_reason_of_the_contract_and_every_line_is_expected_somewhere() -> None:
    expected = [cell.split() for _, _, cell in expected_cells()]

    assert {reason for _, reason, _ in expected} == set(Reason)
    assert {int(line) for _, _, line in expected} == set(range(1, 23))
