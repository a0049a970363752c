"""An end that was not confirmed when its provision was over, and has come since, is told in the thread."""

from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from pods.provision.outcomes import Outcome
from storage.outbox import Letter, OutboxRow, is_known, redraw, send
from storage.pod import PodRow
from storage.provision import ProvisionRow

GONE = "provision_gone"
TOLD_WITHIN = timedelta(hours=1)
"""An end that is older was told, or nobody was there to tell it."""


def tell_late_ends(session: Session, now: datetime) -> int:
    """Have each told once. Returns how many there are."""
    late = (
        select(ProvisionRow.id, OutboxRow.id, OutboxRow.target)
        .join(PodRow, col(PodRow.pod_id) == col(ProvisionRow.pod_id))
        .join(OutboxRow, col(OutboxRow.id) == col(ProvisionRow.head_message))
        .where(
            ProvisionRow.outcome == Outcome.NOT_TERMINATED,
            col(PodRow.gone_at) > now - TOLD_WITHIN,
        )
    )
    found = session.exec(late).all()
    for provision_id, head, target in found:
        name = f"provision/{provision_id}/gone"
        if not is_known(session, name):
            send(session, Letter(name, target, GONE, {"provision": provision_id}, thread_of=head), now)
            redraw(session, head, now)
    return len(found)
