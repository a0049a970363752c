"""The HTTP server's routes: Slack's events, the agents' API, and how the service is doing."""

from collections.abc import Sequence

from slack_bolt.adapter.starlette.async_handler import to_async_bolt_request, to_starlette_response
from slack_bolt.async_app import AsyncApp, AsyncBoltRequest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from bot.agents.app import HANDLERS
from bot.agents.app import routes as agents_routes
from bot.agents.door import Door
from bot.health import Health
from bot.slack.signatures import is_genuine

LONGEST_BODY = 1_000_000


def asgi_app(
    health: Health, agents: Door, slack: AsyncApp | None = None, signing_secret: str | None = None
) -> Starlette:
    """The application. Slack's route is there only if there is a signing secret to check it with."""
    routes: list[Route] = [*agents_routes(agents), *_looking(health)]
    if slack is not None and signing_secret:
        routes.append(_slack_events(slack, signing_secret))
    return Starlette(routes=routes, exception_handlers=dict(HANDLERS))


def _slack_events(slack: AsyncApp, signing_secret: str) -> Route:
    async def events(request: Request) -> Response:
        body = await _read(request)
        if body is None:
            return PlainTextResponse("too large", 413)
        if not is_genuine(signing_secret, body, request.headers):
            return PlainTextResponse("not Slack's", 401)
        said = _in_bolts_words(request, body)
        if said is None:
            return PlainTextResponse("not a request of Slack's shape", 400)
        return to_starlette_response(await slack.async_dispatch(said))

    return Route("/slack/events", events, methods=["POST"])


def _in_bolts_words(request: Request, body: bytes) -> AsyncBoltRequest | None:
    """None if the body cannot be read: Bolt's reader raises whatever its own lines happen to raise."""
    try:
        return to_async_bolt_request(request, body)
    except (ValueError, TypeError, AttributeError, LookupError, RecursionError):
        return None


async def _read(request: Request) -> bytes | None:
    """The body; None if it is too large."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > LONGEST_BODY:
            return None
        parts.append(part)
    return b"".join(parts)


def _looking(health: Health) -> Sequence[Route]:
    async def alive(_: Request) -> Response:
        return PlainTextResponse("ok")

    async def ready(_: Request) -> Response:
        parts = await health.parts()
        return JSONResponse(parts, 200 if all(said == "ok" for said in parts.values()) else 503)

    async def metrics(_: Request) -> Response:
        return Response(await health.metrics_page(), media_type="text/plain; version=0.0.4; charset=utf-8")

    return [Route("/healthz", alive), Route("/readyz", ready), Route("/metrics", metrics)]
