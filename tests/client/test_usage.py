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


NO_ADDRESSES = [
    "podkeeper.example",
    "ftp://x",
    "http://",
    "http://[::1",
    "http://x:99999",
    "http://a b",
    "http://x/a b",
    "http://x/\u00fc",
    f"http://{'a' * 64}.example",
]


@pytest.mark.parametrize("url", NO_ADDRESSES)
def test_an_address_that_is_none_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str], url: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PODKEEPER_URL", url)
    monkeypatch.setenv("PODKEEPER_AGENT", "scout")
    monkeypatch.setenv("PODKEEPER_AGENT_SECRET", "whsec_abcd")

    assert run(["audit"]) == 2
    assert f"PODKEEPER_URL ({url})" in capsys.readouterr().err


def test_an_agent_that_nobody_can_be_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PODKEEPER_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("PODKEEPER_AGENT", "sc\udcffout")
    monkeypatch.setenv("PODKEEPER_AGENT_SECRET", "whsec_abcd")

    assert run(["audit"]) == 2
    assert "PODKEEPER_AGENT ('sc\\udcffout')" in capsys.readouterr().err


def test_an_env_file_that_is_no_text_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_bytes(b"PODKEEPER_AGENT=\xff")

    assert run(["audit"]) == 2
    assert ".env cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["watch", "terminate", "audit", "provision", "nonsense"])
def test_words_that_are_no_text_are_wrong_usage(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([command, "\udcff"]) == 2
    assert "is no text in UTF-8" in capsys.readouterr().err


@pytest.mark.parametrize("given", ["", "a b", "\u65e5", "x" * 201])
def test_an_id_that_cannot_be_sent_is_wrong_usage(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        run(["cancel", "k3", "--id", given])

    assert left.value.code == 2
    assert "--id: must be the id of an earlier try" in capsys.readouterr().err


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
