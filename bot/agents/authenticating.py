"""From a request's headers to the confirmed agent that signed it."""

import contextlib
import re
from dataclasses import replace

from starlette.requests import Request

from bot.agents.door import Door
from bot.agents.problems import Code, ProblemError, unauthenticated
from bot.agents.secrets import valid_secrets
from bot.agents.signatures import UnauthenticatedError, verified_id
from storage.agent import Agent, agent

NOBODY = "-"
"""No agent can have this name: who names an unknown one is checked against a secret that nobody has."""

NAME = re.compile(r"[a-z0-9]([a-z0-9._-]{0,46}[a-z0-9])?")


async def signer(door: Door, request: Request, content: str) -> tuple[Agent, str]:
    """The agent, as the database has it now, and the id of its request.

    Raises ProblemError(unauthenticated, agent_unconfirmed).
    """
    name = request.path_params["agent"]
    known = await door.database.read(lambda session: agent(session, name)) if NAME.fullmatch(name) else None
    if known is not None:
        door.remembered[name] = known
    return _confirmed(door, known, request, content)


async def probable_signer(door: Door, request: Request, content: str) -> tuple[Agent, str]:
    """`signer` by an agent remembered from before: whoever goes on must see that it still stands.

    Raises ProblemError(unauthenticated, agent_unconfirmed).
    """
    remembered = door.remembered.get(request.path_params["agent"])
    if remembered is not None:
        with contextlib.suppress(ProblemError):
            return _confirmed(door, remembered, request, content)
    return await signer(door, request, content)


def still_stands(remembered: Agent, now: Agent | None) -> bool:
    """Whether nothing has changed that matters since it was remembered."""
    return now is not None and replace(now, last_seen_at=remembered.last_seen_at) == remembered


def _confirmed(door: Door, known: Agent | None, request: Request, content: str) -> tuple[Agent, str]:
    generation, rotated_at = (known.generation, known.rotated_at) if known else (0, None)
    secrets = valid_secrets(
        door.master_key, known.name if known else NOBODY, generation, rotated_at, door.clock.now()
    )
    try:
        webhook_id = verified_id(secrets, request.headers.raw, content)
    except UnauthenticatedError as error:
        raise unauthenticated() from error
    if known is None or known.suspended_at is not None:
        raise unauthenticated()
    if known.confirmed_at is None:
        raise ProblemError(
            Code.AGENT_UNCONFIRMED,
            f"The owner of {known.name} has not pressed “Yes, mine” yet; until then it can do nothing.",
        )
    return known, webhook_id


def request_target(request: Request) -> str:
    """What a GET signs in the place of a body: its path and query as they were sent."""
    path, query = request.scope.get("raw_path") or b"", request.scope["query_string"]
    return (path + (b"?" + query if query else b"")).decode("latin-1")
