"""What our own tables say of the pods, read once for a whole pass."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from pods.fingerprint import fingerprint
from pods.guards import Path
from pods.ids import PodId
from pods.keeps import KeepTag
from pods.ownership import Claim, ClaimSource, Ownership, Statement, Withdrawal
from pods.phase import Phase
from pods.snapshot import Snapshot
from pods.verdict import Reason
from storage.claim import statements
from storage.deed import STOP, episodes_with_deed, open_deeds
from storage.history import signs_of_life
from storage.keep import Heartbeat, heartbeats, keep_tags
from storage.pod import snapshot, status_texts
from storage.provision import ProvisionRow
from storage.question import Question, open_questions

NOTICE = "notice"
"""The kind of question that tells of an end that comes by itself."""


@dataclass(frozen=True, slots=True)
class Notices:
    """When Slack took the notices about one pod, as far as they are still about its present state."""

    stale_at: datetime | None = None
    fence_at: datetime | None = None


NO_NOTICES = Notices()


@dataclass(frozen=True, slots=True)
class Records:
    """Everything that is not a column of the fleet query."""

    statements: Mapping[PodId, list[Statement]]
    keeps: Mapping[PodId, list[KeepTag]]
    heartbeats: Mapping[PodId, list[Heartbeat]]
    texts: Mapping[PodId, str]
    ran: frozenset[str]
    """Pods of which something but a listing showed that they ran."""
    ending: frozenset[str]
    acted: frozenset[str]
    """Pods on which the never-ran watcher has had its deed."""
    notices: Mapping[str, list[Question]]
    noticed: Mapping[str, Snapshot]
    """The pods that these are about, as they were last seen."""


def read_records(session: Session) -> Records:
    """All of it, in a handful of queries."""
    notices: dict[str, list[Question]] = {}
    for question in open_questions(session, kind=NOTICE):
        if question.delivered_at is not None:
            notices.setdefault(question.pod_id, []).append(question)
    return Records(
        statements=statements(session),
        keeps=keep_tags(session),
        heartbeats=heartbeats(session),
        texts=status_texts(session),
        ran=frozenset(signs_of_life(session)) | _reached(session),
        ending=frozenset(pod_id for pod_id, deed in open_deeds(session).items() if deed.path != STOP),
        acted=frozenset(pod_id for pod_id, _ in episodes_with_deed(session, Path.NEVER_RAN)),
        notices=notices,
        noticed={pod_id: seen for pod_id in notices if (seen := snapshot(session, pod_id)) is not None},
    )


def _reached(session: Session) -> frozenset[str]:
    """Pods whose SSH server has answered a provision of ours."""
    reached = select(ProvisionRow.pod_id).where(
        col(ProvisionRow.pod_id).is_not(None), col(ProvisionRow.reached_at).is_not(None)
    )
    return frozenset(str(pod_id) for pod_id in session.exec(reached))


def notices_about(records: Records, pod_id: PodId, phase: Phase | None, owned: Ownership) -> Notices:
    """The notices that still hold: a pod that changed since has been told of nothing."""
    told = records.notices.get(pod_id)
    if not told:
        return NO_NOTICES
    seen = records.noticed.get(pod_id)
    present = fingerprint(
        pod_id,
        phase,
        seen.started_at if seen else None,
        seen.mounts if seen else None,
        owned.grade,
        owned.owner,
    )
    stale_at = fence_at = None
    for question in told:
        if question.fingerprint != present:
            continue
        if question.reason == Reason.STALE:
            stale_at = question.delivered_at
        elif question.reason == Reason.FENCE_PASSED:
            fence_at = question.delivered_at
    return Notices(stale_at, fence_at)


def moved_or_copied(said: list[Statement] | None) -> bool:
    """It bears our marks, and the one whom the provision was for has not said what it is."""
    if not said:
        return False
    marked = [one for one in said if isinstance(one, Claim) and one.source is ClaimSource.MARKS]
    answered = any(
        (isinstance(one, Withdrawal) or (isinstance(one, Claim) and one.source is not ClaimSource.MARKS))
        and any(one.owner == mark.owner and one.at >= mark.at for mark in marked)
        for one in said
    )
    return bool(marked) and not answered


def last_beat(beats: list[Heartbeat] | None, agent: str | None) -> datetime | None:
    """The last sign of life of the pod's own agent; None too once it said that it has finished."""
    if not beats:
        return None
    own = [beat for beat in beats if agent is None or beat.agent == agent]
    alive = [beat.at for beat in own if beat.finished_at is None or beat.at > beat.finished_at]
    return max(alive, default=None)
