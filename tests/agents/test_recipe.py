"""The recipe in the documentation works as it stands there, with nothing but curl and openssl."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.agents.events import EVENTS
from bot.agents.secrets import agent_secret
from pods.provision.outcomes import Outcome
from storage.provision import ProvisionRow
from tests.agents.house import KEY, House, rows
from tests.agents.serving import served
from tests.machine import missing

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "agents.md"


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    """The one shell script of the document."""
    for program in ("curl", "openssl"):
        if shutil.which(program) is None:
            missing(f"there is no {program} on this machine", "REQUIRE_CURL")
    [script] = re.findall(r"```sh\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    file = tmp_path / "rent.sh"
    # The pause is shortened; everything else is as it is printed.
    file.write_text(script.replace("sleep 2", "sleep 0.1"))
    return file


@pytest.fixture
def service(house: House) -> Iterator[str]:
    with served(house.app()) as url:
        yield url


def rent(recipe: Path, url: str, *words: str) -> "subprocess.Popen[str]":
    agent = {
        "PODKEEPER_URL": url,
        "PODKEEPER_AGENT": "scout",
        "PODKEEPER_AGENT_SECRET": agent_secret(KEY, "scout", 1),
    }
    return subprocess.Popen(
        ["/bin/sh", recipe, *words],
        env={**os.environ, **agent},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("outcome", [Outcome.READY, Outcome.PREFLIGHT_FAILED, Outcome.NO_CAPACITY])
def test_the_recipe_prints_the_lines_and_ends_with_the_provisions_code(
    recipe: Path, house: House, service: str, outcome: Outcome
) -> None:
    running = rent(recipe, service, "train", "A40")
    while not (wished := rows(house, ProvisionRow)):
        assert running.poll() is None
    house.end(wished[0].id, outcome)

    out, err = running.communicate(timeout=30)

    ended = rows(house, ProvisionRow)[0]
    assert (running.returncode, err) == (ended.exit_code, "")
    assert out.splitlines()[0] == f"PROVISION: id={ended.id} name=train"


def test_the_recipe_shows_why_an_order_was_refused(recipe: Path, house: House, service: str) -> None:
    running = rent(recipe, service, "train", "H100")

    out, err = running.communicate(timeout=30)

    assert (running.returncode, out) == (2, "")
    assert '"code":"ambiguous"' in err


def test_the_document_names_every_event() -> None:
    text = DOCUMENT.read_text("utf-8")

    assert [kind for kind in EVENTS if f"`{kind}`" not in text] == []
