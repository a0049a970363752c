"""Pods as real SSH servers: logins, commands, and everything that can be odd about them."""

import asyncio
import contextlib
import socket
from datetime import timedelta
from typing import Any

import asyncssh
import pytest

from simulator.clock import ManualClock
from simulator.runpod import RunPodSimulator
from tests.simulator.runpod.shell import gone, login, public, rent, said


async def test_a_key_of_the_pod_gets_in_to_a_real_shell(
    runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    pod = await rent(runpod, key)
    async with login(pod, key) as connection:
        done = await connection.run("read line; echo $line $TASK $RUNPOD_POD_ID >&2; exit 7", input="hello\n")

    assert (done.exit_status, done.stderr) == (7, f"hello t-1 {pod.id}\n")


async def test_a_strangers_key_does_not_get_in(runpod: RunPodSimulator, key: asyncssh.SSHKey) -> None:
    pod = await rent(runpod, key)
    stranger = asyncssh.generate_private_key("ssh-ed25519")

    with pytest.raises(asyncssh.PermissionDenied):
        await login(pod, stranger)


async def test_a_key_line_that_is_no_key_keeps_nobody_out(
    runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    pod = runpod.rent("train", env={"PUBLIC_KEY": f"null\nnot a key\n{public(key)}"})
    await runpod.settle()

    assert await said(pod, key, "echo in") == "in"


async def test_a_stop_cuts_connections_and_what_they_run(
    runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    pod = await rent(runpod, key)
    async with login(pod, key) as connection:
        running = asyncio.create_task(connection.run("sleep 300; echo whole"))
        idle = await connection.run("echo in")
        assert idle.stdout == "in\n"
        runpod.console.stop(pod.id)
        await runpod.settle()
        await asyncio.wait_for(connection.wait_closed(), 2)

    assert "whole" not in str((await running).stdout)


async def test_a_command_that_talks_to_a_client_that_left_ends_of_it(
    runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    pod = await rent(runpod, key)
    async with login(pod, key) as connection:
        process = await connection.create_process("echo $$; exec yes")
        pid = int(await process.stdout.readline())
        connection.abort()

    assert await gone(pid)


async def test_what_is_sent_faster_than_it_is_read_arrives_whole(
    runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    pod = await rent(runpod, key)
    slow_reader = "sleep 0.2; head -c 163840 | wc -c; sleep 0.2; wc -c"
    async with login(pod, key) as connection:
        done = await connection.run(slow_reader, input="x" * 263_840)

    assert str(done.stdout).split() == ["163840", "100000"]


async def test_a_command_killed_by_a_signal_says_so(runpod: RunPodSimulator, key: asyncssh.SSHKey) -> None:
    pod = await rent(runpod, key)
    async with login(pod, key) as connection:
        done = await connection.run("kill -9 $$")

    assert done.exit_signal[0] == "KILL"


async def test_the_fake_nvidia_smi_shows_the_pods_gpus(runpod: RunPodSimulator, key: asyncssh.SSHKey) -> None:
    pod = await rent(runpod, key, count=2)
    query = "nvidia-smi --query-gpu=index,name,memory.total --format=csv,noheader,nounits"

    assert (await said(pod, key, "nvidia-smi -L")).count("NVIDIA H100 80GB HBM3 (UUID: GPU-") == 2
    assert await said(pod, key, query) == ("0, NVIDIA H100 80GB HBM3, 81920\n1, NVIDIA H100 80GB HBM3, 81920")
    assert "NVIDIA-SMI" in await said(pod, key, "nvidia-smi")


async def test_fewer_gpus_and_a_broken_driver_can_be_seen(
    runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    fewer = await rent(runpod, key, count=4, gpus_seen=3)
    broken = await rent(runpod, key, driver_mismatch=True)

    assert await said(fewer, key, "nvidia-smi -L | wc -l") == "3"
    async with login(broken, key) as connection:
        done = await connection.run("nvidia-smi")
    assert (done.exit_status, "version mismatch" in str(done.stdout)) == (18, True)


@pytest.mark.parametrize(
    "details",
    [{"ssh": "refuses"}, {"image": "busybox:1"}, {"stuck_in": "RUNNING"}],
    ids=["refuses", "image without sshd", "never runs"],
)
async def test_where_no_sshd_runs_the_port_refuses(
    details: dict[str, Any], runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    pod = await rent(runpod, key, **details)

    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", pod.run.ports[22])


async def test_a_silent_server_takes_the_connection_and_says_nothing(
    runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    pod = await rent(runpod, key, ssh="silent")
    reader, writer = await asyncio.open_connection("127.0.0.1", pod.run.ports[22])

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(reader.read(1), 0.2)
    writer.close()


async def test_a_black_hole_only_ever_times_out(runpod: RunPodSimulator, key: asyncssh.SSHKey) -> None:
    pod = await rent(runpod, key, ssh="black_hole")

    for _ in range(3):
        with pytest.raises(TimeoutError):
            await asyncio.to_thread(socket.create_connection, ("127.0.0.1", pod.run.ports[22]), 0.2)


async def test_a_server_can_close_right_after_its_banner(
    runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    pod = await rent(runpod, key, ssh="closes_after_banner")
    reader, writer = await asyncio.open_connection("127.0.0.1", pod.run.ports[22])

    assert (await reader.read()).startswith(b"SSH-2.0-OpenSSH")
    writer.close()


async def test_a_server_can_reject_the_right_key(runpod: RunPodSimulator, key: asyncssh.SSHKey) -> None:
    pod = await rent(runpod, key, ssh="rejects_key")

    with pytest.raises(asyncssh.PermissionDenied):
        await login(pod, key)


async def test_connections_can_be_cut_after_a_while(runpod: RunPodSimulator, key: asyncssh.SSHKey) -> None:
    pod = await rent(runpod, key, ssh_drops_after_s=0.2)

    with contextlib.suppress(asyncssh.ConnectionLost, asyncssh.ChannelOpenError):
        async with login(pod, key) as connection:
            done = await connection.run("sleep 5; echo whole")
            assert "whole" not in str(done.stdout)
            await asyncio.wait_for(connection.wait_closed(), 2)


@pytest.mark.parametrize(
    ("host_key", "verb", "same"),
    [
        ("per_disk", "restart", True),
        ("per_disk", "start", False),
        ("changes", "restart", False),
        ("stays", "start", True),
    ],
)
async def test_the_host_key_changes_with_the_disk_unless_told_otherwise(
    host_key: str, verb: str, same: bool, runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    async def shown() -> bytes:
        async with login(pod, key) as connection:
            found = connection.get_server_host_key()
            assert found is not None
            return bytes(found.public_data)

    pod = await rent(runpod, key, host_key=host_key)
    before = await shown()
    if verb == "start":
        runpod.console.stop(pod.id)
        await runpod.settle()
    getattr(runpod.console, verb)(pod.id)
    await runpod.settle()

    assert (await shown() == before) is same


async def test_sshd_answers_only_once_it_is_up(
    runpod: RunPodSimulator, clock: ManualClock, key: asyncssh.SSHKey
) -> None:
    pod = await rent(runpod, key, ssh_s=30)
    with pytest.raises(ConnectionRefusedError):
        await login(pod, key)
    clock.advance(timedelta(seconds=30))
    await runpod.settle()

    assert await said(pod, key, "echo up") == "up"


async def test_what_is_said_on_stderr_after_stdout_ended_is_not_lost(
    runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    pod = await rent(runpod, key)
    async with login(pod, key) as connection:
        done = await connection.run("exec >&-; sleep 0.1; echo late >&2")

    assert done.stderr == "late\n"
