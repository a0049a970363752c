"""RunPod's JSON for a pod, read strictly: what is odd is unknown, and never an error.

Shapes: RunPod REST v2, `Pod` and `ListPodsResponse`, and recorded answers that differ from them.
"""

import re
from collections.abc import Callable, Mapping
from datetime import datetime

from gateways.runpod.json_values import Json, child, items, moment, positive_int, positive_number, text
from pods.phase import Status
from pods.snapshot import Listing, Mounts, Snapshot, SshEndpoint, Unreadable

_POD_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_HOST = re.compile(r"[A-Za-z0-9][A-Za-z0-9.:-]{0,252}")
_PORTS = range(1, 65536)
ReadEntry = Callable[[Json, str], Snapshot | Unreadable]


def is_pod_id(value: Json) -> bool:
    """Whether this can be a pod's id: it goes into addresses, so nothing else is let through."""
    return isinstance(value, str) and _POD_ID.fullmatch(value) is not None


def read_listing(
    body: Json, *, at: datetime, provider_at: datetime | None, read: ReadEntry | None = None
) -> Listing:
    """The answer to "which pods are there". It is whole if every entry has a readable id.

    `read` reads one entry; by default that is `read_pod`.
    """
    if not isinstance(body, dict) or not isinstance(body.get("pods"), list):
        return not_whole("RunPod's answer has no list of pods in it", at=at, provider_at=provider_at)
    entries = items(body["pods"])
    pods: dict[str, Snapshot | Unreadable] = {}
    nameless = 0
    for entry in entries:
        pod_id = child(entry, "id")
        if isinstance(pod_id, str) and is_pod_id(pod_id):
            pods[pod_id] = _read_or_twice(entry, pod_id, pods, read or read_pod)
        else:
            nameless += 1
    why = f"{nameless} of {len(entries)} entries have no readable id" if nameless else None
    return Listing(at=at, pods=pods, whole=why is None, provider_at=provider_at, why_not_whole=why)


def not_whole(why: str, *, at: datetime, provider_at: datetime | None = None) -> Listing:
    """A listing from which nothing may be concluded."""
    return Listing(at=at, pods={}, whole=False, provider_at=provider_at, why_not_whole=why)


def _read_or_twice(
    entry: Json, pod_id: str, seen: Mapping[str, Snapshot | Unreadable], read: ReadEntry
) -> Snapshot | Unreadable:
    if pod_id in seen:
        return Unreadable(pod_id, "it is in the listing twice")
    return read(entry, pod_id)


def read_pod(entry: Json, pod_id: str) -> Snapshot | Unreadable:
    """One pod. Only an odd status or an odd runtime makes it unreadable: they say whether it lives."""
    status = _status(child(entry, "status"))
    if status is None:
        return Unreadable(pod_id, "its status is none that RunPod documents")
    runtime, direct, env = child(entry, "runtime"), child(child(entry, "ssh"), "direct"), child(entry, "env")
    if runtime is not None and not isinstance(runtime, dict):
        return Unreadable(pod_id, "its runtime is neither null nor an object")
    return Snapshot(
        pod_id=pod_id,
        name=text(child(entry, "name")) or "",
        status=status,
        shows_life=is_alive(runtime) or bool(direct),
        created_at=moment(child(entry, "createdAt")),
        started_at=moment(child(entry, "startedAt")),
        gpu_type=text(child(child(entry, "gpu"), "id")),
        gpu_count=positive_int(child(child(entry, "gpu"), "count")),
        usd_per_hour=positive_number(child(entry, "cost")),
        data_center=text(child(entry, "dataCenterId")),
        cloud=text(child(entry, "cloud")),
        image=text(child(entry, "image")),
        mounts=_mounts(child(entry, "mounts")),
        container_disk_gb=positive_int(child(entry, "disk")),
        ssh=_endpoint(direct),
        locked=child(entry, "locked") is not False,
        cluster_member=child(entry, "cluster") is not None,
        provision_mark=text(child(env, "PODKEEPER_PROVISION")),
        create_mark=text(child(env, "PODKEEPER_CREATE")),
        actions=tuple(action for action in items(child(entry, "actions")) if isinstance(action, str)),
    )


def _status(value: Json) -> Status | None:
    return Status(value) if isinstance(value, str) and value in Status.__members__ else None


def is_alive(runtime: Json) -> bool:
    """An uptime above zero, a port or a GPU. A runtime without any of these says nothing."""
    uptime = positive_number(child(runtime, "uptime"))
    return uptime is not None or bool(items(child(runtime, "ports"))) or bool(items(child(runtime, "gpus")))


def _endpoint(direct: Json) -> SshEndpoint | None:
    host, port = text(child(direct, "host")), positive_int(child(direct, "port"))
    if host is None or _HOST.fullmatch(host) is None or port is None or port not in _PORTS:
        return None
    return SshEndpoint(host, port)


def _mounts(value: Json) -> Mounts | None:
    """`{}` is unknown: RunPod has dropped the volume from its answers before."""
    if not isinstance(value, dict) or not value:
        return None
    persistent, network = child(value, "persistent"), items(child(value, "network"))
    volumes = [volume for entry in network if (volume := text(child(entry, "volumeId"))) is not None]
    return Mounts(
        persistent_gb=positive_int(child(persistent, "size")),
        persistent_path=text(child(persistent, "path")),
        network_volumes=tuple(volumes),
        network_path=text(child(network[0], "path")) if network else None,
    )
