"""Pods that bear the marks of a create call of ours and are not the pod that it made: RunPod moved one,
somebody copied one, or one came of a call whose provision was over before anybody knew of it.

Nothing is adopted and nothing is ended. Such a pod is claimed for the one whom the provision was for, who is
asked about it.
"""

from collections.abc import Iterable
from datetime import datetime

from sqlmodel import Session, select

from pods.ids import PodId, UserId
from pods.ownership import Claim, ClaimSource
from pods.provision.stages import UNDER_WAY
from pods.snapshot import Snapshot
from storage.claim import say
from storage.provision import CreateCallRow, ProvisionRow
from storage.trail import Event, record


def claim_copies(session: Session, new_pods: Iterable[Snapshot], at: datetime) -> None:
    """Claim those of the pods seen for the first time that carry the token of a call bound to another pod, or
    to none when its provision is over: one that is under way looks for its pods itself."""
    for pod in new_pods:
        if pod.create_mark is None:
            continue
        bound = session.exec(
            select(CreateCallRow.pod_id, CreateCallRow.provision_id).where(
                CreateCallRow.token == pod.create_mark
            )
        ).first()
        if bound is None or bound[0] == pod.pod_id:
            continue
        made_for = select(ProvisionRow.owner, ProvisionRow.stage).where(ProvisionRow.id == bound[1])
        owner, stage = session.exec(made_for).one()
        if bound[0] is None and stage in UNDER_WAY:
            continue
        say(session, Claim(PodId(pod.pod_id), UserId(owner), at, ClaimSource.MARKS))
        evidence = {"provision": bound[1], "bound_to": bound[0]}
        record(session, Event(at, "podkeeper", "pod.moved_or_copied", pod.pod_id, {**evidence}))
