"""Pods that RunPod moved or somebody copied: they bear the marks of a create call of ours that made another.

Nothing is adopted and nothing is ended. Such a pod is claimed for the one whom the provision was for, who is
asked about it.
"""

from collections.abc import Iterable
from datetime import datetime

from sqlmodel import Session, select

from pods.ids import PodId, UserId
from pods.ownership import Claim, ClaimSource
from pods.snapshot import Snapshot
from storage.claim import say
from storage.provision import CreateCallRow, ProvisionRow
from storage.trail import Event, record


def claim_copies(session: Session, new_pods: Iterable[Snapshot], at: datetime) -> None:
    """Claim those of the pods seen for the first time that carry the token of a call bound to another pod."""
    for pod in new_pods:
        if pod.create_mark is None:
            continue
        bound = session.exec(
            select(CreateCallRow.pod_id, CreateCallRow.provision_id).where(
                CreateCallRow.token == pod.create_mark
            )
        ).first()
        if bound is None or bound[0] is None or bound[0] == pod.pod_id:
            continue
        owner = session.exec(select(ProvisionRow.owner).where(ProvisionRow.id == bound[1])).one()
        say(session, Claim(PodId(pod.pod_id), UserId(owner), at, ClaimSource.MARKS))
        evidence = {"provision": bound[1], "bound_to": bound[0]}
        record(session, Event(at, "podkeeper", "pod.moved_or_copied", pod.pod_id, {**evidence}))
