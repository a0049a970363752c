"""The effects that are rows of our own, done in the transaction of the provision's row: the fence, a teardown
for the executor, a question to the owner."""

from collections.abc import Mapping
from datetime import datetime
from typing import assert_never

from sqlmodel import Session

from jobs.executor.facts import standing
from jobs.house import House
from jobs.provision.effects import Answer
from pods.fingerprint import Fingerprint
from pods.guards import Path
from pods.ids import PodId, UserId
from pods.ownership import Claim, ClaimSource
from pods.provision.decision import Decision, Do
from pods.provision.effects import (
    AskOwner,
    Create,
    Poll,
    ProbeSsh,
    ReadBranch,
    ReadSystemLog,
    SetFence,
    Start,
    StopWork,
    Teardown,
)
from pods.provision.effects import (
    Question as About,
)
from pods.provision.seen import CleanUp
from pods.provision.value import Fence, Provision
from storage.claim import say
from storage.columns import JsonObject
from storage.deed import Deed, intend
from storage.keys import new_key
from storage.ledger import ProvisionRecord
from storage.outbox import Letter, send
from storage.provision_asks import set_fence
from storage.provision_question import GO_ON, go_on_fingerprint
from storage.question import Question, ask, shown_in
from storage.trail import Event, record


def do_in_rows(
    session: Session,
    house: House,
    taken: ProvisionRecord,
    decision: Decision,
    now: datetime,
    fingerprints: Mapping[str, Fingerprint],
) -> Answer | None:
    """What the decision wants done, if it is a row. None: it reaches outside, or nothing is to be done."""
    if not isinstance(decision.act, Do):
        return None
    provision = decision.provision
    match decision.act.effect:
        case SetFence(terminates_at=at):
            return {"fence": Fence(set_fence(session, provision.id, at))}
        case Teardown(pod_id):
            _hand_to_executor(session, taken, provision, pod_id, now, fingerprints.get(pod_id))
            return {"clean_up": CleanUp.WORKING} if pod_id == provision.cleaning else {}
        case AskOwner(question, pod_ids):
            _ask(session, house, taken, provision, question, pod_ids, now, fingerprints)
            return {}
        case Create() | ProbeSsh() | ReadSystemLog() | Start() | Poll() | ReadBranch() | StopWork():
            return None
        case _:
            assert_never(decision.act.effect)


def _hand_to_executor(
    session: Session,
    taken: ProvisionRecord,
    provision: Provision,
    pod_id: str,
    now: datetime,
    fingerprint: Fingerprint | None,
) -> None:
    """Without a fingerprint the executor refuses: nobody has seen the pod in this pass."""
    called_off = provision.cancelled_at is not None
    deed = Deed(
        id=new_key(),
        path=Path.PROVISION_CANCEL if called_off else Path.PROVISION_TEARDOWN,
        pod_id=pod_id,
        fingerprint=fingerprint or "",
        actor=(taken.cancelled_by if called_off else None) or "podkeeper",
        created_at=now,
        not_before=now,
        due_at=now,
        owner=taken.owner,
        agent=taken.agent,
        provision_id=provision.id,
        reason="called off before it was reached" if called_off else "nobody ever reached it",
        evidence={"provision": provision.id, "reach": _reach(provision)},
        usd_per_hour=provision.pod.usd_per_hour if provision.pod else None,
    )
    if intend(session, deed):
        facts: JsonObject = {"deed": deed.id, "path": deed.path, "provision": provision.id}
        record(session, Event(now, deed.actor, "deed.intended", pod_id, facts))


def _reach(provision: Provision) -> JsonObject:
    reach = provision.reach
    return {
        "banner": reach.banner,
        "unanswered": reach.unanswered,
        "refused": reach.refused,
        "watched_all_the_time": not provision.blind,
    }


def _ask(
    session: Session,
    house: House,
    taken: ProvisionRecord,
    provision: Provision,
    about: About,
    pod_ids: tuple[str, ...],
    now: datetime,
    fingerprints: Mapping[str, Fingerprint],
) -> None:
    if about is About.GO_ON_AFTER_GAP:
        fingerprint = go_on_fingerprint(provision.id, provision.asked_owner_at or now)
        _open(session, house, taken, provision, GO_ON, about, provision.id, fingerprint, now)
        return
    for pod_id in pod_ids:
        if about is About.MOVED_OR_COPIED:
            say(session, Claim(PodId(pod_id), UserId(taken.owner), now, ClaimSource.MARKS))
            claimed = standing(session, pod_id, now, house.policy)
            fingerprint = claimed.fingerprint if claimed else f"{about}:{pod_id}"
        else:
            fingerprint = fingerprints.get(pod_id) or f"{about}:{pod_id}"
        _open(session, house, taken, provision, "card", about, pod_id, fingerprint, now)


def _open(
    session: Session,
    house: House,
    taken: ProvisionRecord,
    provision: Provision,
    kind: str,
    about: About,
    subject: str,
    fingerprint: str,
    now: datetime,
) -> None:
    question = Question(
        id=new_key(),
        kind=kind,
        pod_id=subject,
        fingerprint=fingerprint,
        reason=about,
        asked=taken.owner,
        opened_at=now,
        expires_at=now + house.answers.expires,
        facts={"provision": provision.id, "name": provision.order.name},
    )
    if not ask(session, question):
        return
    refs: JsonObject = {"question": question.id}
    letter = "order_question" if kind == GO_ON else "card"
    shown_in(
        session, question.id, send(session, Letter(f"card/{question.id}", taken.owner, letter, refs), now)
    )
    facts: JsonObject = {"question": question.id, "about": about, "asked": taken.owner}
    record(session, Event(now, "podkeeper", "question.asked", subject, facts))
