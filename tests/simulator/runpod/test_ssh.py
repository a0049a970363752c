"""Pods as real SSH servers: logins, commands, detached work, disks, and everything that can be odd."""

import asyncio
import contextlib
import os
import socket
from datetime import timedelta
from typing import Any

import asyncssh
import pytest

from simulator.clock import ManualClock
from simulator.runpod import RunPodSimulator
from simulator.runpod.pod import Pod


def _public(key: asyncssh.SSHKey) -> str:
    return key.export_public_key().decode().strip()


async def _rent(runpod: RunPodSimulator, key: asyncssh.SSHKey, **details: Any) -> Pod:
    pod: Pod = runpod.rent("train", env={"PUBLIC_KEY": _public(key), "TASK": "t-1"}, **details)
    await runpod.settle()
    return pod


def _login(pod: Pod, key: asyncssh.SSHKey, **options: Any) -> Any:
    port = pod.run.ports[22]
    return asyncssh.connect(
        "127.0.0.1", port, username="root", client_keys=[key], known_hosts=None, config=None, **options
    )


async def _said(pod: Pod, key: asyncssh.SSHKey, command: str) -> str:
    async with _login(pod, key) as connection:
        done = await connection.run(command, check=True)
        assert isinstance(done.stdout, str)
        return done.stdout.strip()


async def _gone(pid: int) -> bool:
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        await asyncio.sleep(0.02)
    return False


