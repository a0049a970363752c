"""Each dependency is named, with its reason, in the page about the house."""

import re
import tomllib

import pytest

from tests.house.sources import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")


def bare(requirement: str) -> str:
    return re.split(r"[\[<>=!~ ]", requirement)[0]


@pytest.mark.parametrize("requirement", PROJECT["project"]["dependencies"])
def test_every_package_that_users_install_has_a_reason(requirement: str) -> None:
    row = re.compile(rf"^\| [^|]*\b{re.escape(bare(requirement))}\b[^|]*\| \S.*\|$", re.MULTILINE)

    assert row.search(PAGE), f"docs/architecture.md does not say what {bare(requirement)} is for"


def test_every_package_that_developers_install_is_named() -> None:
    wanted = [bare(one) for one in PROJECT["dependency-groups"]["dev"] if isinstance(one, str)]
    missing = [one for one in wanted if one.removeprefix("pytest-").removeprefix("types-") not in PAGE]

    assert not missing
