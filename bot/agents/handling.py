"""One event from its shape to its answer: taken down, done, answered, all in one transaction."""

from dataclasses import asdict, replace
from datetime import datetime, timedelta
from urllib.parse import quote

from bot.agents.door import Call, Done, Door
from bot.agents.effects.provisions import problem_of
from bot.agents.events import Event
from bot.agents.problems import Code, ProblemError
from bot.agents.table import do
from bot.provision.pricing import price
from bot.provision.terms import Priced, Refused
from pods.wish import wish_from_request
from storage.agent import Agent, agent_seen
from storage.agent_request import AgentRequest, AgentRequestRow, request_of, update_request
from storage.columns import JsonObject
from storage.rows import insert_new
from storage.trail import Event as TrailEvent
from storage.trail import record

SEEN_EVERY = timedelta(seconds=30)
UNRECORDED = frozenset({Code.INVALID, Code.BAD_JSON, Code.DATABASE_UNAVAILABLE, Code.PROVIDER_UNREACHABLE})


async def handle(door: Door, agent: Agent, webhook_id: str, event: Event) -> JsonObject:
    """Do what the event says, once: the same id again gets the first answer and does nothing.

    Raises ProblemError if it is refused; a refusal is recorded and changes nothing else.
    """
    now = door.clock.now()
    try:
        priced: Priced | None = None
        if event.type == "pod.provision":
            first = await door.database.read(lambda session: request_of(session, agent.name, webhook_id))
            if first is not None:
                return _again(first)
            event, priced = await _priced(door, event)
        answer, wakes = await door.database.run(
            lambda session: _take_in(
                Call(session, agent, webhook_id, event, now, door.rules, door.terms), priced
            )
        )
    except ProblemError as problem:
        if problem.code not in UNRECORDED:
            refusal = _refusal(agent, webhook_id, event, problem, now)
            await door.database.run(lambda session: record(session, refusal))
        raise
    for what in wakes:
        door.wake(what)
    return answer


async def _priced(door: Door, event: Event) -> tuple[Event, Priced]:
    wish = wish_from_request(event.data.model_extra or {})
    priced = await price(wish, door.terms.defaults, door.catalogue)
    if isinstance(priced, Refused):
        raise problem_of(priced)
    meaningless = {f"data.{name}" for name in wish.ignored}
    ignored = [path for path in event.ignored if path in meaningless or not path.startswith("data.")]
    return replace(event, ignored=tuple(ignored)), priced


def _take_in(call: Call, priced: Priced | None) -> tuple[JsonObject, tuple[str, ...]]:
    expected = Done(pod_id=getattr(call.event.data, "pod_id", None))
    request = AgentRequest(
        agent=call.agent.name,
        id=call.id,
        type=call.event.type,
        answer=_answer(call, expected),
        at=call.now,
        updated_at=call.now,
        **_columns(expected),  # type: ignore[arg-type]  # the fields of the one are columns of the other
    )
    if not insert_new(call.session, AgentRequestRow, asdict(request)):
        return _again(request_of(call.session, call.agent.name, call.id) or request), ()
    done = do(call, priced)
    answer = _answer(call, done)
    if _columns(done) != _columns(expected):
        update_request(call.session, call.agent.name, call.id, call.now, answer=answer, **_columns(done))
    last_seen = call.agent.last_seen_at
    if last_seen is None or call.now - last_seen >= SEEN_EVERY:
        agent_seen(call.session, call.agent.name, call.now)
    return answer, done.wakes


def _columns(done: Done) -> dict[str, object]:
    return {name: value for name, value in asdict(done).items() if name != "wakes"}


def _answer(call: Call, done: Done) -> JsonObject:
    answer: JsonObject = {
        "id": call.id,
        "type": call.event.type,
        "duplicate": False,
        "ignored": list(call.event.ignored),
        "location": f"/agents/{quote(call.agent.name, safe='')}/requests/{quote(call.id, safe='')}",
    }
    return answer if done.provision_id is None else {**answer, "provision": done.provision_id}


def _again(first: AgentRequest) -> JsonObject:
    return {**first.answer, "duplicate": True}


def _refusal(agent: Agent, webhook_id: str, event: Event, problem: ProblemError, now: datetime) -> TrailEvent:
    about = getattr(event.data, "pod_id", None) or getattr(event.data, "provision", None) or agent.name
    told: JsonObject = {"type": event.type, "code": problem.code, "request": webhook_id}
    return TrailEvent(now, f"agent:{agent.name}", "agent.refused", str(about), told)
