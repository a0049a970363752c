"""The containers that truly run now, as real directories, processes and SSH servers on this machine."""

import asyncio
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from simulator.runpod.disk import Disk
from simulator.runpod.fleet import Fleet
from simulator.runpod.pod import Pod
from simulator.runpod.ports import HOST, PortDesk
from simulator.runpod.processes import Processes
from simulator.runpod.ssh import Listener, listen
from simulator.runpod.timeline import reached

_FROM_OUTSIDE = ("PATH", "LANG", "LC_ALL", "TZ", "TMPDIR")


@dataclass
class _Container:
    pod: Pod
    run: int
    files: Disk
    processes: Processes
    sshd: Listener | None = None


class Containers:
    """Keeps real containers in step with the fleet whenever `follow` is called."""

    def __init__(self, fleet: Fleet, root: Path) -> None:
        self._fleet = fleet
        self._root = root
        self._desk = PortDesk()
        self._up: dict[str, _Container] = {}
        self._disks: dict[str, tuple[Disk, int]] = {}
        self._following = asyncio.Lock()
        fleet.allocate_port = self._desk.reserve

    async def follow(self) -> None:
        """Start and stop what must be, so that the machine looks as the fleet says it does now."""
        async with self._following:
            now = self._fleet.look()
            pods = {pod.id: pod for pod in self._fleet.present()}
            for pod_id, container in list(self._up.items()):
                pod = pods.get(pod_id)
                if pod is None or not pod.container_up(now) or pod.run.number != container.run:
                    await self._stop(container)
            self._lose_disks(pods)
            running = [pod for pod in pods.values() if pod.run.ended_at is None]
            self._desk.keep_only({port for pod in running for port in pod.run.ports.values()})
            for pod in running:
                if pod.container_up(now):
                    await self._start(pod)

    async def close(self) -> None:
        """Stop everything and remove every file."""
        async with self._following:
            for container in list(self._up.values()):
                await self._stop(container)
            self._desk.keep_only(set())
            shutil.rmtree(self._root, ignore_errors=True)

    def home(self, pod_id: str) -> Path:
        """Where a pod's HOME is on this machine."""
        return Disk(self._root, self._fleet.get(pod_id)).home

    async def _start(self, pod: Pod) -> None:
        container = self._up.get(pod.id)
        if container is None:
            files = Disk(self._root, pod)
            files.mount(self._fleet.catalogue)
            processes = Processes(files.home, _environment(pod, files), pod.plan.disk_kb)
            container = _Container(pod, pod.run.number, files, processes)
            self._up[pod.id] = container
            self._disks[pod.id] = (files, pod.run.disk)
        if container.sshd is None and reached(pod.run.ssh_at, self._fleet.look()) and 22 in pod.run.ports:
            sock = self._desk.take(pod.run.ports[22])
            if sock is not None:
                container.sshd = await listen(pod, sock, container.processes)

    async def _stop(self, container: _Container) -> None:
        del self._up[container.pod.id]
        if container.sshd is not None:
            await container.sshd.close()
        await asyncio.to_thread(container.processes.kill)
        container.files.unmount()

    def _lose_disks(self, pods: dict[str, Pod]) -> None:
        for pod_id, (files, disk) in list(self._disks.items()):
            pod = pods.get(pod_id)
            if pod is None or pod.ended_at is not None:
                files.destroy()
                del self._disks[pod_id]
            elif pod.run.disk != disk or pod.run.ended_at is not None:
                files.wipe()
                del self._disks[pod_id]


def _environment(pod: Pod, files: Disk) -> dict[str, str]:
    outside = {name: os.environ[name] for name in _FROM_OUTSIDE if name in os.environ}
    path = f"{files.bin}{os.pathsep}{outside.pop('PATH', os.defpath)}"
    own = {
        "HOME": str(files.home),
        "USER": "root",
        "LOGNAME": "root",
        "PATH": path,
        "RUNPOD_POD_ID": pod.id,
        "RUNPOD_API_KEY": f"rpa_of_{pod.id}",
        "RUNPOD_PUBLIC_IP": HOST,
        "RUNPOD_DC_ID": pod.data_center,
        "RUNPOD_GPU_COUNT": str(pod.order.count if pod.order.gpu else 0),
        "SIMULATED_VOLUME": str(files.volume),
    }
    own |= {f"RUNPOD_TCP_PORT_{private}": str(public) for private, public in pod.run.ports.items()}
    return outside | dict(pod.order.env) | own
