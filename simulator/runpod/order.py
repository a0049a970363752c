"""What somebody ordered: one pod's configuration, and how big an image is."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256

DEFAULT_IMAGE = "runpod/pytorch:1.0.2-cu1281-torch280-ubuntu2404"
PULL_GB_PER_S = 0.125
_KNOWN_GB = {
    "runpod/pytorch": 7.0,
    "runpod/base": 1.5,
    "pytorch/pytorch": 6.0,
    "vllm/vllm-openai": 9.0,
    "ubuntu": 0.1,
    "python": 0.4,
}


@dataclass(frozen=True, kw_only=True)
class Persistent:
    """A host-local volume: it survives a stop, not a terminate. `size` in GB."""

    size: int
    path: str


@dataclass(frozen=True, kw_only=True)
class NetworkMount:
    """A network volume as mounted into a pod."""

    volume_id: str
    path: str


@dataclass(frozen=True, kw_only=True)
class Order:
    """A pod as ordered. Exactly one of `gpu` and `cpu` is set; `disk` is the container disk in GB."""

    name: str
    image: str = DEFAULT_IMAGE
    gpu: str | None = None
    count: int = 1
    cpu: str | None = None
    vcpus: int = 0
    cloud: str = "SECURE"
    data_centers: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    ports: tuple[str, ...] = ()
    args: str = ""
    disk: int = 50
    persistent: Persistent | None = None
    network: NetworkMount | None = None
    registry: str | None = None
    start_ssh: bool = False
    start_jupyter: bool = False
    global_networking: bool = False

    def tcp_ports(self) -> tuple[int, ...]:
        """The private TCP ports that get a public one."""
        return tuple(number for number, kind in self.all_ports() if kind == "tcp")

    def all_ports(self) -> tuple[tuple[int, str], ...]:
        """`(number, protocol)` for each readable entry of `ports`."""
        split = (entry.partition("/") for entry in self.ports)
        return tuple((int(number), kind or "http") for number, _, kind in split if number.isdigit())

    def mount_path(self) -> str | None:
        """Where the volume shows up in the container, as ordered."""
        if self.persistent is not None:
            return self.persistent.path
        return self.network.path if self.network is not None else None


def image_gb(image: str) -> float:
    """The size of an image in GB: known ones by name, others something stable between 1 and 8."""
    name = image.partition(":")[0]
    if name in _KNOWN_GB:
        return _KNOWN_GB[name]
    return 1 + sha256(image.encode()).digest()[0] % 8
