"""The client's commands, run here against a script."""

from pathlib import Path

import pytest

from bot.cli import run
from tests.client.scripted import Run, Script, serving


@pytest.fixture
def podkeeper(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(tmp_path)

    def against(script: Script, *words: str) -> tuple[int, str, str]:
        with serving(script) as service:
            for name, value in service.environment().items():
                monkeypatch.setenv(name, value)
            code = run(words)
        out, err = capsys.readouterr()
        return code, out, err

    return against
