"""What is asked once, at no time of the table: of stale pods at the audit, whose a pod is, what a copy is."""

from collections.abc import Iterable

from sqlmodel import Session

from jobs.hearing.asking import open_card
from jobs.hearing.zones import quiet_hours
from jobs.house import House
from jobs.judgement.judging import Judgement
from pods.ids import UserId
from pods.ownership import ownership
from pods.plan import Judged, is_question
from pods.quiet import speak_at
from pods.verdict import Reason
from storage.claim import statements
from storage.ledger import ledger_records

_AT_ONCE = (Reason.CONFLICTING_CLAIMS, Reason.MOVED_OR_COPIED)


def ask_about_stale(session: Session, house: House, judgement: Judgement) -> int:
    """Ask the owners of stale pods that end by no notice. Returns how many questions were opened."""
    return sum(
        _ask_owner(session, house, judgement, one, [str(one.facts.owner)])
        for one in judgement.plan.judged
        if one.verdict.reason is Reason.STALE and is_question(one.verdict) and one.facts.owner is not None
    )


def ask_whose(session: Session, house: House, judgement: Judgement) -> int:
    """Ask everybody who claims a pod that several claim, and the owner of a pod that may be a copy."""
    asked = [one for one in judgement.plan.judged if one.verdict.reason in _AT_ONCE]
    claimants = _claimants(session, house, judgement, asked) if asked else {}
    return sum(
        _ask_owner(session, house, judgement, one, claimants[one.facts.pod_id])
        for one in asked
        if claimants[one.facts.pod_id]
    )


def _ask_owner(session: Session, house: House, judgement: Judgement, one: Judged, people: list[str]) -> bool:
    now = judgement.plan.at
    awake_at = speak_at(now, quiet_hours(session, house, people[0]))
    return open_card(session, house, one.facts, one.verdict.reason, people, now, not_before=awake_at)


def _claimants(
    session: Session, house: House, judgement: Judgement, asked: Iterable[Judged]
) -> dict[str, list[str]]:
    said, made = statements(session), ledger_records(session)
    now, settle = judgement.plan.at, house.policy.claim_settle
    return {
        facts.pod_id: [
            str(UserId(claimant))
            for claimant in ownership(
                facts.pod_id, made.get(facts.pod_id), said.get(facts.pod_id, ()), now, settle
            ).claimants
        ]
        for facts in (one.facts for one in asked)
    }
