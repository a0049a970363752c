"""`pod.keep` and `pod.unkeep`, for pods that this agent provisioned."""

from datetime import timedelta

from sqlmodel import Session

from bot.agents.door import Call, Done
from bot.agents.events import PodKeep, PodUnkeep
from bot.agents.problems import Code, ProblemError, invalid
from bot.agents.whose import must_have_made
from bot.alerts.pods import is_gone
from bot.text import when
from jobs.judgement.records import NOTICE
from jobs.questions import set_aside
from pods.durations import format_duration, parse_duration
from pods.lines import moment
from pods.verdict import Reason
from storage.columns import JsonObject
from storage.keep import Keep, give_keep, lift_keeps
from storage.keys import new_key
from storage.provision_asks import move_fence
from storage.question import Question, QuestionState, questions_about
from storage.trail import Event, record


def keep(call: Call, data: PodKeep) -> Done:
    """Protect the pod; its fence moves later, never earlier."""
    lasting = _lasting(data.for_, call.rules.keep_max)
    provision = must_have_made(call, data.pod_id)
    if is_gone(call.session, data.pod_id):
        raise ProblemError(Code.NOT_FOUND, f"The pod {data.pod_id} is gone; there is nothing left to keep.")
    until = call.now + lasting
    kept = Keep(new_key(), data.pod_id, call.actor, "agent", call.now, until, reason=data.reason)
    give_keep(call.session, kept)
    move_fence(call.session, provision, until)
    set_aside(
        call.session, _answered_by_it(call.session, data.pod_id), f"it is kept until {when(until)}", call.now
    )
    told: JsonObject = {"until": moment(until), "keep": kept.id, "request": call.id}
    record(call.session, Event(call.now, call.actor, "pod.kept", data.pod_id, told))
    return Done(text=f"Kept until {moment(until)}.", pod_id=data.pod_id, wakes=("outbox",))


def _answered_by_it(session: Session, pod_id: str) -> list[Question]:
    """The end that was announced does not come then, and what is stopped may stay so: both are said anew."""
    return [
        one
        for one in questions_about(session, pod_id)
        if one.state is QuestionState.OPEN and (one.kind == NOTICE or one.reason == Reason.STALE)
    ]


def unkeep(call: Call, data: PodUnkeep) -> Done:
    """Take the agent's own protection away; one that a person gave stays."""
    must_have_made(call, data.pod_id)
    lifted = lift_keeps(call.session, data.pod_id, call.actor, call.now, given_by=call.actor)
    record(call.session, Event(call.now, call.actor, "pod.unkept", data.pod_id, {"lifted": lifted}))
    text = "Not kept any more." if lifted else "It was not kept."
    return Done(text=text, pod_id=data.pod_id, wakes=("outbox",))


def _lasting(text: str, longest: timedelta) -> timedelta:
    try:
        lasting = parse_duration(text)
    except ValueError as error:
        raise invalid("data.for", f"{error}.") from error
    if lasting > longest:
        raise invalid("data.for", f"A keep may last {format_duration(longest)} at most.")
    return lasting
