"""What an agent may look at: its requests and its owner's provisions, as JSON."""

from datetime import datetime, timedelta
from typing import assert_never

from sqlmodel import Session

from bot.provision.endings import sentence_of
from bot.provision.waiting import waits_for
from pods.exit_codes import ExitCode
from pods.lines import moment
from pods.provision.seen import Permit
from pods.provision.stages import Stage
from pods.provision.value import Provision
from storage.agent_request import AgentRequest
from storage.columns import JsonObject
from storage.deed import STOP, DeedState, deed
from storage.ledger import ProvisionRecord, provision_of, record
from storage.order_question import permit
from storage.question import QuestionState, questions_about

CALLED_OFF = frozenset({ExitCode.CALLED_OFF, ExitCode.CALLED_OFF_ALIVE})
STILL_THERE = frozenset({ExitCode.NEVER_REACHED_EXISTS})
"""A pod that bills is never nothing, whatever became of calling it off."""


def request_view(
    session: Session, request: AgentRequest, now: datetime, terminate_wait: timedelta
) -> JsonObject:
    """`GET …/requests/{id}`: what has come of it by now, read from the deed or provision that it led to."""
    state, exit_code, text = request.state, request.exit_code, request.text
    if request.deed_id is not None:
        state, exit_code, text = _by_deed(session, request.deed_id, now, terminate_wait)
    elif state == "asked" and request.pod_id is not None:
        state, exit_code, text = _by_card(session, request, now, terminate_wait)
    elif request.provision_id is not None and state != "done":
        state, exit_code, text = _by_provision(session, request)
    return {
        "id": request.id,
        "type": request.type,
        "state": state,
        "exit_code": exit_code,
        "text": text,
        "pod_id": request.pod_id or _pod_made(session, request),
        "provision": request.provision_id,
        "asked": request.asked,
        "at": moment(request.at),
    }


def _pod_made(session: Session, request: AgentRequest) -> str | None:
    """The pod of the provision that was asked for, once there is one."""
    made = record(session, request.provision_id) if request.provision_id is not None else None
    return made.pod_id if made else None


def _by_deed(
    session: Session, deed_id: str, now: datetime, terminate_wait: timedelta
) -> tuple[str, int | None, str]:
    found = deed(session, deed_id)
    if found is None:
        return "refused", ExitCode.REFUSED, "The act is not on record any more."
    match found.state:
        case DeedState.DONE if found.path == STOP:
            return "refused", ExitCode.REFUSED, f"The pod {found.pod_id} was stopped instead."
        case DeedState.DONE:
            return "done", ExitCode.OK, f"The pod {found.pod_id} is gone, read back."
        case DeedState.REFUSED:
            return "refused", ExitCode.REFUSED, f"Not done: {found.outcome}."
        case DeedState.UNDONE:
            return "refused", ExitCode.REFUSED, f"Called back: {found.outcome}."
        case DeedState.FAILED:
            return "chasing", ExitCode.NOT_CONFIRMED_GONE, f"RunPod does not end it: {found.outcome}."
        case DeedState.DUE | DeedState.ACTING | DeedState.CONFIRMING:
            if now - found.created_at < terminate_wait:
                return "working", None, f"The pod {found.pod_id} is being ended."
            late = f"The pod {found.pod_id} is not confirmed gone yet; it is being chased."
            return "chasing", ExitCode.NOT_CONFIRMED_GONE, late
        case _:
            assert_never(found.state)


def _by_card(
    session: Session, request: AgentRequest, now: datetime, terminate_wait: timedelta
) -> tuple[str, int | None, str | None]:
    """What the person who was asked has made of it: the card that was open when the agent asked."""
    since = request.updated_at
    card = next(
        (
            each
            for each in questions_about(session, str(request.pod_id))
            if each.kind == "card" and each.opened_at <= since and (each.closed_at or since) >= since
        ),
        None,
    )
    if card is None or card.state is QuestionState.OPEN:
        return request.state, request.exit_code, request.text
    if card.state is QuestionState.EXPIRED:
        return "refused", ExitCode.REFUSED, f"<@{card.asked}> was asked and did not answer in time."
    if card.state is QuestionState.VOID:
        return "refused", ExitCode.REFUSED, f"The pod has changed since <@{card.asked}> was asked."
    ends = deed(session, card.deed_id) if card.deed_id else None
    if ends is None or ends.path == STOP:
        return "refused", ExitCode.REFUSED, f"<@{card.decided_by}> has decided otherwise: {card.decision}."
    return _by_deed(session, ends.id, now, terminate_wait)


def _by_provision(session: Session, request: AgentRequest) -> tuple[str, int | None, str]:
    found = record(session, str(request.provision_id))
    if found is None:
        return request.state, request.exit_code, str(request.text)
    if found.exit_code is None or found.finished_at is None or found.finished_at < request.at:
        if found.stage == Stage.WISHED and permit(session, found.id) is Permit.ASKED:
            return "asked", None, str(request.text)
        return "working", None, f"The provision {found.id} is at the stage {found.stage}."
    if request.type == "provision.cancel" and found.exit_code not in CALLED_OFF | STILL_THERE:
        return "done", ExitCode.OK, "There was nothing left to call off."
    return "done", found.exit_code, sentence_of(found, provision_of(found))


def provision_view(session: Session, found: ProvisionRecord, now: datetime) -> JsonObject:
    """`GET …/provisions/{id}`. `text`: whom it waits for, or how it ended.

    Raises `pydantic.ValidationError` for a damaged row.
    """
    run = provision_of(found)
    endpoint, there = run.endpoint, found.name_freed_at is None
    return {
        "id": found.id,
        "name": found.name,
        "owner": found.owner,
        "stage": found.stage,
        "lines": [{"at": moment(said.at), "line": said.line} for said in run.lines],
        "exit_code": found.exit_code,
        "text": _text(session, found, run),
        "pod_id": found.pod_id,
        "gpu": found.gpu,
        "usd_per_hour": found.usd_per_hour,
        "usd_so_far": _usd_so_far(found, run.pod.created_at if run.pod else None, now),
        "ssh": {"host": endpoint.host, "port": endpoint.port, "user": "root"} if endpoint and there else None,
        "terminates_at": moment(found.fence_at) if found.fence_at else None,
        "updated_at": moment(found.updated_at),
    }


def _text(session: Session, found: ProvisionRecord, run: Provision) -> str | None:
    if found.exit_code is None:
        return waits_for(session, found, run)
    return sentence_of(found, run) if run.outcome is not None else None


def _usd_so_far(found: ProvisionRecord, since: datetime | None, now: datetime) -> float | None:
    """An estimate: the price by the time since its creation; of a pod that is gone it is not known here."""
    if since is None or found.usd_per_hour is None or found.name_freed_at is not None:
        return None
    return round(found.usd_per_hour * max(timedelta(0), now - since) / timedelta(hours=1), 2)
