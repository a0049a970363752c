"""Pods with a past, for test set-ups and the demo: teammates' pods that were there before."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from pydantic import ConfigDict, validate_call

from simulator.runpod.fleet import Fleet
from simulator.runpod.order import DEFAULT_IMAGE, NetworkMount, Order, Persistent
from simulator.runpod.pod import Pod

DEFAULT_GPU = "NVIDIA H100 80GB HBM3"


@validate_call(config=ConfigDict(arbitrary_types_allowed=True))
def rent(
    fleet: Fleet,
    name: str,
    *,
    by: str = "console:somebody",
    gpu: str = DEFAULT_GPU,
    count: int = 1,
    created: datetime | timedelta | None = None,
    exited: datetime | timedelta | None = None,
    exited_by: str | None = None,
    image: str = DEFAULT_IMAGE,
    env: Mapping[str, str] | None = None,
    ports: tuple[str, ...] = ("22/tcp",),
    volume_gb: int = 0,
    network_volume: str | None = None,
    mount_path: str = "/workspace",
    data_center: str = "US-KS-2",
    cloud: str = "SECURE",
    **plan: object,
) -> Pod:
    """A pod as if somebody had rented it: `created` and `exited` are times, or how long ago.

    `exited_by` names who stopped it (`provider` for an exit by itself), by default who rented it. Capacity
    is not asked. Any field of `PodPlan` may be given. `pydantic.ValidationError` for a wrong argument.
    """
    now = fleet.look()
    persistent = Persistent(size=volume_gb, path=mount_path) if volume_gb else None
    network = NetworkMount(volume_id=network_volume, path=mount_path) if network_volume else None
    order = Order(
        name=name,
        image=image,
        gpu=gpu,
        count=count,
        cloud=cloud,
        env=dict(env or {}),
        ports=ports,
        persistent=persistent,
        network=network,
        start_ssh=True,
    )
    given = fleet.plans.take(name, dict(plan))
    pod = fleet.create(order, by, at=_at(created, now), plan=given, data_center=data_center)
    if exited is not None:
        at, who = _at(exited, now), exited_by or by
        if who == "provider":
            fleet.exit(pod.id, at=at)
        else:
            fleet.stop(pod.id, who, at=at)
    return pod


def _at(moment: datetime | timedelta | None, now: datetime) -> datetime:
    if moment is None:
        return now
    at = now - moment if isinstance(moment, timedelta) else moment
    if at.tzinfo is None:
        raise ValueError(f"{moment} has no offset")
    return at
