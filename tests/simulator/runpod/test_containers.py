"""What is inside a pod: disks, volumes, detached work, and what is left of it afterwards."""

from datetime import timedelta
from pathlib import Path

import asyncssh

from simulator.clock import ManualClock
from simulator.runpod import RunPodSimulator
from simulator.runpod.disk import Disk
from tests.simulator.runpod.shell import gone, rent, said


async def test_pods_have_homes_of_their_own(runpod: RunPodSimulator, key: asyncssh.SSHKey) -> None:
    one, two = await rent(runpod, key), await rent(runpod, key)
    await said(one, key, "echo secret > ~/mine")

    assert await said(two, key, "ls -A ~") == ""
    assert await said(one, key, "cat mine") == "secret"


async def test_detached_work_survives_its_connection_and_dies_with_the_container(
    runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    pod = await rent(runpod, key)
    pid = int(await said(pod, key, "setsid nohup sleep 300 >/dev/null 2>&1 </dev/null & echo $!"))
    assert await said(pod, key, f"kill -0 {pid} && echo alive") == "alive"

    runpod.console.stop(pod.id)
    await runpod.settle()

    assert await gone(pid)


async def test_work_that_left_its_home_dies_with_the_container_too(
    runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    pod = await rent(runpod, key)
    pid = int(await said(pod, key, "cd /; setsid sleep 300 >/dev/null 2>&1 </dev/null & echo $!"))

    runpod.console.restart(pod.id)
    await runpod.settle()

    assert await gone(pid)


async def test_an_end_takes_home_and_volume_along(runpod: RunPodSimulator, key: asyncssh.SSHKey) -> None:
    pod = await rent(runpod, key, volume_gb=20)
    files = Disk(runpod.mounts.parent, pod)
    assert (files.home.is_dir(), files.volume.is_dir()) == (True, True)

    runpod.console.terminate(pod.id)
    await runpod.settle()

    assert (files.home.exists(), files.volume.exists()) == (False, False)


async def test_a_path_ordered_elsewhere_is_left_alone(
    runpod: RunPodSimulator, key: asyncssh.SSHKey, tmp_path: Path
) -> None:
    for path in (tmp_path / "data", runpod.mounts / ".." / ".." / tmp_path.name):
        await rent(runpod, key, volume_gb=20, mount_path=str(path))

        assert not path.is_symlink()


async def test_work_that_cleared_its_environment_dies_with_the_container_too(
    runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    pod = await rent(runpod, key)
    pid = int(await said(pod, key, "env -i setsid sleep 300 >/dev/null 2>&1 </dev/null & echo $!"))

    runpod.console.terminate(pod.id)
    await runpod.settle()

    assert await gone(pid)


async def test_a_stop_wipes_the_home_and_keeps_the_volume(
    runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    pod = await rent(runpod, key, volume_gb=20)
    await said(pod, key, "echo gone > ~/a; echo kept > $SIMULATED_VOLUME/b")
    runpod.console.stop(pod.id)
    await runpod.settle()
    runpod.console.start(pod.id)
    await runpod.settle()

    assert await said(pod, key, "ls -A ~; cat $SIMULATED_VOLUME/b") == "kept"


async def test_a_restart_keeps_the_home(runpod: RunPodSimulator, key: asyncssh.SSHKey) -> None:
    pod = await rent(runpod, key)
    await said(pod, key, "echo kept > ~/a")
    runpod.console.restart(pod.id)
    await runpod.settle()

    assert await said(pod, key, "cat ~/a") == "kept"


async def test_a_path_ordered_below_the_mounts_exists_while_the_pod_runs(
    runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    path = runpod.mounts / "train"
    pod = await rent(runpod, key, volume_gb=20, mount_path=str(path))
    await said(pod, key, f"echo data > {path}/x")

    assert await said(pod, key, "cat $SIMULATED_VOLUME/x") == "data"
    runpod.console.terminate(pod.id)
    await runpod.settle()
    assert not path.is_symlink()


async def test_a_network_volume_is_shared_and_outlives_its_pods(
    runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    one = await rent(runpod, key, network_volume="vol1")
    await said(one, key, "echo shared > $SIMULATED_VOLUME/x")
    runpod.console.terminate(one.id)
    two = await rent(runpod, key, network_volume="vol1")

    assert await said(two, key, "cat $SIMULATED_VOLUME/x") == "shared"


async def test_nothing_is_left_when_the_simulator_closes(clock: ManualClock, key: asyncssh.SSHKey) -> None:
    async with RunPodSimulator(clock) as runpod:
        pod = await rent(runpod, key)
        clock.advance(timedelta(minutes=5))
        await runpod.settle()
        pid = int(await said(pod, key, "setsid sleep 300 >/dev/null 2>&1 </dev/null & echo $!"))
        home = runpod.containers.home(pod.id)
        assert home.is_dir()

    assert await gone(pid)
    assert not home.exists()
