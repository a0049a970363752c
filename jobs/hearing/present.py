"""The states that somebody has to hear of, as they are now."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, func, select

from jobs.judgement.judging import Judgement
from jobs.observe.folding import WITNESS
from pods.facts import PodFacts
from pods.fence import ends_by_itself_at
from pods.hearing import State
from pods.ids import PodId
from pods.never_ran import age, never_ran
from pods.phase import Phase
from pods.plan import Judged, is_question
from pods.provision.stages import UNDER_WAY
from pods.provision.value import CallState
from pods.verdict import CannotTell, Reap, Reason
from pods.witness import Witness
from storage.deed import Deed, DeedState, open_deeds
from storage.history import silent_since
from storage.ledger import ProvisionRecord, finish_times, record_of_pod
from storage.listing import recall
from storage.provision import CreateCallRow, ProvisionRow
from storage.question import Question, open_questions
from storage.said import Said
from storage.switch import is_on
from storage.switches import OPS_CHANNEL_LOST

NEVER_RAN_REASONS = frozenset(
    {Reason.NEVER_RAN, Reason.NEVER_RAN_KEPT, Reason.NEVER_RAN_UNPROVED, Reason.NEVER_RAN_UNWATCHED}
)
WITNESS_SUBJECT = "runpod"
_ENDING_NOW = (DeedState.ACTING, DeedState.CONFIRMING)

SaidSoFar = dict[tuple[str, str], list[Said]]
"""(subject, state) → what was said of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Present:
    """One state that holds now. `subject` is a pod, a provision, a deed, or RunPod itself."""

    state: State
    subject: str
    began_at: datetime
    owner: str | None
    facts: PodFacts | None = None
    reason: Reason | None = None
    """What its owner is asked about, if this is put to the owner as a question."""
    asker: str | None = None
    """Who asked for the provision, if that is not its owner."""
    question: Question | None = None
    """The open question or notice that said it first."""
    not_before: datetime | None = None


def present_states(
    session: Session, judgement: Judgement, said: SaidSoFar, first_day_over: datetime
) -> list[Present]:
    """All of them. Of pods that were there before us and are nobody's, none before `first_day_over`."""
    return [
        *_of_pods(session, judgement, said, first_day_over),
        *_lost_creates(session),
        *_ends_not_confirmed(session),
        *_witness_out(session),
    ]


def _of_pods(
    session: Session, judgement: Judgement, said: SaidSoFar, first_day_over: datetime
) -> Iterable[Present]:
    ops_lost = is_on(session, OPS_CHANNEL_LOST)
    stale = {each.pod_id: each for each in open_questions(session) if each.reason == Reason.STALE}
    finished = finish_times(session)
    for one in judgement.plan.judged:
        facts, reason = one.facts, one.verdict.reason
        pod_id, owner = facts.pod_id, facts.owner
        if _never_ran_and_stays(one, judgement, ops_lost):
            about = reason if reason in NEVER_RAN_REASONS else Reason.NEVER_RAN
            yield from _pod(State.NEVER_RAN, facts, facts.created_at, about)
        elif reason is Reason.ERROR_STATE or (owner is None and facts.phase is Phase.ERROR):
            waits = first_day_over if owner is None and facts.at_first_listing else None
            yield from _pod(State.ERROR, facts, facts.error_since, Reason.ERROR_STATE, waits)
        elif reason is Reason.LOST_RUNTIME and is_question(one.verdict):
            # Not since its nulls count without a gap: one outage in between is not another loss.
            began_at = silent_since(session, pod_id) or facts.nulls_since
            yield from _pod(State.LOST_RUNTIME, facts, began_at, reason)
        elif reason is Reason.PROVISION_FAILED:
            made = record_of_pod(session, pod_id)
            if made is not None:
                yield _failed_alive(facts, made, said)
        elif reason is Reason.STALE and pod_id in stale:
            question = stale[pod_id]
            yield Present(
                state=State.STALE,
                subject=pod_id,
                began_at=question.opened_at,
                owner=owner,
                facts=facts,
                question=question,
            )
        elif facts.phase is Phase.RUNNING and owner is not None:
            yield from _unfenced(facts, finished, judgement.plan.at)


