"""`pod.terminate` and `pod.terminated`: a deed for the executor, a question to the owner, or a mere hint."""

from datetime import timedelta

from bot.agents.door import Call, Done
from bot.agents.events import PodTerminate, PodTerminated
from bot.agents.nearby import pods_like
from bot.agents.problems import Code, ProblemError
from bot.agents.whose import made_by, standing
from pods.cost import usd_per_hour_saved
from pods.exit_codes import ExitCode
from pods.fingerprint import Fingerprint, fingerprint
from pods.guards import Path
from pods.ids import PodId
from pods.keeps import protection
from pods.ownership import Grade, Ownership
from pods.phase import Phase
from storage.columns import JsonObject
from storage.deed import STOP, Deed, count_since, deeds_of, intend
from storage.keep import keep_tags
from storage.keys import new_key
from storage.ledger import record_of_pod
from storage.outbox import Letter, send
from storage.pod import PodRow, snapshot
from storage.prices import disks_of, price_of
from storage.question import Question, ask, shown_in
from storage.switch import is_on
from storage.trail import Event, record


def terminate(call: Call, data: PodTerminate) -> Done:
    """End a pod that this agent provisioned, through the executor; else its owner is asked."""
    if is_on(call.session, "paused"):
        raise ProblemError(Code.PAUSED, "Nothing is ended while an admin has everything paused.")
    pod = _seen(call, data.pod_id)
    if pod.gone_at is not None:
        return Done(text="It is gone already.", pod_id=pod.pod_id)
    under_way = _under_way(call, pod)
    if under_way is not None and under_way.path != STOP:
        return _working(pod, under_way.id)
    if pod.locked or pod.cluster_member:
        what = "locked" if pod.locked else "part of a cluster"
        raise ProblemError(Code.FORBIDDEN, f"The pod {pod.pod_id} is {what}; Podkeeper ends no such pod.")
    whose = standing(call, pod.pod_id)
    obstacle = _obstacle(call, pod, whose) or ("it is being stopped just now" if under_way else None)
    return (
        _intend(call, pod, whose, data)
        if obstacle is None
        else _put_to_owner(call, pod, whose, data, obstacle)
    )


def _under_way(call: Call, pod: PodRow) -> Deed | None:
    return next((deed for deed in deeds_of(call.session, pod.pod_id) if deed.finished_at is None), None)


def terminated(_: Call, data: PodTerminated) -> Done:
    """Somebody should look. What an agent says of a pod's end is evidence of nothing."""
    return Done(text="It will be looked at.", pod_id=data.pod_id, wakes=("observe",))


def _seen(call: Call, pod_id: str) -> PodRow:
    pod = call.session.get(PodRow, pod_id)
    if pod is not None:
        return pod
    if record_of_pod(call.session, pod_id) is not None:
        raise ProblemError(
            Code.PROVIDER_UNREACHABLE,
            f"The pod {pod_id} was rented a moment ago, and RunPod has not listed it yet; try again soon.",
        )
    matches = pods_like(call.session, pod_id)
    raise ProblemError(Code.NOT_FOUND, f"There is no pod with the id {pod_id}.", matches=matches)


def _obstacle(call: Call, pod: PodRow, whose: Ownership) -> str | None:
    """Why the agent may not end it by itself; None if it may."""
    proved = whose.grade is Grade.PROVED and whose.owner == call.agent.owner
    if not proved or made_by(call, pod.pod_id) is None:
        return "this agent did not provision it"
    if protection(keep_tags(call.session).get(PodId(pod.pod_id), [])).covers(call.now):
        return "it is kept"
    ended = count_since(call.session, Path.AGENT, call.now - timedelta(days=1), agent=call.agent.name)
    if ended >= call.rules.ends_per_day:
        return f"this agent has ended {ended} {'pod' if ended == 1 else 'pods'} in a day already"
    return None


def _intend(call: Call, pod: PodRow, whose: Ownership, data: PodTerminate) -> Done:
    deed = Deed(
        id=new_key(),
        path=Path.AGENT,
        pod_id=pod.pod_id,
        fingerprint=_fingerprint(call, pod, whose),
        actor=call.actor,
        created_at=call.now,
        not_before=call.now,
        due_at=call.now,
        owner=whose.owner,
        agent=call.agent.name,
        provision_id=whose.provision,
        reason=data.reason,
        evidence={"request": call.id, "grade": whose.grade, "provision": whose.provision},
        usd_per_hour=_saved(call, pod),
    )
    if not intend(call.session, deed):
        # Another asked at the same moment, and was first.
        return _working(pod, deeds_of(call.session, pod.pod_id)[0].id)
    told: JsonObject = {"deed": deed.id, "path": deed.path, "request": call.id}
    record(call.session, Event(call.now, call.actor, "deed.intended", pod.pod_id, told))
    return _working(pod, deed.id)


def _saved(call: Call, pod: PodRow) -> float | None:
    """What its end saves an hour."""
    seen = snapshot(call.session, pod.pod_id)
    price, mounts = price_of(call.session, pod.pod_id, seen), disks_of(call.session, pod.pod_id, seen)
    return usd_per_hour_saved(Phase(pod.phase) if pod.phase else None, price, mounts)


def _working(pod: PodRow, deed_id: str) -> Done:
    return Done("working", None, "Being ended.", pod.pod_id, deed_id=deed_id, wakes=("executor",))


def _put_to_owner(call: Call, pod: PodRow, whose: Ownership, data: PodTerminate, why: str) -> Done:
    if whose.owner is None:
        raise ProblemError(
            Code.FORBIDDEN,
            f"It is not known whose the pod {pod.pod_id} is, so nobody can say yes to its end.",
        )
    question = Question(
        id=new_key(),
        kind="card",
        pod_id=pod.pod_id,
        fingerprint=_fingerprint(call, pod, whose),
        reason="agent_asks",
        asked=whose.owner,
        opened_at=call.now,
        expires_at=call.now + call.rules.approval_expires,
        asked_by=call.actor,
        facts={"why": why, "agent": call.agent.name, "said": data.reason},
    )
    asked = Done(
        "asked",
        ExitCode.ASKED,
        f"<@{whose.owner}> was asked, because {why}.",
        pod.pod_id,
        asked=whose.owner,
        wakes=("outbox",),
    )
    if not ask(call.session, question):
        return asked
    card = Letter(f"card/{question.id}", whose.owner, "card", {"question": question.id})
    shown_in(call.session, question.id, send(call.session, card, call.now))
    told: JsonObject = {"question": question.id, "asked": whose.owner, "why": why, "request": call.id}
    record(call.session, Event(call.now, call.actor, "question.asked", pod.pod_id, told))
    return asked


def _fingerprint(call: Call, pod: PodRow, whose: Ownership) -> Fingerprint:
    seen = snapshot(call.session, pod.pod_id)
    return fingerprint(
        PodId(pod.pod_id),
        Phase(pod.phase) if pod.phase else None,
        seen.started_at if seen else None,
        seen.mounts if seen else None,
        whose.grade,
        whose.owner,
    )
