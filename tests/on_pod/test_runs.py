"""Runs on the pod: started once, detached, polled, stopped, whatever the script does."""

import os
import signal
import stat
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace

import pytest

from jobs.on_pod.answers import read_checkout, read_polled
from jobs.on_pod.programs import start_program
from pods.provision.seen import RemoteState, Work
from tests.machine import missing
from tests.on_pod.home import Home


@pytest.mark.parametrize("shell", [("sh",), ("bash",)])
def test_a_run_is_absent_then_running_then_exited(home: Home, shell: tuple[str, ...]) -> None:
    home.shell = shell
    gate = home.path / "gate"
    assert home.poll().remote.state is RemoteState.ABSENT
    home.start(f"until [ -e {gate} ]; do sleep 0.02; done; exit 3")
    assert home.poll().remote.state is RemoteState.RUNNING
    gate.touch()
    assert home.ended().remote.rc == 3


def test_a_second_start_of_the_same_run_does_nothing(home: Home) -> None:
    script = "echo once >>$HOME/times"
    assert home.start(script) == "started"
    assert home.start(script) == "already"
    home.ended()
    assert home.start(script) == "already"
    assert (home.path / "times").read_text() == "once\n"


def test_of_many_starts_at_once_one_starts(home: Home) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(home.start, ["echo once >>$HOME/times"] * 8))
    home.ended()
    assert sorted(answers) == ["already"] * 7 + ["started"]
    assert (home.path / "times").read_text() == "once\n"


def test_a_new_number_is_a_new_run(home: Home) -> None:
    home.carried_out("exit 1")
    home.run = 2
    assert home.carried_out("exit 0")[0] == 0


def test_bootstrap_and_preflight_of_one_run_are_two_pieces_of_work(home: Home) -> None:
    assert home.carried_out("exit 1", Work.BOOTSTRAP)[0] == 1
    assert home.carried_out("exit 2", Work.PREFLIGHT)[0] == 2
    assert (home.folder / "bootstrap.rc").exists()
    assert (home.folder / "preflight.log").exists()


@pytest.mark.parametrize("part", [0.0, 0.3, 0.6, 0.9, 0.999])
def test_a_program_that_arrives_in_part_does_nothing(home: Home, part: float) -> None:
    program = start_program(home.job, Work.BOOTSTRAP, "echo no >$HOME/ran")
    home.send(program[: int((len(program) - len("main\n")) * part)])
    assert list(home.path.iterdir()) == []


@pytest.mark.parametrize(
    ("script", "rc"),
    [
        ("exit 0", 0),
        ("exit 8", 8),
        ("exit 255", 255),
        ("kill -TERM $$", 128 + 15),
        ("kill -KILL $$", 128 + 9),
        ("trap '' HUP; kill -HUP $$; exit 5", 5),
        ("kill -TERM 0; sleep 30", 128 + 15),
        ("exec 0<&-; exit 6", 6),
        ("exec >&- 2>&-; exit 7", 7),
        ("read line; exit 4", 4),
        ("#!/bin/sh\nexit 9", 9),
        ("#!/no/such/shell\n", 127),
        ("", 0),
    ],
)
def test_the_exit_status_is_the_scripts_own(home: Home, script: str, rc: int) -> None:
    assert home.carried_out(script)[0] == rc


def test_a_hundred_megabytes_without_a_line_break_are_no_trouble(home: Home) -> None:
    assert home.start("head -c 100000000 /dev/zero | tr '\\0' x") == "started"
    polled = home.ended()
    assert polled.remote.rc == 0
    assert polled.log_size == 100_000_000
    assert len(polled.log) == polled.next_offset < 200_000


def test_a_log_is_read_on_from_where_the_last_poll_ended(home: Home) -> None:
    home.carried_out("printf 'abcdefghij'")
    first = home.poll(limit=4)
    second = home.poll(offset=first.next_offset, limit=100)
    assert (first.log, second.log, second.next_offset) == ("abcd", "efghij", 10)


def test_a_daemon_that_the_script_leaves_behind_does_not_hold_up_its_end(home: Home) -> None:
    rc, _ = home.carried_out("sleep 600 & echo $! >$HOME/daemon; exit 0")
    daemon = int((home.path / "daemon").read_text())
    os.kill(daemon, signal.SIGKILL)
    assert rc == 0


