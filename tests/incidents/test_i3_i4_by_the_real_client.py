"""I3.3 and I4 as an agent meets them: the real client, the real service, the exit code that one can trust."""

from pathlib import Path

import pytest

from tests.bot.forked import forked
from tests.incidents.real_agent import first_line, real_agent

ORDER = ("provision", "train", "--gpu", "H100 80GB HBM3")


@pytest.mark.timeout(240)
async def test_i3_3_the_asker_is_killed_and_the_launch_goes_on_to_ready(tmp_path: Path) -> None:
    async with real_agent(tmp_path, bootstrap="sleep 1\n", preflight="exit 0\n") as agent:
        asker = await agent.runs(*ORDER)
        provision = await first_line(asker)
        asker.kill()
        await asker.wait()

        code, lines = await agent.ended("watch", provision)

    assert code == 0
    assert lines[0] == f"PROVISION: id={provision} name=train"
    assert "PREFLIGHT: PASS rc=0" in lines
    assert lines[-2] == "BOOTSTRAP-OK pod=train"
    assert lines[-1].startswith("SSH: ssh root@")


@pytest.mark.timeout(240)
async def test_i3_3_the_service_is_restarted_and_the_same_client_tells_on(
    tmp_path: Path,
) -> None:
    async with real_agent(tmp_path, bootstrap="sleep 1\n", preflight="exit 0\n") as agent:
        asker = await agent.runs(*ORDER)
        await first_line(asker)
        assert await agent.serve.stops() == 0

        async with forked(agent.settings, agent.folder):
            out, err = await asker.communicate()

        [pod] = agent.runpod.fleet.ever()
    assert asker.returncode == 0, err
    assert b"BOOTSTRAP-OK pod=train" in out
    assert pod.ended_at is None


@pytest.mark.timeout(240)
async def test_i4_a_failed_preflight_is_exit_78_and_never_bootstrap_ok(tmp_path: Path) -> None:
    async with real_agent(
        tmp_path, bootstrap="exit 0\n", preflight="echo 'CHECK x FAIL y'; exit 2\n"
    ) as agent:
        code, lines = await agent.ended(*ORDER)

    assert code == 78
    assert "PREFLIGHT: FAIL rc=2" in lines
    assert "BOOTSTRAP-FAILED pod=train rc=2" in lines
    assert not any(line.startswith("BOOTSTRAP-OK") for line in lines)
