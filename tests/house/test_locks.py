"""What is installed is exactly what was locked, from wherever the machine gets its packages."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.house.sources import ROOT

RUNTIME, DEVELOPMENT = ROOT / "requirements.lock", ROOT / "requirements-dev.lock"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
BACKEND = PROJECT["build-system"]["requires"]
TOOLS = [wanted for wanted in PROJECT["dependency-groups"]["dev"] if isinstance(wanted, str)]


def pins(lock: Path) -> dict[str, set[str]]:
    """Return the versions that a lock file names for each package; markers may make them several."""
    found: dict[str, set[str]] = {}
    for name, version in re.findall(r"^([\w.-]+)(?:\[[^]]*\])?==([^\s;]+)", lock.read_text(), re.MULTILINE):
        found.setdefault(canonicalize_name(name), set()).add(version)
    return found


@pytest.mark.parametrize("lock", [RUNTIME, DEVELOPMENT], ids=lambda lock: str(lock.name))
def test_a_lock_names_no_address(lock: Path) -> None:
    assert re.findall(r"\S*://\S*|--(?:extra-)?index-url|--find-links", lock.read_text()) == []


@pytest.mark.parametrize("lock", [RUNTIME, DEVELOPMENT], ids=lambda lock: str(lock.name))
def test_every_package_of_a_lock_has_a_hash(lock: Path) -> None:
    entries = re.split(r"^(?=[\w.-]+(?:\[[^]]*\])?==)", lock.read_text(), flags=re.MULTILINE)[1:]

    assert entries
    assert [entry for entry in entries if "--hash=sha256:" not in entry] == []


@pytest.mark.parametrize(
    ("lock", "wanted"),
    [
        (RUNTIME, [*PROJECT["project"]["dependencies"], *BACKEND]),
        (DEVELOPMENT, [*PROJECT["project"]["dependencies"], *BACKEND, *TOOLS]),
    ],
    ids=["runtime", "development"],
)
def test_a_lock_holds_a_fitting_version_of_everything_asked_for(lock: Path, wanted: list[str]) -> None:
    locked = pins(lock)
    requirements = [Requirement(text) for text in wanted]

    unmet = [
        str(requirement)
        for requirement in requirements
        if not any(map(requirement.specifier.contains, locked.get(canonicalize_name(requirement.name), ())))
    ]

    assert unmet == [], "make lock brings the lock files up to date"


def test_the_two_locks_agree_on_every_package_that_both_name() -> None:
    runtime, development = pins(RUNTIME), pins(DEVELOPMENT)

    assert {name: development.get(name) for name in runtime} == runtime