def test_a_run_outlives_the_connection_that_started_it(home: Home) -> None:
    gate = home.path / "gate"
    program = start_program(home.job, Work.BOOTSTRAP, f"until [ -e {gate} ]; do sleep 0.02; done; exit 3")
    connection = subprocess.Popen(
        ["sh"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={"HOME": str(home.path), "PATH": home.search_path},
        start_new_session=True,
    )
    connection.communicate(program.encode())
    with suppress(ProcessLookupError):
        os.killpg(connection.pid, signal.SIGHUP)
    gate.touch()
    assert home.ended().remote.rc == 3


def test_a_run_whose_process_was_killed_is_dead(home: Home) -> None:
    home.start("sleep 600")
    home.kill_runner()
    assert home.ended().remote.state is RemoteState.DEAD


def test_a_process_number_that_another_program_has_by_now_is_not_ours(home: Home) -> None:
    home.start("sleep 600")
    home.kill_runner()
    (home.folder / "bootstrap.claim" / "pid").write_text(f"{os.getpid()}\n")
    assert home.ended().remote.state is RemoteState.DEAD


@pytest.mark.parametrize("half", ["", "0", "01", "abc\n", "12345\n"])
def test_an_exit_file_that_is_not_whole_is_unknown(home: Home, half: str) -> None:
    home.carried_out("exit 0")
    (home.folder / "bootstrap.rc").write_text(half)
    assert home.poll().remote.state is RemoteState.UNKNOWN


def test_a_full_disk_does_not_keep_the_exit_status_from_being_told(home: Home) -> None:
    mount = f"mount -t tmpfs -o size=256k tmpfs {home.path} && cd {home.path} && exec sh"
    apart = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount)
    if subprocess.run((*apart, "-c", "true"), capture_output=True, check=False).returncode:
        missing("no small disk can be mounted here", "REQUIRE_MOUNT")
    full = "dd if=/dev/zero of=$HOME/full bs=4096; echo more; exit 7"
    start = start_program(home.job, Work.BOOTSTRAP, full)
    wait = f"\nuntil [ -e {home.folder}/bootstrap.rc ]; do sleep 0.02; done; cat {home.folder}/bootstrap.rc\n"
    home.shell = apart
    assert home.send(start + wait) == "started\n007\n"


def test_a_home_that_cannot_be_written_is_told_in_a_sentence(home: Home) -> None:
    (home.path / "podkeeper").write_text("a file in the way")
    assert home.start("exit 0").startswith("failed the script could not be written")


def test_a_stop_ends_the_script_and_what_it_started(home: Home) -> None:
    home.start("sleep 600 & echo $! >$HOME/child; wait")
    child = home.path / "child"
    home.until(lambda: child.exists() and child.read_text() != "")
    assert home.stop() == "stopped"
    assert home.ended().remote.rc == 128 + 15
    assert home.stop() == "absent"
    state = subprocess.run(
        ["ps", "-o", "stat=", "-p", child.read_text()], capture_output=True, check=False
    ).stdout
    assert state[:1] in (b"", b"Z")


def test_a_stop_insists_where_the_script_will_not_listen(home: Home) -> None:
    home.start("trap '' TERM; echo ready; while :; do sleep 0.1; done")
    home.until(lambda: "ready" in home.poll().log)
    assert home.stop() == "stopped"
    assert home.ended().remote.state is RemoteState.DEAD


def test_a_stop_where_nothing_runs_is_no_failure(home: Home) -> None:
    assert home.stop() == "absent"


NASTY = "a'b\"c$(touch $HOME/pwned)`touch $HOME/pwned`\\n; é"


def test_what_was_ordered_reaches_the_script_unchanged_and_is_never_run(home: Home) -> None:
    home.order = replace(home.order, task=NASTY, branch="issue-1689", repo="https://h/code.git")
    _, log = home.carried_out(
        'printf "%s|%s|%s|%s" "$PODKEEPER_TASK" "$PODKEEPER_BRANCH" "$PODKEEPER_CHECKOUT" "$PWD"'
    )
    assert log == f"{NASTY}|issue-1689|{home.path}/work/code|{home.folder}"
    assert not (home.path / "pwned").exists()


def test_the_repository_token_is_in_gits_hands_and_nowhere_else(home: Home) -> None:
    script = """
        "$GIT_ASKPASS" "Username for 'https://h'"; "$GIT_ASKPASS" "Password for 'https://h'" | wc -c
        stat -c %a bootstrap.claim/token
        env; cat bootstrap.claim/script bootstrap.claim/environment
    """
    assert home.start(script, token="s3cret-token") == "started"
    log = home.ended().log
    assert log.startswith("x-access-token\n13\n600\n")
    assert "s3cret-token" not in log


def test_the_repository_token_is_gone_when_the_bootstrap_has_ended(home: Home) -> None:
    home.start("exit 1", token="s3cret-token")
    home.ended()
    found = subprocess.run(["grep", "-r", "s3cret", str(home.path)], capture_output=True, check=False)
    assert found.stdout == b""


def test_the_folder_of_a_run_is_for_nobody_else(home: Home) -> None:
    home.carried_out("exit 0")
    assert stat.S_IMODE(home.folder.stat().st_mode) == 0o700


def test_a_preflight_is_given_no_token(home: Home) -> None:
    assert "s3cret" not in start_program(home.job, Work.PREFLIGHT, "exit 0", "s3cret")


@pytest.mark.parametrize(("script", "token"), [("a\0b", ""), ("exit 0", "a\nb")])
def test_what_cannot_be_sent_as_text_is_refused(home: Home, script: str, token: str) -> None:
    with pytest.raises(ValueError, match=r"NUL byte|one printable line"):
        start_program(home.job, Work.BOOTSTRAP, script, token)


@pytest.mark.parametrize(
    "answer", ["", "runn", "exited 0", "exited 1234\n5\n", "running\n", "bash: not found\n"]
)
def test_an_answer_that_broke_off_is_unknown(answer: str) -> None:
    polled = read_polled(answer, Work.BOOTSTRAP, 1, offset=7)
    assert polled.remote.state is RemoteState.UNKNOWN
    assert polled.next_offset == 7


def test_half_an_answer_about_the_checkout_is_unknown() -> None:
    assert read_checkout("branch main\nhead abc\n") is None
