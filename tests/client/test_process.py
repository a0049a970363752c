"""The client as a real process: interrupted, cut off, piped, and quick to start."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.client.scripted import Reply, serving
from tests.machine import missing

UNDER_WAY = Reply(
    200,
    {
        "id": "k3",
        "name": "train",
        "stage": "creating",
        "lines": [{"at": "2026-11-30T12:00:00Z", "line": "PROVISION: id=k3 name=train"}],
        "exit_code": None,
    },
)
ROOT = Path(__file__).resolve().parents[2]
FULL = Path("/dev/full")
LIGHT = "import sys, bot.cli\nbot.cli.run({words!r})\nsys.stderr.write(' '.join(sys.modules))"
HEAVY = {
    "slack_sdk",
    "slack_bolt",
    "runpod",
    "aiohttp",
    "sqlalchemy",
    "sqlmodel",
    "pydantic",
    "starlette",
    "rich",
}


def started(
    environment: dict[str, str], folder: Path, before: Callable[[], object] = lambda: None
) -> "subprocess.Popen[str]":
    """A client as a terminal starts one, however these tests were started."""

    def begin() -> None:
        for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        before()

    return subprocess.Popen(
        [sys.executable, "-m", "bot", "watch", "k3"],
        env={**os.environ, **environment, "PYTHONPATH": str(ROOT)},
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=begin,
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP, signal.SIGTERM])
def test_whoever_interrupts_the_telling_is_told_how_to_take_it_up_again(
    tmp_path: Path, number: signal.Signals
) -> None:
    with serving(lambda _: UNDER_WAY) as service:
        client = started(service.environment(), tmp_path)
        assert client.stdout is not None
        first = client.stdout.readline()
        client.send_signal(number)
        _, err = client.communicate(timeout=20)

    assert first == "PROVISION: id=k3 name=train\n"
    assert client.returncode == 130
    assert "podkeeper watch k3" in err


def test_a_client_that_was_started_to_ignore_hangups_ignores_them(tmp_path: Path) -> None:
    def ignore() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    with serving(lambda _: UNDER_WAY) as service:
        client = started(service.environment(), tmp_path, before=ignore)
        assert client.stdout is not None
        client.stdout.readline()
        seen = len(service.asked)
        client.send_signal(signal.SIGHUP)
        while len(service.asked) < seen + 2:
            assert client.poll() is None
        client.send_signal(signal.SIGINT)
        client.communicate(timeout=20)

    assert client.returncode == 130


def test_a_full_disk_ends_the_telling_without_a_traceback(tmp_path: Path) -> None:
    if not FULL.exists():
        missing(f"there is no {FULL}", required_by="CI")
    line = {"at": "", "line": "PROVISION: id=k3 name=train"}
    with serving(lambda _: Reply(200, {"lines": [line], "exit_code": 0})) as service, FULL.open("w") as full:
        client = subprocess.run(
            [sys.executable, "-m", "bot", "watch", "k3"],
            env={**os.environ, **service.environment(), "PYTHONPATH": str(ROOT)},
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    assert (client.returncode, client.stderr) == (130, "")


@pytest.mark.parametrize("closed", [(1,), (2,), (1, 2)], ids=str)
def test_who_has_closed_the_output_still_gets_the_exit_code(tmp_path: Path, closed: tuple[int, ...]) -> None:
    look = Reply(200, {"lines": [{"at": "", "line": "PROVISION: id=k3 name=train"}], "exit_code": 81})
    with serving(lambda _: look) as service:
        client = started(service.environment(), tmp_path, lambda: set(map(os.close, closed)))
        client.communicate(timeout=60)

    assert client.returncode == 81


def test_a_reader_that_went_away_ends_the_telling_without_a_traceback(tmp_path: Path) -> None:
    lines = [{"at": "", "line": f"PROVISION: id=k{n} name=train"} for n in range(20_000)]
    with serving(lambda _: Reply(200, {"lines": lines, "exit_code": 0})) as service:
        client = started(service.environment(), tmp_path)
        assert client.stdout is not None
        assert client.stderr is not None
        client.stdout.readline()
        client.stdout.close()
        err = client.stderr.read()
        client.wait(timeout=20)
        client.stderr.close()

    assert client.returncode == 130
    assert "Traceback" not in err


@pytest.mark.parametrize("command", ["watch", "cancel", "terminate", "audit"])
def test_a_client_imports_neither_slack_nor_runpod_nor_a_database(tmp_path: Path, command: str) -> None:
    words = [command, "x"]
    nobody = {
        "PODKEEPER_URL": "http://127.0.0.1:1",
        "PODKEEPER_AGENT": "a",
        "PODKEEPER_AGENT_SECRET": "whsec_abcd",
    }

    done = subprocess.run(
        [sys.executable, "-c", LIGHT.format(words=words)],
        env={**os.environ, **nobody, "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=20,
        check=True,
    )

    assert "cannot be reached" in done.stderr
    assert HEAVY.isdisjoint(name.split(".")[0] for name in done.stderr.split())


def test_a_terminal_sees_where_the_provision_is() -> None:
    from bot.client.progress import described

    look = {"name": "train", "stage": "waiting_ssh", "usd_so_far": 1.5, "usd_per_hour": 8}

    assert described(look, 75) == "train · waiting for SSH · 1:15 · $1.50 so far · $8.00/h"
