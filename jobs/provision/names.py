"""A NAME is free again when its pod is gone, whoever or whatever ended it."""

from datetime import datetime

from sqlmodel import Session, col, select

from storage.pod import PodRow
from storage.provision import ProvisionRow
from storage.provision_asks import free_name


def free_names_of_gone_pods(session: Session, now: datetime) -> int:
    """Free the names of provisions that are over and whose pods are gone. Returns how many."""
    gone = (
        select(ProvisionRow.id)
        .join(PodRow, col(PodRow.pod_id) == col(ProvisionRow.pod_id))
        .where(
            col(ProvisionRow.name_freed_at).is_(None),
            col(ProvisionRow.finished_at).is_not(None),
            col(PodRow.gone_at).is_not(None),
        )
    )
    return sum(free_name(session, provision_id, now) for provision_id in session.exec(gone).all())
