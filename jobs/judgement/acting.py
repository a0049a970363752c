"""From the plan to intents: ends that nothing holds become deeds, ends that need telling become notices.

The executor looks again before it acts; nothing here ends anything.
"""

from datetime import datetime

from sqlmodel import Session

from jobs.house import House
from jobs.judgement.judging import Judgement
from jobs.judgement.records import NOTICE
from pods.cost import usd_per_hour_saved
from pods.facts import PodFacts
from pods.fence import ends_by_itself_at
from pods.fingerprint import Fingerprint, fingerprint
from pods.guards import Path
from pods.ids import PodId
from pods.plan import Judged
from pods.verdict import Reason
from storage.deed import Deed, intend
from storage.keys import new_key
from storage.outbox import Letter, send
from storage.pod import snapshot
from storage.prices import disks_of, price_of
from storage.question import Question, ask, open_questions, shown_in, void
from storage.switch import is_on
from storage.switches import OPS_CHANNEL_LOST
from storage.trail import Event, record

PATHS = {
    Reason.NEVER_RAN: Path.NEVER_RAN,
    Reason.NEVER_RAN_KEPT: Path.NEVER_RAN,
    Reason.FENCE_PASSED: Path.FENCE,
    Reason.STALE: Path.STALE,
}
NEVER_RAN_EPISODE = "never ran"
"""A pod never ran only once in its life."""


def intend_ends(session: Session, judgement: Judgement) -> int:
    """Write down a deed for each pod that the plan ends. None while nobody would hear of it."""
    if is_on(session, OPS_CHANNEL_LOST):
        return 0
    by_id = {one.facts.pod_id: one for one in judgement.plan.judged}
    return sum(_intend(session, by_id[pod_id], judgement) for pod_id in judgement.plan.ends)


def _intend(session: Session, one: Judged, judgement: Judgement) -> bool:
    facts, now = one.facts, judgement.loaded.pass_.now
    path = PATHS[one.verdict.reason]
    seen = snapshot(session, facts.pod_id)
    price = price_of(session, facts.pod_id, seen)
    deed = Deed(
        id=new_key(),
        path=path,
        pod_id=facts.pod_id,
        fingerprint=present_fingerprint(session, facts),
        actor="podkeeper",
        created_at=now,
        not_before=now,
        due_at=now,
        owner=facts.owner,
        episode=NEVER_RAN_EPISODE if path is Path.NEVER_RAN else None,
        reason=one.verdict.reason,
        evidence={"rule": one.verdict.rule},
        usd_per_hour=usd_per_hour_saved(facts.phase, price, disks_of(session, facts.pod_id, seen)),
    )
    if not intend(session, deed):
        return False
    told = {"path": path, "reason": one.verdict.reason, "deed": deed.id}
    record(session, Event(now, "podkeeper", "deed.intended", facts.pod_id, {**told}))
    return True


def give_notices(
    session: Session, house: House, judgement: Judgement, pods: tuple[PodId, ...], reason: Reason
) -> int:
    """Tell owners of ends that come by themselves. An open question about the same state gives way to it."""
    by_id = {one.facts.pod_id: one for one in judgement.plan.judged}
    given = 0
    for pod_id in pods:
        facts = by_id[pod_id].facts
        if facts.owner is not None and _give_notice(session, house, facts, reason, judgement):
            given += 1
    return given


def _give_notice(
    session: Session, house: House, facts: PodFacts, reason: Reason, judgement: Judgement
) -> bool:
    now = judgement.loaded.pass_.now
    present = present_fingerprint(session, facts)
    for question in open_questions(session):
        if question.pod_id == facts.pod_id and question.fingerprint == present:
            if question.kind == NOTICE and question.reason == reason:
                return False
            void(session, question.id, now, "a notice of its end takes its place")
    notice = Question(
        id=new_key(),
        kind=NOTICE,
        pod_id=facts.pod_id,
        fingerprint=present,
        reason=reason,
        asked=str(facts.owner),
        opened_at=now,
        expires_at=None,
        ends_at=_ends_at(facts, reason, now, house),
    )
    if not ask(session, notice):
        return False
    letter = Letter(f"notice {notice.id}", notice.asked, NOTICE, {"question": notice.id}, urgent=True)
    shown_in(session, notice.id, send(session, letter, now))
    told = {"notice": notice.id, "reason": reason, "owner": facts.owner}
    record(session, Event(now, "podkeeper", "notice.given", facts.pod_id, {**told}))
    return True


def _ends_at(facts: PodFacts, reason: Reason, now: datetime, house: House) -> datetime | None:
    """When it ends if nobody objects. A stale end waits from when Slack takes the notice."""
    if reason is Reason.FENCE_PASSED:
        return ends_by_itself_at(facts)
    return now + house.policy.stale_notice


def present_fingerprint(session: Session, facts: PodFacts) -> Fingerprint:
    """What a question or a deed about this pod is bound to now."""
    seen = snapshot(session, facts.pod_id)
    return fingerprint(
        facts.pod_id,
        facts.phase,
        seen.started_at if seen else None,
        seen.mounts if seen else None,
        facts.grade,
        facts.owner,
    )
