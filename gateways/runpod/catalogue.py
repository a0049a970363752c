"""What can be rented and where: GPU types, data centres, network volumes, read from RunPod's JSON.

An entry without an id is left out, anything else that is odd is unknown.
"""

from dataclasses import dataclass

from gateways.runpod.json_values import Json, child, items, positive_int, positive_number, text


@dataclass(frozen=True, slots=True)
class GpuType:
    """`GpuType` of RunPod REST v2. Prices are list prices in dollars per hour for a single GPU."""

    gpu_id: str
    name: str
    memory_gb: int | None
    secure_usd_per_hour: float | None
    community_usd_per_hour: float | None
    secure_max_count: int | None
    community_max_count: int | None
    stock: str | None
    """NONE, LOW, MEDIUM or HIGH, for pods."""
    data_centres: tuple[str, ...]
    """Those that offer it for pods right now."""


@dataclass(frozen=True, slots=True)
class DataCentre:
    """`DataCenter` of RunPod REST v2."""

    centre_id: str
    name: str
    region: str | None


@dataclass(frozen=True, slots=True)
class NetworkVolume:
    """`NetworkVolume` of RunPod REST v2."""

    volume_id: str
    name: str
    gb: int | None
    data_centre: str | None


def read_gpu_types(body: Json) -> tuple[GpuType, ...] | None:
    """`ListGpuTypesResponse`; None if it is no such list."""
    entries = _entries(body, "gpus")
    return None if entries is None else tuple(_gpu_type(gpu_id, entry) for gpu_id, entry in entries)


def read_data_centres(body: Json) -> tuple[DataCentre, ...] | None:
    """`ListDataCentersResponse`; None if it is no such list."""
    entries = _entries(body, "dataCenters")
    if entries is None:
        return None
    return tuple(
        DataCentre(centre_id, text(child(entry, "name")) or centre_id, text(child(entry, "region")))
        for centre_id, entry in entries
    )


def read_network_volumes(body: Json) -> tuple[NetworkVolume, ...] | None:
    """`ListNetworkVolumesResponse`; None if it is no such list."""
    entries = _entries(body, "networkVolumes")
    if entries is None:
        return None
    return tuple(
        NetworkVolume(
            volume_id,
            text(child(entry, "name")) or volume_id,
            positive_int(child(entry, "size")),
            text(child(entry, "dataCenter")),
        )
        for volume_id, entry in entries
    )


def read_ssh_keys(body: Json) -> tuple[str, ...] | None:
    """`SshKeys`: the account's registered public keys; None if it is no such list."""
    keys = child(body, "keys")
    if not isinstance(keys, list):
        return None
    return tuple(key.strip() for key in keys if isinstance(key, str) and key.strip())


def _entries(body: Json, key: str) -> list[tuple[str, Json]] | None:
    listed = child(body, key)
    if not isinstance(listed, list):
        return None
    return [(entry_id, entry) for entry in listed if (entry_id := text(child(entry, "id"))) is not None]


def _gpu_type(gpu_id: str, entry: Json) -> GpuType:
    price, most = child(entry, "price"), child(entry, "maxCount")
    secure, community = child(entry, "secure") is not False, child(entry, "community") is not False
    centres = [
        centre for centre in items(child(entry, "dataCenters")) if child(centre, "availability") != "NONE"
    ]
    return GpuType(
        gpu_id=gpu_id,
        name=text(child(entry, "name")) or gpu_id,
        memory_gb=positive_int(child(entry, "memory")),
        secure_usd_per_hour=positive_number(child(price, "secure")) if secure else None,
        community_usd_per_hour=positive_number(child(price, "community")) if community else None,
        secure_max_count=positive_int(child(most, "secure")),
        community_max_count=positive_int(child(most, "community")),
        stock=text(child(entry, "availability")),
        data_centres=tuple(name for centre in centres if (name := text(child(centre, "id"))) is not None),
    )
