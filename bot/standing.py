"""Whose a pod is now, and in which state: what a click is held against."""

from datetime import datetime, timedelta

from sqlmodel import Session

from pods.fingerprint import Fingerprint, fingerprint
from pods.ids import PodId
from pods.ownership import Ownership, ownership
from pods.phase import Phase
from storage.claim import statements
from storage.ledger import ledger_records
from storage.pod import PodRow, snapshot


def standing(session: Session, pod_id: str, now: datetime, claim_settle: timedelta) -> Ownership:
    """Whose the pod is, by the evidence that counts."""
    pod = PodId(pod_id)
    ledger = ledger_records(session, pod_id).get(pod)
    return ownership(pod, ledger, statements(session, pod_id).get(pod, []), now, claim_settle)


def fingerprint_now(session: Session, pod_id: str, whose: Ownership) -> Fingerprint:
    """The state of the pod as the last listing showed it."""
    row, seen = session.get(PodRow, pod_id), snapshot(session, pod_id)
    return fingerprint(
        PodId(pod_id),
        Phase(row.phase) if row and row.phase else None,
        seen.started_at if seen else None,
        seen.mounts if seen else None,
        whose.grade,
        whose.owner,
    )
