"""What pods cost an hour while they are rented, as it is known now or was known last, and their disks."""

from sqlmodel import Session, col, select

from pods.snapshot import Mounts, Snapshot
from storage.ledger import ProvisionRecord, readable, record_of_pod
from storage.provision import ProvisionRow


def ordered_prices(session: Session, pod_id: str | None = None) -> dict[str, float]:
    """What RunPod said when we rented each pod that is ours, in US dollars, where it is known."""
    which = col(ProvisionRow.pod_id).is_not(None) if pod_id is None else col(ProvisionRow.pod_id) == pod_id
    found = session.exec(select(ProvisionRow.pod_id, ProvisionRow.usd_per_hour).where(which))
    return {str(pod): usd for pod, usd in found if usd is not None}


def price_of(session: Session, pod_id: str, seen: Snapshot | None) -> float | None:
    """As the account shows it, or showed it last; else as it was when we rented it. None: never known."""
    shown = seen.usd_per_hour if seen else None
    return shown if shown is not None else ordered_prices(session, pod_id).get(pod_id)


def disks_of(session: Session, pod_id: str, seen: Snapshot | None) -> Mounts | None:
    """What is mounted, for its money: as the account shows it, else as we ordered it. None: unknown."""
    if seen is not None and seen.mounts is not None:
        return seen.mounts
    made = record_of_pod(session, pod_id)
    return ordered_disks(made) if made else None


def ordered_disks(made: ProvisionRecord) -> Mounts | None:
    """RunPod shows `{}` for a pod without a volume, which alone says nothing; a template may bring one."""
    wished = readable(made)
    if wished is None or (wished.order.template and wished.order.volume_gb is None):
        return None
    network = (wished.order.network_volume,) if wished.order.network_volume else ()
    return Mounts(persistent_gb=wished.order.volume_gb, network_volumes=network)
