"""The Web API over HTTP: arguments, tokens, faults, answers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from aiohttp import web

from simulator.slack.faults import CallFault, ErrorAnswer, HttpError, LostAnswer, RateLimit, Refused, Slow
from simulator.slack.jsontypes import Json, JsonObject, parse
from simulator.slack.log import ApiCall
from simulator.slack.office import APP_TOKEN, BOT_TOKEN, Office
from simulator.slack.webapi.call import JSON_FIELDS, ApiError, Call
from simulator.slack.webapi.table import METHODS

ConnectionUrl = Callable[[], str]


class WebApi:
    """Answers `/api/{method}`."""

    def __init__(self, office: Office, connection_url: ConnectionUrl) -> None:
        self._office = office
        self._connection_url = connection_url
        self._posted: dict[str, float] = {}

    async def handle(self, request: web.Request) -> web.StreamResponse:
        office = self._office
        if office.faults.is_down:
            return drop(request)
        method = request.match_info["method"]
        with office.workspace.changes.going_on():
            try:
                args = await arguments(request)
            except ApiError as error:
                return self._answered(ApiCall(method, {}, office.workspace.now()), _failed(error), 200)
            call = ApiCall(method, {k: v for k, v in args.items() if k != "token"}, office.workspace.now())
            office.log.calls.append(call)
            return await self._with_fault(request, call, args, office.faults.take(method))

    async def _with_fault(
        self, request: web.Request, call: ApiCall, args: JsonObject, fault: CallFault | None
    ) -> web.StreamResponse:
        match fault:
            case ErrorAnswer(code):
                return self._answered(call, {"ok": False, "error": code}, 200)
            case RateLimit(retry_after):
                return self._rate_limited(call, retry_after)
            case HttpError(status):
                call.status = status
                return web.Response(
                    status=status, text="<html>simulated outage</html>", content_type="text/html"
                )
            case Refused():
                return drop(request)
            case LostAnswer():
                call.answer = self._run(request, call.method, args)
                return drop(request)
            case Slow(seconds):
                answer = self._run(request, call.method, args)
                await asyncio.sleep(seconds)
                return self._answered(call, answer, 200)
            case None:
                answer = self._run(request, call.method, args)
                if answer.get("error") == "ratelimited":
                    return self._rate_limited(call, 60 if call.method.startswith("conversations.") else 1)
                return self._answered(call, answer, 200)

    def _run(self, request: web.Request, method: str, args: JsonObject) -> JsonObject:
        try:
            token = _token(request, args)
            if method == "apps.connections.open":
                _check_token(token, APP_TOKEN, BOT_TOKEN)
                return {"ok": True, "url": self._connection_url()}
            known = METHODS.get(method)
            if known is None:
                raise ApiError("unknown_method", req_method=method)
            call = Call(method, args, self._office)
            if known.token == "bot":
                _check_token(token, BOT_TOKEN, APP_TOKEN)
            if known.scope is not None:
                call.need_scope(known.scope)
            self._pace(call)
            return {"ok": True, **known.handler(call)}
        except ApiError as error:
            return _failed(error)

    def _pace(self, call: Call) -> None:
        pace = self._office.settings.posts_per_second
        if pace is None or call.method != "chat.postMessage":
            return
        channel, now = call.text("channel"), time.monotonic()
        if now - self._posted.get(channel, -1e9) < 1 / pace:
            raise ApiError("ratelimited")
        self._posted[channel] = now

    def _rate_limited(self, call: ApiCall, retry_after: int) -> web.Response:
        answer = self._answered(call, {"ok": False, "error": "ratelimited"}, 429)
        answer.headers["Retry-After"] = str(retry_after)
        return answer

    def _answered(self, call: ApiCall, answer: JsonObject, status: int) -> web.Response:
        call.answer, call.status = answer, status
        scopes = ",".join(self._office.workspace.manifest.scopes)
        headers = {"x-oauth-scopes": scopes, "x-slack-req-id": f"{len(self._office.log.calls):08d}"}
        return web.json_response(answer, status=status, headers=headers)


def drop(request: web.Request) -> web.Response:
    """Breaks the TCP connection off; the answer never reaches anybody."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=500)


async def arguments(request: web.Request) -> JsonObject:
    """A call's arguments from query, form or JSON. Raises `ApiError` for a body that is neither."""
    args: JsonObject = dict(request.query)
    if request.content_type == "application/json":
        try:
            body = parse(await request.text() or "{}")
        except ValueError:
            raise ApiError("json_not_object") from None
        if not isinstance(body, dict):
            raise ApiError("json_not_object")
        return args | body
    form = await request.post()
    for key, value in form.items():
        if isinstance(value, str):
            args[key] = _form_value(key, value)
    return args


def _form_value(key: str, value: str) -> Json:
    if key not in JSON_FIELDS:
        return value
    try:
        return parse(value)
    except ValueError:
        return value


def _token(request: web.Request, args: JsonObject) -> str:
    header = request.headers.get("Authorization", "")
    given = args.get("token")
    return header.removeprefix("Bearer ") if header else given if isinstance(given, str) else ""


def _check_token(token: str, right: str, wrong_kind: str) -> None:
    if not token:
        raise ApiError("not_authed")
    if token == wrong_kind:
        raise ApiError("not_allowed_token_type")
    if token != right:
        raise ApiError("invalid_auth")


def _failed(error: ApiError) -> JsonObject:
    return {"ok": False, "error": error.code, **error.extra}
