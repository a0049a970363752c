"""The bootstrap that comes with the product, and the reading of what it checked out, with real git."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from jobs.on_pod.programs import checkout_name, default_script
from pods.known_failures import failures_in
from pods.provision.branches import is_right
from pods.provision.seen import Work
from tests.on_pod.home import Home

SCRIPT = default_script(Work.BOOTSTRAP)
PROJECT = '[project]\nname = "code"\nversion = "1"\nrequires-python = ">=3.11"\n[tool.uv]\npackage = false\n'


def git(folder: Path, *words: str) -> str:
    who = {
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@b",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@b",
    }
    done = subprocess.run(
        ["git", "-c", "init.defaultBranch=main", "-C", str(folder), *words],
        capture_output=True,
        check=True,
        env={**os.environ, **who, "HOME": str(folder)},
    )
    return done.stdout.decode().strip()


def commit(folder: Path, name: str, text: str = "x") -> str:
    (folder / name).write_text(text)
    git(folder, "add", name)
    git(folder, "commit", "-m", name)
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    """A repository with the branches main and issue-1689, and the tag v1 on a commit of its own."""
    folder = tmp_path / "code"
    folder.mkdir()
    git(folder, "init")
    commit(folder, "readme")
    git(folder, "checkout", "-b", "issue-1689")
    commit(folder, "work")
    commit(folder, "release")
    git(folder, "tag", "-a", "v1", "-m", "v1")
    git(folder, "reset", "--hard", "HEAD~1")
    git(folder, "checkout", "main")
    return folder


@pytest.fixture
def pod(home: Home, remote: Path) -> Home:
    home.order = replace(home.order, repo=f"file://{remote}", branch="issue-1689")
    return home


def with_uv(home: Home) -> Home:
    """The environment's own uv is found on the pod."""
    uv = Path(sys.executable).parent / "uv"
    assert uv.exists(), "uv belongs to the development environment"
    home.search_path = f"{uv.parent}:{home.search_path}"
    return home


def test_the_branch_that_was_asked_for_is_checked_out(pod: Home, remote: Path) -> None:
    assert pod.carried_out(SCRIPT)[0] == 0
    checkout = pod.checkout()
    assert checkout is not None
    assert (checkout.branch, checkout.head) == ("issue-1689", git(remote, "rev-parse", "issue-1689"))
    assert is_right("issue-1689", checkout)


def test_a_branch_is_right_though_a_tag_has_its_name(pod: Home, remote: Path) -> None:
    git(remote, "tag", "issue-1689", "main")
    assert pod.carried_out(SCRIPT)[0] == 0
    checkout = pod.checkout()
    assert checkout is not None
    assert (checkout.branch, checkout.head) == ("issue-1689", git(remote, "rev-parse", "heads/issue-1689"))
    assert is_right("issue-1689", checkout)


def test_no_branch_asked_for_means_the_repositorys_own(pod: Home) -> None:
    pod.order = replace(pod.order, branch=None)
    assert pod.carried_out(SCRIPT)[0] == 0
    checkout = pod.checkout()
    assert checkout is not None
    assert checkout.branch == "main"


def test_a_branch_that_does_not_exist_fails_and_is_never_silently_another(pod: Home) -> None:
    pod.order = replace(pod.order, branch="issue-1690")
    rc, log = pod.carried_out(SCRIPT)
    assert rc == 1
    assert "branch_missing" in [known.code for known in failures_in(log)]


def test_a_tag_is_checked_out_detached_and_is_right(pod: Home) -> None:
    pod.order = replace(pod.order, branch="v1")
    assert pod.carried_out(SCRIPT)[0] == 0
    checkout = pod.checkout()
    assert checkout is not None
    assert checkout.detached
    assert checkout.head == checkout.remote_commit
    assert is_right("v1", checkout)


def test_a_commit_is_checked_out_detached_and_is_right(pod: Home, remote: Path) -> None:
    wanted = git(remote, "rev-parse", "issue-1689")
    pod.order = replace(pod.order, branch=wanted)
    assert pod.carried_out(SCRIPT)[0] == 0
    assert is_right(wanted, pod.checkout())


def test_a_part_of_a_commit_id_is_refused_and_told_what_would_be_right(pod: Home, remote: Path) -> None:
    pod.order = replace(pod.order, branch=git(remote, "rev-parse", "issue-1689")[:8])
    rc, log = pod.carried_out(SCRIPT)
    assert rc != 0
    assert "does not exist at the remote; a commit is asked for by its whole id" in log


def test_a_detached_head_elsewhere_is_not_right(pod: Home) -> None:
    pod.carried_out(SCRIPT)
    git(pod.path / "work" / "code", "checkout", "--detach", "origin/main")
    checkout = pod.checkout()
    assert checkout is not None
    assert checkout.detached
    assert checkout.remote_commit not in (None, checkout.head)
    assert not is_right("issue-1689", checkout)


