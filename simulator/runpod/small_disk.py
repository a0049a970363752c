"""A HOME that gets full: a small file system in a mount namespace, for which nobody has to be root."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

_APART = ("unshare", "--user", "--map-root-user", "--mount", "--")
_MOUNT = 'mount -t tmpfs -o "size=$1" tmpfs "$2" && echo mounted && exec sleep infinity'


class SmallDisk:
    """Holds the namespace until it is closed; only who runs inside sees the small file system."""

    def __init__(self, home: Path, env: Mapping[str, str], kb: int) -> None:
        """Raises OSError where the machine lets nobody mount anything."""
        self._holder = subprocess.Popen(
            [*_APART, "sh", "-c", _MOUNT, "sh", f"{kb}k", str(home)],
            env=dict(env),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert self._holder.stdout is not None
        if self._holder.stdout.readline() != b"mounted\n":
            self.close()
            raise OSError("no small disk can be mounted on this machine")

    def inside(self, command: Sequence[str]) -> list[str]:
        """The command, run in the namespace and in HOME."""
        enter = (
            "nsenter",
            f"--target={self._holder.pid}",
            "--user",
            "--preserve-credentials",
            "--mount",
            "--",
        )
        return [*enter, "sh", "-c", 'cd "$HOME" && exec "$@"', "sh", *command]

    def close(self) -> None:
        """The file system is gone with the last process inside."""
        assert self._holder.stdout is not None
        self._holder.kill()
        self._holder.wait()
        self._holder.stdout.close()


def can_be_mounted() -> bool:
    """Whether this machine lets a user mount a file system in a namespace of their own."""
    tried = [*_APART, "sh", "-c", 'mount -t tmpfs -o size=64k tmpfs "$1"', "sh", "/mnt"]
    try:
        return subprocess.run(tried, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False
