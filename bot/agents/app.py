"""The routes of the agents' HTTP API. Every refusal is a problem document of the contract's."""

from collections.abc import Awaitable, Callable, Mapping

import structlog
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.agents.authenticating import probable_signer, request_target, signer
from bot.agents.bodies import decoded, parsed, read_body
from bot.agents.door import Door
from bot.agents.events import read_event
from bot.agents.handling import ChangedError, handle
from bot.agents.looking import look_at_pods, look_at_provision, look_at_request
from bot.agents.openapi import document
from bot.agents.problems import Code, ProblemError
from storage.agent import Agent
from storage.columns import JsonObject
from storage.errors import DatabaseError
from storage.keys import new_key

log = structlog.get_logger(__name__)

Look = Callable[[Door, Agent, Request], Awaitable[JsonObject]]
Endpoint = Callable[[Request], Awaitable[Response]]


def routes(door: Door) -> list[Route]:
    """What the agents' door answers. The application must also have `HANDLERS`."""

    async def events(request: Request) -> Response:
        return JSONResponse(await _take_event(door, request), 202)

    def looking(look: Look) -> Endpoint:
        async def endpoint(request: Request) -> Response:
            agent, _ = await signer(door, request, request_target(request))
            return JSONResponse(await look(door, agent, request))

        return _never_broken(endpoint)

    described = document()

    async def openapi(_: Request) -> Response:
        return JSONResponse(described)

    return [
        Route("/openapi.json", openapi, methods=["GET"]),
        Route("/agents/{agent}/events", _never_broken(events), methods=["POST"]),
        Route("/agents/{agent}/requests/{id:path}", looking(look_at_request), methods=["GET"]),
        Route("/agents/{agent}/provisions/{id}", looking(look_at_provision), methods=["GET"]),
        Route("/agents/{agent}/audit", looking(look_at_pods), methods=["GET"]),
    ]


def _never_broken(endpoint: Endpoint) -> Endpoint:
    """What nobody foresaw is answered as a problem too, with the id under which the log has it."""

    async def answered(request: Request) -> Response:
        try:
            return await endpoint(request)
        except (ProblemError, DatabaseError, HTTPException):
            raise
        except Exception as error:
            log_id = new_key()
            log.exception("agents.failed", id=log_id, path=request.url.path)
            sentence = f"Something went wrong here (id {log_id}). Sending the same again is safe."
            raise ProblemError(Code.OUR_FAULT, sentence) from error

    return answered


async def _take_event(door: Door, request: Request) -> JsonObject:
    text = decoded(await read_body(request))
    agent, webhook_id = await probable_signer(door, request, text)
    try:
        return await _take(door, agent, webhook_id, text)
    except ChangedError:
        agent, webhook_id = await signer(door, request, text)
        return await _take(door, agent, webhook_id, text)


async def _take(door: Door, agent: Agent, webhook_id: str, text: str) -> JsonObject:
    wait = door.rates.seconds_to_wait(agent.name)
    if wait:
        raise ProblemError(
            Code.RATE_LIMITED,
            f"{agent.name} may send {door.rates.per_minute} events a minute; try again in {wait} s.",
            headers={"Retry-After": str(wait)},
        )
    return await handle(door, agent, webhook_id, read_event(parsed(text)))


async def _problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, ProblemError)
    log.info("agents.refused", path=request.url.path, code=str(error.code), detail=error.detail)
    return error.response()


async def _database(request: Request, error: Exception) -> Response:
    log.warning("agents.database", path=request.url.path, error=str(error))
    sentence = "The database cannot be used just now. Nothing was done; send the same again in a moment."
    return ProblemError(Code.DATABASE_UNAVAILABLE, sentence).response()


async def _unrouted(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = Code.METHOD_NOT_ALLOWED if error.status_code == 405 else Code.NOT_FOUND
    return ProblemError(
        code, f"There is no {request.method} {request.url.path}.", headers=error.headers
    ).response()


HANDLERS: Mapping[type[Exception], Callable[[Request, Exception], Awaitable[Response]]] = {
    ProblemError: _problem,
    DatabaseError: _database,
    HTTPException: _unrouted,
}
