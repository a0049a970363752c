"""Bootstrap scripts that behave as badly as scripts do; the outcome is told from the exit status alone."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pods.exit_codes import ExitCode
from pods.line_order import faults_of
from simulator.runpod.small_disk import can_be_mounted
from storage.run_log import KEPT, tail
from tests.jobs.provision.launching import Launches, exit_code, quick
from tests.machine import missing
from tests.world import World

NASTY = {
    "prints_100_mb": ("yes 0123456789abcdef | head -c 100000000\nexit 3\n", 3),
    "prints_no_newline": ("printf 'half a line'\nexit 0\n", 0),
    "closes_its_input_and_output": ("exec <&- >&- 2>&-\nexit 5\n", 5),
    "leaves_daemons_behind": ("(sleep 300 &)\nnohup sleep 300 >/dev/null 2>&1 &\nexit 0\n", 0),
    "ignores_hangup": ("trap '' HUP TERM\nkill -HUP $$\nexit 0\n", 0),
    "kills_itself": ("kill -9 $$\n", 137),
    "ends_by_a_signal": ("kill -TERM $$\n", 143),
    "signals_its_whole_group": ("kill -TERM 0\n", 143),
    "exits_with_255": ("exit 255\n", 255),
    "prints_control_characters": ("printf '\\033[2J\\000\\377<!channel>```\\n'\nexit 1\n", 1),
    "leaves_half_an_exit_file": ("printf 0 >bootstrap.rc\nsleep 0.2\nexit 9\n", 9),
    "removes_the_log": ("rm -f bootstrap.log\nexit 0\n", 0),
}


@pytest.fixture
def engine_name() -> str:
    """What is stored is proved elsewhere; here the pod is what matters."""
    return "sqlite"


@pytest.mark.parametrize("name", NASTY)
async def test_a_nasty_script_is_told_by_its_exit_status(world: World, tmp_path: Path, name: str) -> None:
    script, rc = NASTY[name]
    world.runpod.quirks.every_pod(allocation_s=1, pull_s=1, start_s=1)
    launches = Launches(quick(world, tmp_path, bootstrap=script))
    wished = await launches.wish()
    found = await launches.over(wished, within=timedelta(minutes=45))
    told = await launches.lines(wished)
    assert faults_of(told) == []
    assert exit_code(found) is (ExitCode.BOOTSTRAP_FAILED if rc else ExitCode.OK)
    assert (f"BOOTSTRAP-FAILED pod=train rc={rc}" in told) == bool(rc)


async def test_of_a_huge_log_the_end_is_kept_and_no_more(world: World, tmp_path: Path) -> None:
    world.runpod.quirks.every_pod(allocation_s=1, pull_s=1, start_s=1)
    script = "yes 0123456789abcdef | head -c 30000000\necho the very last line\nsleep 1\nexit 0\n"
    launches = Launches(quick(world, tmp_path, bootstrap=script))
    wished = await launches.wish()
    await launches.over(wished, within=timedelta(minutes=45))
    known = await world.house.db.read(lambda session: tail(session, wished, 1, "bootstrap"))
    assert known is not None
    assert len(known.text) <= KEPT


FILLS = (
    'dd if=/dev/zero of="$HOME/full" bs=4096\ndf --output=pcent "$HOME" | grep -q 100% && exit 7\nexit 1\n'
)


async def test_a_script_that_fills_the_disk_is_told_by_its_exit_status(world: World, tmp_path: Path) -> None:
    if not can_be_mounted():
        missing("no small disk can be mounted here", "REQUIRE_MOUNT")
    world.runpod.quirks.every_pod(allocation_s=1, pull_s=1, start_s=1, disk_kb=256)
    launches = Launches(quick(world, tmp_path, bootstrap=FILLS))
    wished = await launches.wish()
    found = await launches.over(wished, within=timedelta(minutes=45))
    assert exit_code(found) is ExitCode.BOOTSTRAP_FAILED
    assert "BOOTSTRAP-FAILED pod=train rc=7" in await launches.lines(wished)


async def test_the_repository_token_reaches_neither_log_nor_environment(world: World, tmp_path: Path) -> None:
    world.runpod.quirks.every_pod(allocation_s=1, pull_s=1, start_s=1)
    token = tmp_path / "token"
    token.write_text("ghp_verysecret\n")
    script = 'cat "${GIT_ASKPASS%askpass}token"\nenv\nexit 0\n'
    quickly = quick(world, tmp_path, bootstrap=script)
    launches = Launches(quickly.with_settings(on_pod=replace(quickly.house.on_pod, git_token_file=token)))
    wished = await launches.wish(repo="https://example.com/team/repo")
    found = await launches.over(wished)
    known = await world.house.db.read(lambda session: tail(session, wished, 1, "bootstrap"))
    [pod] = world.runpod.fleet.ever()
    assert known is not None
    assert "(token)" in known.text
    assert "ghp_verysecret" not in known.text
    assert "ghp_verysecret" not in str(pod.order.env)
    home = world.runpod.containers.home(str(found.pod_id))
    left = [file for file in home.rglob("*") if file.is_file() and file.name != "bootstrap.log"]
    assert not any("ghp_verysecret" in file.read_text(errors="replace") for file in left)


@pytest.mark.parametrize("repo", [None, "http://example.com/team/repo", "git@example.com:team/repo.git"])
async def test_a_pod_that_needs_no_repository_token_gets_none(
    world: World, tmp_path: Path, repo: str | None
) -> None:
    world.runpod.quirks.every_pod(allocation_s=1, pull_s=1, start_s=1)
    token = tmp_path / "token"
    token.write_text("ghp_verysecret\n")
    quickly = quick(world, tmp_path, bootstrap='echo "askpass:$GIT_ASKPASS"\n')
    launches = Launches(quickly.with_settings(on_pod=replace(quickly.house.on_pod, git_token_file=token)))
    wished = await launches.wish(repo=repo)
    await launches.over(wished)
    known = await world.house.db.read(lambda session: tail(session, wished, 1, "bootstrap"))
    assert known is not None
    assert known.text.splitlines()[0] == "askpass:"
