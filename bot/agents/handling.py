"""One event from its shape to its answer: taken down, done, answered, all in one transaction."""

from dataclasses import replace
from datetime import datetime, timedelta
from urllib.parse import quote

from sqlmodel import Session

from bot.agents.authenticating import still_stands
from bot.agents.door import Call, Done, Door
from bot.agents.effects.provisions import problem_of
from bot.agents.events import Event
from bot.agents.problems import Code, ProblemError
from bot.agents.table import do
from bot.provision.pricing import price
from bot.provision.terms import Priced, Refused
from pods.wish import wish_from_request
from storage.agent import Agent, actor_of, agent_seen
from storage.agent import agent as known_agent
from storage.agent_request import AgentRequest, accept, request_of, update_request
from storage.columns import JsonObject
from storage.trail import Event as TrailEvent
from storage.trail import record

PATIENCE = timedelta(seconds=5)
"""How long an event waits for the database before it is told to come again."""
SEEN_EVERY = timedelta(seconds=30)
UNRECORDED = frozenset(
    {
        Code.INVALID,
        Code.BAD_JSON,
        Code.RATE_LIMITED,
        Code.DATABASE_UNAVAILABLE,
        Code.PROVIDER_UNREACHABLE,
    }
)


class ChangedError(Exception):
    """The agent is not any more as it was remembered: who it is must be looked at anew. Nothing was done."""


async def handle(door: Door, agent: Agent, webhook_id: str, event: Event) -> JsonObject:
    """Do what the event says, once: the same id again gets the first answer and does nothing.

    Raises ProblemError if it is refused; a refusal is recorded and changes nothing else. Raises ChangedError.
    """
    now = door.clock.now()
    try:
        priced: Priced | None = None
        if event.type == "pod.provision":
            first = await door.database.read(lambda session: _first_answer(session, agent, webhook_id))
            if first is not None:
                return first
            event, priced = await _priced(door, event)

        def take_in(session: Session) -> tuple[JsonObject, tuple[str, ...]]:
            return _take_in(Call(session, agent, webhook_id, event, now, door.rules, door.terms), priced)

        answer, wakes = await door.database.run(take_in, within=PATIENCE)
    except ProblemError as problem:
        if problem.code not in UNRECORDED:
            refusal = _refusal(agent, webhook_id, event, problem, now)
            await door.database.run(lambda session: record(session, refusal))
        raise
    for what in wakes:
        door.wake(what)
    return answer


def _first_answer(session: Session, agent: Agent, webhook_id: str) -> JsonObject | None:
    _must_stand(session, agent)
    first = request_of(session, agent.name, webhook_id)
    return _again(first) if first else None


def _must_stand(session: Session, remembered: Agent) -> Agent:
    """The agent as this transaction sees it, which many events share: it is read once for all of them."""
    seen = session.info.setdefault("agents", {})
    if remembered.name not in seen:
        seen[remembered.name] = known_agent(session, remembered.name)
    present: Agent | None = seen[remembered.name]
    if present is None or not still_stands(remembered, present):
        raise ChangedError
    return present


async def _priced(door: Door, event: Event) -> tuple[Event, Priced]:
    wish = wish_from_request(event.data.model_extra or {})
    priced = await price(wish, door.terms.defaults, door.catalogue)
    if isinstance(priced, Refused):
        raise problem_of(priced)
    meaningless = {f"data.{name}" for name in wish.ignored}
    ignored = [path for path in event.ignored if path in meaningless or not path.startswith("data.")]
    return replace(event, ignored=tuple(ignored)), priced


def _take_in(call: Call, priced: Priced | None) -> tuple[JsonObject, tuple[str, ...]]:
    present = _must_stand(call.session, call.agent)
    expected, answer = Done(pod_id=getattr(call.event.data, "pod_id", None)), _answer(call)
    if not accept(call.session, _row(call, expected, answer)):
        first = request_of(call.session, call.agent.name, call.id)
        assert first is not None
        return _again(first), ()
    done = do(call, priced)
    if replace(done, wakes=()) != expected:
        if done.provision_id is not None:
            answer["provision"] = done.provision_id
        update_request(call.session, call.agent.name, call.id, call.now, answer=answer, **_columns(done))
    if present.last_seen_at is None or call.now - present.last_seen_at >= SEEN_EVERY:
        agent_seen(call.session, call.agent.name, call.now)
    return answer, done.wakes


def _row(call: Call, done: Done, answer: JsonObject) -> dict[str, object]:
    """The request, as it is if it does what is expected of it."""
    return {
        "agent": call.agent.name,
        "id": call.id,
        "type": call.event.type,
        "answer": answer,
        "at": call.now,
        "updated_at": call.now,
        **_columns(done),
    }


def _columns(done: Done) -> dict[str, object]:
    return {
        "state": done.state,
        "exit_code": done.exit_code,
        "text": done.text,
        "pod_id": done.pod_id,
        "provision_id": done.provision_id,
        "deed_id": done.deed_id,
        "asked": done.asked,
    }


def _answer(call: Call) -> JsonObject:
    return {
        "id": call.id,
        "type": call.event.type,
        "duplicate": False,
        "ignored": list(call.event.ignored),
        "location": f"/agents/{quote(call.agent.name, safe='')}/requests/{quote(call.id, safe='')}",
    }


def _again(first: AgentRequest) -> JsonObject:
    return {**first.answer, "duplicate": True}


def _refusal(agent: Agent, webhook_id: str, event: Event, problem: ProblemError, now: datetime) -> TrailEvent:
    about = getattr(event.data, "pod_id", None) or getattr(event.data, "provision", None) or agent.name
    told: JsonObject = {"type": event.type, "code": problem.code, "request": webhook_id}
    return TrailEvent(now, actor_of(agent.name), "agent.refused", str(about), told)
