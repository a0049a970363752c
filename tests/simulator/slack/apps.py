"""The real slack-bolt on the other end of a simulated Slack, over Socket Mode or signed HTTP."""

import warnings
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from aiohttp import web
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp, AsyncBoltRequest
from slack_sdk.web.async_client import AsyncWebClient

from simulator.slack import Settings, SlackSimulator
from simulator.slack.jsontypes import Json, JsonObject

Listeners = Callable[[AsyncApp], None]
FAST = Settings(redelivery_delays=(0.0, 0.01, 0.01), quiet=0.03)
IMPATIENT = Settings(ack_within=0.05, redelivery_delays=(0.0, 0.01, 0.01), trigger_life=0.02, quiet=0.01)


def plain(text: str) -> JsonObject:
    return {"type": "plain_text", "text": text}


def section(text: str) -> JsonObject:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}}


def button(label: str, action_id: str, **more: Json) -> JsonObject:
    return {"type": "button", "text": plain(label), "action_id": action_id, **more}


def bare_client(slack: SlackSimulator, token: str | None = None) -> AsyncWebClient:
    """A client that sends nothing twice."""
    return AsyncWebClient(base_url=slack.api_url, token=token or slack.bot_token, retry_handlers=[])


def new_app(slack: SlackSimulator) -> AsyncApp:
    return AsyncApp(client=bare_client(slack), signing_secret=slack.signing_secret)


@asynccontextmanager
async def over_socket(slack: SlackSimulator, listeners: Listeners) -> AsyncIterator[AsyncApp]:
    app = new_app(slack)
    listeners(app)
    handler = AsyncSocketModeHandler(app, slack.app_token, ping_interval=0.2)
    before = slack.connections
    await handler.connect_async()
    await slack.connected(before + 1)
    try:
        yield app
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            await handler.close_async()


@asynccontextmanager
async def over_http(slack: SlackSimulator, listeners: Listeners) -> AsyncIterator[AsyncApp]:
    app = new_app(slack)
    listeners(app)

    async def events(request: web.Request) -> web.Response:
        body = (await request.read()).decode()
        answer = await app.async_dispatch(AsyncBoltRequest(body=body, headers=dict(request.headers)))
        kind = answer.first_headers().get("content-type", "text/plain").split(";")[0]
        return web.Response(status=answer.status, text=answer.body, content_type=kind)

    async with served(events) as url:
        await slack.use_http(url)
        yield app


@asynccontextmanager
async def served(answer: Callable[[web.Request], object]) -> AsyncIterator[str]:
    """A small HTTP server with one address for POSTs."""
    server = web.Application()
    server.router.add_post("/slack/events", answer)  # type: ignore[arg-type]
    runner = web.AppRunner(server, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/slack/events"
    finally:
        await runner.cleanup()