def _pod(
    state: State,
    facts: PodFacts,
    began_at: datetime | None,
    reason: Reason | None = None,
    not_before: datetime | None = None,
) -> Iterable[Present]:
    since = began_at or facts.first_seen_at
    if since is not None:
        yield Present(
            state=state,
            subject=facts.pod_id,
            began_at=since,
            owner=facts.owner,
            facts=facts,
            reason=reason,
            not_before=not_before,
        )


def _never_ran_and_stays(one: Judged, judgement: Judgement, ops_lost: bool) -> bool:
    """It bills, never ran, and no clock is about to end it."""
    facts, verdict, pass_ = one.facts, one.verdict, judgement.loaded.pass_
    if verdict.reason in NEVER_RAN_REASONS:
        unheard = isinstance(verdict, Reap) and verdict.held is None and ops_lost
        return is_question(verdict) or unheard
    if verdict.reason is Reason.ENDING:
        # A pause puts an end off, for days perhaps, and the pod bills on.
        return pass_.paused and never_ran(facts, pass_)
    old = age(facts, pass_.now)
    beyond = old is not None and old > pass_.policy.never_ran_grace
    return isinstance(verdict, CannotTell) and facts.phase is Phase.ALLOCATING and beyond


def _failed_alive(facts: PodFacts, made: ProvisionRecord, said: SaidSoFar) -> Present:
    """Its end in the thread was the first time that it was said, if that was noted."""
    told = said.get((facts.pod_id, State.PROVISION_FAILED))
    return Present(
        state=State.PROVISION_FAILED,
        subject=facts.pod_id,
        began_at=told[-1].since if told else made.finished_at or made.updated_at,
        owner=facts.owner,
        facts=facts,
        reason=Reason.PROVISION_FAILED,
        asker=made.asker if made.asker != facts.owner and made.asker[:1] in "UW" else None,
    )


def _unfenced(facts: PodFacts, finished: Mapping[PodId, datetime | None], now: datetime) -> Iterable[Present]:
    """It runs without an end that comes by itself, or beyond it, and nothing sets it up any more."""
    if facts.fence_at is not None:
        ends_at = ends_by_itself_at(facts) or facts.fence_at
        if ends_at <= now:
            yield from _pod(State.UNFENCED, facts, ends_at)
        return
    began_at = finished.get(facts.pod_id, facts.first_seen_at)
    if began_at is not None:
        yield from _pod(State.UNFENCED, facts, began_at)


def _lost_creates(session: Session) -> Iterable[Present]:
    """Provisions under way with a create call of which nobody knows whether it made a pod."""
    lost = (
        select(ProvisionRow.id, ProvisionRow.owner, func.min(CreateCallRow.started_at))
        .join(CreateCallRow, col(CreateCallRow.provision_id) == col(ProvisionRow.id))
        .where(
            # One that is open still was cut off with its process: its answer will never come.
            col(CreateCallRow.state).in_([CallState.LOST, CallState.OPEN]),
            col(ProvisionRow.stage).in_(UNDER_WAY),
            col(ProvisionRow.pod_id).is_(None),
        )
        .group_by(col(ProvisionRow.id), col(ProvisionRow.owner))
    )
    for provision_id, owner, began_at in session.exec(lost):
        yield Present(state=State.CREATE_UNKNOWN, subject=provision_id, began_at=began_at, owner=owner)


def _ends_not_confirmed(session: Session) -> Iterable[Present]:
    for deed in open_deeds(session).values():
        if deed.state in _ENDING_NOW:
            began_at = deed.attempted_at or deed.not_before
            yield Present(
                state=State.END_NOT_CONFIRMED, subject=deed.id, began_at=began_at, owner=_whose(deed)
            )


def _whose(deed: Deed) -> str:
    """Whom an end that does not take concerns; whoever it may be, it is said to somebody."""
    return deed.owner or deed.actor


def _witness_out(session: Session) -> Iterable[Present]:
    witness = recall(session, WITNESS, Witness)
    if witness is not None and witness.out_since is not None:
        yield Present(
            state=State.WITNESS_OUT, subject=WITNESS_SUBJECT, began_at=witness.out_since, owner=None
        )
