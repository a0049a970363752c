"""A pod's home for each test."""

from pathlib import Path

import pytest

from tests.on_pod.home import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    folder = tmp_path / "home"
    folder.mkdir()
    return Home(folder)
