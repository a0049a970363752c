"""What the GETs look up. An agent sees its own requests, its owner's provisions, and the whole audit."""

from sqlmodel import Session
from starlette.requests import Request

from bot.agents.door import Door
from bot.agents.meant import pod_meant
from bot.agents.nearby import provisions_like
from bot.agents.problems import Code, ProblemError, invalid
from bot.agents.views import provision_view, request_view
from storage.agent import Agent
from storage.agent_request import request_of
from storage.columns import JsonObject
from storage.ledger import record

LONGEST_NAME = 200


async def look_at_request(door: Door, agent: Agent, request: Request) -> JsonObject:
    """Raises ProblemError(not_found)."""
    request_id, now = _word(request.path_params["id"]), door.clock.now()

    def view(session: Session) -> JsonObject:
        found = request_of(session, agent.name, request_id)
        if found is None or found.at < agent.added_at:
            raise ProblemError(Code.NOT_FOUND, f"{agent.name} has sent no event with the id {request_id}.")
        return request_view(session, found, now, door.rules.terminate_wait)

    return await door.database.read(view)


async def look_at_provision(door: Door, agent: Agent, request: Request) -> JsonObject:
    """Raises ProblemError(not_found)."""
    key, now = _word(request.path_params["id"]), door.clock.now()

    def view(session: Session) -> JsonObject:
        found = record(session, key)
        if found is None or found.owner != agent.owner:
            matches = provisions_like(session, key, agent.owner)
            raise ProblemError(Code.NOT_FOUND, f"<@{agent.owner}> has no provision {key}.", matches=matches)
        return provision_view(session, found, now)

    return await door.database.read(view)


async def look_at_pods(door: Door, _: Agent, request: Request) -> JsonObject:
    """With a pod, its id as well (`pod`), also where the audit has no entry of it: it was just made, or has
    been gone for long. Raises ProblemError(not_found, ambiguous, invalid)."""
    asked = request.query_params.getlist("pod")
    if not asked:
        return await door.audit(None)
    if len(asked) > 1:
        raise invalid("pod", "Ask for one pod at a time, or for all.")
    pod = _word(asked[0])
    meant = await door.database.read(lambda session: pod_meant(session, pod))
    return {**await door.audit(meant), "pod": meant}


def _word(text: str) -> str:
    """A name to look for; what no database can hold is a name that nobody ever heard of."""
    if not text or len(text) > LONGEST_NAME or "\0" in text:
        raise ProblemError(Code.NOT_FOUND, "Nothing has a name like that.")
    return text
