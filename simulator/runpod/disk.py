"""A pod's files on the real machine: a HOME that a stop wipes, a volume that stays, a bin with nvidia-smi."""

import contextlib
import os
import shutil
from pathlib import Path

from simulator.runpod.catalogue import Catalogue
from simulator.runpod.nvidia_smi import script
from simulator.runpod.pod import Pod


class Disk:
    """The directories of one pod below the simulator's root."""

    def __init__(self, root: Path, pod: Pod) -> None:
        self._pod = pod
        self._own = root / "pods" / pod.id
        self.home = self._own / "home"
        self.bin = self._own / "bin"
        network = pod.order.network
        self.volume = root / "volumes" / network.volume_id if network else self._own / "volume"
        self._mounts = root / "mounts"

    def mount(self, catalogue: Catalogue) -> None:
        """Make what a starting container finds: an empty HOME if it has none, its volume, its tools."""
        for folder in (self.home, self.bin, self.volume, self._mounts):
            folder.mkdir(parents=True, exist_ok=True)
        gpu = catalogue.gpus.get(self._pod.order.gpu or "")
        tool = self.bin / "nvidia-smi"
        tool.write_text(script(self._pod, gpu), encoding="utf-8")
        tool.chmod(0o755)
        link = self._link()
        if link is not None:
            link.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileNotFoundError):
                link.unlink()
            link.symlink_to(self.volume)

    def unmount(self) -> None:
        """Take the link at the ordered path away, if it still leads to this pod's volume."""
        link = self._link()
        if link is not None and link.is_symlink() and link.readlink() == self.volume:
            link.unlink()

    def wipe(self) -> None:
        """Lose the container disk, as a stop does."""
        shutil.rmtree(self.home, ignore_errors=True)

    def destroy(self) -> None:
        """Lose everything but a network volume, as a terminate does."""
        shutil.rmtree(self._own, ignore_errors=True)

    def _link(self) -> Path | None:
        ordered = self._pod.order.mount_path()
        if ordered is None:
            return None
        path = Path(os.path.normpath(ordered))
        return path if path != self._mounts and path.is_relative_to(self._mounts) else None