def test_without_a_checkout_there_is_nothing_to_read(pod: Home) -> None:
    checkout = pod.checkout()
    assert checkout is not None
    assert (checkout.branch, checkout.head, checkout.detached) == (None, None, False)


def test_a_second_run_brings_the_checkout_up_to_date(pod: Home, remote: Path) -> None:
    pod.carried_out(SCRIPT)
    git(remote, "checkout", "issue-1689")
    newest = commit(remote, "more")
    pod.run = 2
    assert pod.carried_out(SCRIPT)[0] == 0
    checkout = pod.checkout()
    assert checkout is not None
    assert checkout.head == newest


def test_a_second_run_never_throws_away_work_that_was_done_on_the_pod(pod: Home, remote: Path) -> None:
    pod.carried_out(SCRIPT)
    on_pod = pod.path / "work" / "code"
    own = commit(on_pod, "own")
    git(remote, "checkout", "issue-1689")
    commit(remote, "more")
    pod.run = 2
    assert pod.carried_out(SCRIPT)[0] != 0
    assert git(on_pod, "rev-parse", "HEAD") == own


def test_a_folder_that_is_no_repository_is_left_as_it_is(pod: Home) -> None:
    folder = pod.path / "work" / "code"
    folder.mkdir(parents=True)
    (folder / "precious").touch()
    rc, log = pod.carried_out(SCRIPT)
    assert rc == 1
    assert "is no repository; move it away" in log
    assert (folder / "precious").exists()


def test_without_a_repository_there_is_nothing_to_do(home: Home) -> None:
    rc, log = home.carried_out(SCRIPT)
    assert rc == 0
    assert "nothing to do" in log


def test_a_repository_that_does_not_exist_is_explained(pod: Home) -> None:
    pod.order = replace(pod.order, repo=f"file://{pod.path}/nowhere")
    assert pod.carried_out(SCRIPT)[0] != 0


def test_uv_makes_the_environment_where_it_is_found(pod: Home, remote: Path) -> None:
    git(remote, "checkout", "issue-1689")
    commit(remote, "pyproject.toml", PROJECT)
    assert with_uv(pod).carried_out(SCRIPT)[0] == 0
    assert (pod.path / "work" / "code" / ".venv" / "bin" / "python").exists()


PYTHON_THAT_MAKES_ITSELF = """#!/bin/sh
case "$1 $2" in
"-m venv") mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
"-m pip") echo "pip: $*" ;;
esac
"""


def test_venv_makes_the_environment_where_uv_is_not_found(pod: Home, remote: Path) -> None:
    git(remote, "checkout", "issue-1689")
    commit(remote, "requirements.txt", "")
    tools = pod.path / "tools"
    tools.mkdir()
    (tools / "python3").write_text(PYTHON_THAT_MAKES_ITSELF)
    (tools / "python3").chmod(0o755)
    pod.search_path = f"{tools}:/usr/bin:/bin"
    rc, log = pod.carried_out(SCRIPT)
    assert rc == 0
    assert "pip: -m pip install -r requirements.txt" in log
    assert (pod.path / "work" / "code" / ".venv" / "bin" / "python").exists()


def test_the_overlay_puts_the_environment_elsewhere_and_moves_the_old_one_aside(
    pod: Home, remote: Path
) -> None:
    git(remote, "checkout", "issue-1689")
    commit(remote, "pyproject.toml", PROJECT)
    with_uv(pod).carried_out(SCRIPT)
    pod.order, pod.run = replace(pod.order, overlay_venv=True), 2
    rc, log = pod.carried_out(SCRIPT)
    assert rc == 0, log
    code = pod.path / "work" / "code"
    assert (code / ".venv").readlink() == pod.path / ".venvs" / "code"
    assert (code / ".venv" / "bin" / "python").exists()
    assert [old.name for old in code.glob(".venv.before-overlay.*")] != []
    assert "export UV_NO_SYNC=1" in (pod.path / ".bashrc").read_text()


def test_a_link_that_leads_nowhere_after_a_stop_is_made_again(pod: Home, remote: Path) -> None:
    git(remote, "checkout", "issue-1689")
    commit(remote, "pyproject.toml", PROJECT)
    pod.order = replace(pod.order, overlay_venv=True)
    with_uv(pod).carried_out(SCRIPT)
    (pod.path / ".venvs").rename(pod.path / "wiped")
    pod.run = 2
    rc, log = pod.carried_out(SCRIPT)
    assert rc == 0
    assert "leads nowhere" in log
    assert (pod.path / "work" / "code" / ".venv" / "bin" / "python").exists()


@pytest.mark.parametrize(
    ("repo", "folder"),
    [
        ("https://h/team/code.git", "code"),
        ("git@h.com:team/code", "code"),
        ("git@h.com:code.git", "code"),
        ("file:///srv/my code/", "my_code"),
        ("https://h/..", "repository"),
        (None, "repository"),
    ],
)
def test_a_repository_is_checked_out_into_a_folder_of_its_name(repo: str | None, folder: str) -> None:
    assert checkout_name(repo) == folder
