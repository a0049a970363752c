"""Wrong usage of the client: settings, addresses, words. Nothing is sent, and what would be right is said."""

from pathlib import Path

import pytest

from bot.cli import COMMANDS, run
from tests.client.scripted import Reply, serving


def test_missing_settings_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PODKEEPER_URL", raising=False)
    monkeypatch.setenv("PODKEEPER_AGENT", "scout")
    monkeypatch.setenv("PODKEEPER_AGENT_SECRET", "")

    assert run(["audit"]) == 2
    assert "PODKEEPER_URL and PODKEEPER_AGENT_SECRET not set" in capsys.readouterr().err


def test_settings_may_stand_in_an_env_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with serving(lambda _: Reply(200, {"complete": True, "pods": []})) as service:
        lines = [f'{name}="{value}"' for name, value in service.environment().items()]
        (tmp_path / ".env").write_text("\n".join(lines))
        for name in service.environment():
            monkeypatch.delenv(name, raising=False)

        assert run(["audit"]) == 0


@pytest.mark.parametrize("url", ["podkeeper.example", "ftp://x", "http://", "http://[::1", "http://x:99999"])
def test_an_address_that_is_none_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str], url: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PODKEEPER_URL", url)
    monkeypatch.setenv("PODKEEPER_AGENT", "scout")
    monkeypatch.setenv("PODKEEPER_AGENT_SECRET", "whsec_abcd")

    assert run(["audit"]) == 2
    assert f"PODKEEPER_URL ({url})" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words", [["watch"], ["watch", "a", "b"], ["watch", "a", "--nonsense"], ["terminate"]]
)
def test_wrong_words_are_wrong_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        run(words)

    assert left.value.code == 2
    assert f"usage: podkeeper {words[0]}" in capsys.readouterr().err


def test_an_unknown_command_is_wrong_usage_and_shows_those_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["destroy"]) == 2

    err = capsys.readouterr().err
    assert "no command `destroy`" in err
    assert all(name in err for name in COMMANDS)
