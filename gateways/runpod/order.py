"""What is asked of RunPod when a pod is rented."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from gateways.runpod.json_values import Json


class Cloud(StrEnum):
    """`Cloud` of RunPod REST v2."""

    SECURE = "SECURE"
    COMMUNITY = "COMMUNITY"


@dataclass(frozen=True, slots=True)
class VolumeDisk:
    """A disk on the pod's own host that dies with the pod (`PersistentMount`, at least 10 GB)."""

    gb: int
    path: str


@dataclass(frozen=True, slots=True)
class NetworkVolumeMount:
    """A network volume, which outlives the pod (`NetworkMount`)."""

    volume_id: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateOrder:
    """One create call. The two marks and the public keys cannot be overridden by `env`."""

    name: str
    """The name at RunPod, `<NAME>-<provision id>`."""
    provision_mark: str
    """The provision's id, PODKEEPER_PROVISION on the pod."""
    create_mark: str
    """The token of this very call, PODKEEPER_CREATE on the pod."""
    gpu_id: str
    """`GpuType.id`; RunPod answers an unknown one with "no capacity"."""
    gpu_count: int
    disk_gb: int
    public_keys: tuple[str, ...]
    image: str | None = None
    template_id: str | None = None
    """One of `image` and `template_id` is needed."""
    mount: VolumeDisk | NetworkVolumeMount | None = None
    data_centres: tuple[str, ...] = ()
    cloud: Cloud = Cloud.SECURE
    env: Mapping[str, str] = field(default_factory=dict)
    ports: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.image is None and self.template_id is None:
            raise ValueError("an order needs an image or a template")

    def body(self) -> dict[str, Json]:
        """`CreatePodRequest` of RunPod REST v2.

        `args` is never sent: even an empty one keeps the image's own start script, and with it its SSH
        server, from running.
        """
        body: dict[str, Json] = {
            "name": self.name,
            "gpu": {"id": self.gpu_id, "count": self.gpu_count},
            "disk": self.disk_gb,
            "cloud": self.cloud.value,
            "startSsh": True,
            "ports": list(dict.fromkeys(("22/tcp", *self.ports))),
            "env": {
                **self.env,
                "PUBLIC_KEY": "\n".join(self.public_keys),
                "PODKEEPER_PROVISION": self.provision_mark,
                "PODKEEPER_CREATE": self.create_mark,
            },
        }
        if self.image is not None:
            body["image"] = self.image
        if self.template_id is not None:
            body["templateId"] = self.template_id
        if self.data_centres:
            body["dataCenterIds"] = list(self.data_centres)
        if self.mount is not None:
            body["mounts"] = _mounts(self.mount)
        return body


def _mounts(mount: VolumeDisk | NetworkVolumeMount) -> Json:
    match mount:
        case VolumeDisk(gb, path):
            return {"persistent": {"size": gb, "path": path}}
        case NetworkVolumeMount(volume_id, path):
            return {"network": [{"volumeId": volume_id, "path": path}]}
