"""Real processes of a simulated container: started with its mark, found again and killed by it."""

import os
import signal
import subprocess
import uuid
from collections.abc import Mapping
from pathlib import Path

import psutil

from simulator.runpod.small_disk import SmallDisk

SHELL = "/bin/bash"
_MARK = "SIMULATED_CONTAINER"
_ROUNDS = 20


class Processes:
    """The processes of one container, also those that detached themselves."""

    def __init__(self, home: Path, env: Mapping[str, str], disk_kb: int | None = None) -> None:
        """`disk_kb`: everything sees a file system of that size in the place of HOME."""
        self._disk_kb = disk_kb
        self._small: SmallDisk | None = None
        self._mark = uuid.uuid4().hex
        self._home = home.resolve()
        self._env = {**env, _MARK: self._mark}
        self._children: list[subprocess.Popen[bytes]] = []
        self._any = False

    def run(self, command: str | None, extra: Mapping[str, str]) -> subprocess.Popen[bytes]:
        """Start a command in a login's shell, or the shell itself, as a session of its own."""
        self._any = True
        shell = [SHELL] if command is None else [SHELL, "-c", command]
        if self._disk_kb is not None and self._small is None:
            self._small = SmallDisk(self._home, self._env, self._disk_kb)
        child = subprocess.Popen(
            shell if self._small is None else self._small.inside(shell),
            cwd=self._home,
            env={**extra, **self._env},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            bufsize=0,
        )
        self._children = [one for one in self._children if one.poll() is None]
        self._children.append(child)
        return child

    def kill(self) -> None:
        """Kill everything that carries this container's mark or works in its HOME, detached or not."""
        if not self._any:
            return
        for _ in range(_ROUNDS):
            found = self._alive()
            if not found:
                break
            for pid in found:
                _kill(pid)
        for child in self._children:
            child.kill()
            child.wait()
        self._children.clear()
        if self._small is not None:
            self._small.close()
            self._small = None
        self._any = False

    def _alive(self) -> list[int]:
        return [process.pid for process in psutil.process_iter() if self._is_ours(process)]

    def _is_ours(self, process: psutil.Process) -> bool:
        try:
            if process.pid == os.getpid() or process.status() == psutil.STATUS_ZOMBIE:
                return False
            if process.environ().get(_MARK) == self._mark:
                return True
            return Path(process.cwd()).is_relative_to(self._home)
        except (psutil.Error, OSError):
            return False


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return
