"""The command as a whole: every part of it has help, and a reader who goes away changes no exit code."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.cli import COMMANDS, run
from tests.bot.process import HERE
from tests.machine import missing

FULL = Path("/dev/full")
VERBS = ["db upgrade", "log verify", "agent add", "agent list", "agent rotate", "agent remove"]


@pytest.mark.parametrize("asked", ["-h", "--help"])
@pytest.mark.parametrize("command", [*COMMANDS, *VERBS])
def test_each_command_has_help(command: str, asked: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        run([*command.split(), asked])

    assert left.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: podkeeper {command}")


@pytest.mark.parametrize("command", ["serve", "doctor"])
def test_what_takes_no_arguments_says_so(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        run([command, "now"])

    assert left.value.code == 2
    assert f"usage: podkeeper {command}" in capsys.readouterr().err


def podkeeper(words: list[str], folder: Path, stdout: int) -> "subprocess.CompletedProcess[str]":
    plain = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        [sys.executable, "-m", "bot", *words],
        env={**plain, "PYTHONPATH": str(HERE)},
        cwd=folder,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        timeout=50,
        check=False,
    )


@pytest.mark.parametrize(
    ("words", "code"),
    [(["doctor"], 1), (["db", "upgrade"], 0), (["watch", "--help"], 0), (["--help"], 0)],
    ids=str,
)
def test_who_reads_no_further_gets_the_exit_code_and_no_traceback(
    tmp_path: Path, words: list[str], code: int
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = podkeeper(words, tmp_path, writing)
    finally:
        os.close(writing)

    assert (done.returncode, done.stderr) == (code, "")


def test_what_a_full_disk_does_not_take_is_a_failure_with_a_sentence(tmp_path: Path) -> None:
    if not FULL.exists():
        missing(f"there is no {FULL}", required_by="CI")
    with FULL.open("w") as full:
        done = podkeeper(["db", "upgrade"], tmp_path, full.fileno())

    assert done.returncode == 1
    assert done.stderr == "podkeeper: standard output cannot be written: No space left on device\n"