async def test_a_key_of_the_pod_gets_in_to_a_real_shell(
    runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    pod = await _rent(runpod, key)
    async with _login(pod, key) as connection:
        done = await connection.run("read line; echo $line $TASK $RUNPOD_POD_ID >&2; exit 7", input="hello\n")

    assert (done.exit_status, done.stderr) == (7, f"hello t-1 {pod.id}\n")


async def test_a_strangers_key_does_not_get_in(runpod: RunPodSimulator, key: asyncssh.SSHKey) -> None:
    pod = await _rent(runpod, key)
    stranger = asyncssh.generate_private_key("ssh-ed25519")

    with pytest.raises(asyncssh.PermissionDenied):
        await _login(pod, stranger)


async def test_a_key_line_that_is_no_key_keeps_nobody_out(
    runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    pod = runpod.rent("train", env={"PUBLIC_KEY": f"null\nnot a key\n{_public(key)}"})
    await runpod.settle()

    assert await _said(pod, key, "echo in") == "in"


async def test_a_command_killed_by_a_signal_says_so(runpod: RunPodSimulator, key: asyncssh.SSHKey) -> None:
    pod = await _rent(runpod, key)
    async with _login(pod, key) as connection:
        done = await connection.run("kill -9 $$")

    assert done.exit_signal[0] == "KILL"


async def test_pods_have_homes_of_their_own(runpod: RunPodSimulator, key: asyncssh.SSHKey) -> None:
    one, two = await _rent(runpod, key), await _rent(runpod, key)
    await _said(one, key, "echo secret > ~/mine")

    assert await _said(two, key, "ls -A ~") == ""
    assert await _said(one, key, "cat mine") == "secret"


async def test_detached_work_survives_its_connection_and_dies_with_the_container(
    runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    pod = await _rent(runpod, key)
    pid = int(await _said(pod, key, "setsid nohup sleep 300 >/dev/null 2>&1 </dev/null & echo $!"))
    assert await _said(pod, key, f"kill -0 {pid} && echo alive") == "alive"

    runpod.console.stop(pod.id)
    await runpod.settle()

    assert await _gone(pid)


async def test_work_that_cleared_its_environment_dies_with_the_container_too(
    runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    pod = await _rent(runpod, key)
    pid = int(await _said(pod, key, "env -i setsid sleep 300 >/dev/null 2>&1 </dev/null & echo $!"))

    runpod.console.terminate(pod.id)
    await runpod.settle()

    assert await _gone(pid)


async def test_a_stop_wipes_the_home_and_keeps_the_volume(
    runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    pod = await _rent(runpod, key, volume_gb=20)
    await _said(pod, key, "echo gone > ~/a; echo kept > $SIMULATED_VOLUME/b")
    runpod.console.stop(pod.id)
    await runpod.settle()
    runpod.console.start(pod.id)
    await runpod.settle()

    assert await _said(pod, key, "ls -A ~; cat $SIMULATED_VOLUME/b") == "kept"


async def test_a_restart_keeps_the_home(runpod: RunPodSimulator, key: asyncssh.SSHKey) -> None:
    pod = await _rent(runpod, key)
    await _said(pod, key, "echo kept > ~/a")
    runpod.console.restart(pod.id)
    await runpod.settle()

    assert await _said(pod, key, "cat ~/a") == "kept"


async def test_a_path_ordered_below_the_mounts_exists_while_the_pod_runs(
    runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    path = runpod.mounts / "train"
    pod = await _rent(runpod, key, volume_gb=20, mount_path=str(path))
    await _said(pod, key, f"echo data > {path}/x")

    assert await _said(pod, key, "cat $SIMULATED_VOLUME/x") == "data"
    runpod.console.terminate(pod.id)
    await runpod.settle()
    assert not path.is_symlink()


async def test_a_network_volume_is_shared_and_outlives_its_pods(
    runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    one = await _rent(runpod, key, network_volume="vol1")
    await _said(one, key, "echo shared > $SIMULATED_VOLUME/x")
    runpod.console.terminate(one.id)
    two = await _rent(runpod, key, network_volume="vol1")

    assert await _said(two, key, "cat $SIMULATED_VOLUME/x") == "shared"


async def test_the_fake_nvidia_smi_shows_the_pods_gpus(runpod: RunPodSimulator, key: asyncssh.SSHKey) -> None:
    pod = await _rent(runpod, key, count=2)
    query = "nvidia-smi --query-gpu=index,name,memory.total --format=csv,noheader,nounits"

    assert (await _said(pod, key, "nvidia-smi -L")).count("NVIDIA H100 80GB HBM3 (UUID: GPU-") == 2
    assert await _said(pod, key, query) == (
        "0, NVIDIA H100 80GB HBM3, 81920\n1, NVIDIA H100 80GB HBM3, 81920"
    )
    assert "NVIDIA-SMI" in await _said(pod, key, "nvidia-smi")


async def test_fewer_gpus_and_a_broken_driver_can_be_seen(
    runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    fewer = await _rent(runpod, key, count=4, gpus_seen=3)
    broken = await _rent(runpod, key, driver_mismatch=True)

    assert await _said(fewer, key, "nvidia-smi -L | wc -l") == "3"
    async with _login(broken, key) as connection:
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
    pod = await _rent(runpod, key, **details)

    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", pod.run.ports[22])


async def test_a_silent_server_takes_the_connection_and_says_nothing(
    runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    pod = await _rent(runpod, key, ssh="silent")
    reader, writer = await asyncio.open_connection("127.0.0.1", pod.run.ports[22])

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(reader.read(1), 0.2)
    writer.close()


async def test_a_black_hole_only_ever_times_out(runpod: RunPodSimulator, key: asyncssh.SSHKey) -> None:
    pod = await _rent(runpod, key, ssh="black_hole")

    for _ in range(3):
        with pytest.raises(TimeoutError):
            await asyncio.to_thread(socket.create_connection, ("127.0.0.1", pod.run.ports[22]), 0.2)


async def test_a_server_can_close_right_after_its_banner(
    runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    pod = await _rent(runpod, key, ssh="closes_after_banner")
    reader, writer = await asyncio.open_connection("127.0.0.1", pod.run.ports[22])

    assert (await reader.read()).startswith(b"SSH-2.0-OpenSSH")
    writer.close()


async def test_a_server_can_reject_the_right_key(runpod: RunPodSimulator, key: asyncssh.SSHKey) -> None:
    pod = await _rent(runpod, key, ssh="rejects_key")

    with pytest.raises(asyncssh.PermissionDenied):
        await _login(pod, key)


async def test_connections_can_be_cut_after_a_while(runpod: RunPodSimulator, key: asyncssh.SSHKey) -> None:
    pod = await _rent(runpod, key, ssh_drops_after_s=0.2)

    with contextlib.suppress(asyncssh.ConnectionLost, asyncssh.ChannelOpenError):
        async with _login(pod, key) as connection:
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
        async with _login(pod, key) as connection:
            found = connection.get_server_host_key()
            assert found is not None
            return bytes(found.public_data)

    pod = await _rent(runpod, key, host_key=host_key)
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
    pod = await _rent(runpod, key, ssh_s=30)
    with pytest.raises(ConnectionRefusedError):
        await _login(pod, key)
    clock.advance(timedelta(seconds=30))
    await runpod.settle()

    assert await _said(pod, key, "echo up") == "up"


async def test_nothing_is_left_when_the_simulator_closes(clock: ManualClock, key: asyncssh.SSHKey) -> None:
    async with RunPodSimulator(clock) as runpod:
        pod = await _rent(runpod, key)
        clock.advance(timedelta(minutes=5))
        await runpod.settle()
        pid = int(await _said(pod, key, "setsid sleep 300 >/dev/null 2>&1 </dev/null & echo $!"))
        home = runpod.containers.home(pod.id)
        assert home.is_dir()

    assert await _gone(pid)
    assert not home.exists()


async def test_what_is_said_on_stderr_after_stdout_ended_is_not_lost(
    runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    pod = await _rent(runpod, key)
    async with _login(pod, key) as connection:
        done = await connection.run("exec >&-; sleep 0.1; echo late >&2")

    assert done.stderr == "late\n"
