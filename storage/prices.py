"""What pods cost an hour while they are rented, as it is known now or was known last."""

from sqlmodel import Session, col, select

from pods.snapshot import Snapshot
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
