"""Pods as a listing shows them."""

from dataclasses import replace
from datetime import UTC, datetime

from pods.phase import Status
from pods.snapshot import Mounts, Snapshot

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def pod(pod_id: str, **changes: object) -> Snapshot:
    """A pod that runs."""
    running = Snapshot(
        pod_id=pod_id,
        name=f"{pod_id}-at-runpod",
        status=Status.RUNNING,
        shows_life=True,
        created_at=NOON,
        started_at=NOON,
        gpu_type="NVIDIA A40",
        gpu_count=1,
        usd_per_hour=0.4,
        data_center=None,
        cloud=None,
        image=None,
        mounts=Mounts(),
        container_disk_gb=50,
        ssh=None,
        locked=False,
        cluster_member=False,
        provision_mark=None,
        create_mark=None,
    )
    return replace(running, **changes)  # type: ignore[arg-type]  # whatever field the test names
