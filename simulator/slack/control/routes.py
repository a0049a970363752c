"""`/_control`: people and faults over JSON."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiohttp import web

from simulator.slack.client.choices import Entry
from simulator.slack.client.handles import Outcome, SeenMessage, seen_message
from simulator.slack.client.people import People
from simulator.slack.client.person import Person
from simulator.slack.control.shapes import call_json, delivery_json, outcome_json, person_json, screen_json
from simulator.slack.jsontypes import Json, JsonObject, object_at, parse, text_at
from simulator.slack.office import Office
from simulator.slack.page import show

_WAIT_AT_MOST = 60.0


class BadRequestError(Exception):
    """A sentence for whoever sent the request."""


@dataclass(frozen=True)
class Control:
    people: People
    office: Office

    def add_routes(self, router: web.UrlDispatcher) -> None:
        router.add_get("/", show)
        router.add_get("/_control/people", self._guarded(self.cast))
        router.add_get("/_control/people/{name}", self._guarded(self.screen))
        router.add_post("/_control/people/{name}/{act}", self._guarded(self.act))
        router.add_post("/_control/faults/{name}", self._guarded(self.fault))
        router.add_get("/_control/changes", self._guarded(self.changes))
        router.add_get("/_control/log", self._guarded(self.log))

    async def cast(self, _: web.Request) -> JsonObject:
        return {"people": [person_json(user) for user in self.office.workspace.users.values()]}

    async def screen(self, request: web.Request) -> JsonObject:
        return screen_json(self._person(request))

    async def changes(self, request: web.Request) -> JsonObject:
        """Waits until the workspace is past version `since`, at most `within` seconds."""
        try:
            since = int(request.query.get("since", "-1"))
            within = min(float(request.query.get("within", "25")), _WAIT_AT_MOST)
        except ValueError:
            raise BadRequestError("since and within are numbers") from None
        changes = self.office.workspace.changes
        await changes.wait_for(lambda: changes.version > since, within)
        return {"version": changes.version}

    async def log(self, _: web.Request) -> JsonObject:
        log = self.office.log
        return {
            "calls": [call_json(call) for call in log.calls],
            "deliveries": [delivery_json(delivery) for delivery in log.deliveries],
        }

    async def act(self, request: web.Request) -> JsonObject:
        person, body = self._person(request), await _body(request)
        try:
            outcome = await self._acted(person, request.match_info["act"], body)
        except (LookupError, AssertionError) as error:
            raise BadRequestError(str(error)) from None
        return outcome_json(outcome)

    async def fault(self, request: web.Request) -> JsonObject:
        name, body = request.match_info["name"], await _body(request)
        faults = self.office.faults
        known: dict[str, Callable[..., object]] = {
            "error": faults.error,
            "rate_limit": faults.rate_limit,
            "http": faults.http,
            "lose_answer": faults.lose_answer,
            "refuse": faults.refuse,
            "slow": faults.slow,
            "response_url": faults.response_url,
            "duplicate": faults.duplicate,
            "delay_delivery": faults.delay_delivery,
            "cut_connections": faults.cut_connections,
            "refresh_connections": faults.refresh_connections,
            "down": faults.down,
            "up": faults.up,
            "clear": faults.clear,
        }
        if name not in known:
            raise BadRequestError(f"there is no fault {name!r}; there are {', '.join(known)}")
        try:
            done = known[name](**body)
        except TypeError as error:
            raise BadRequestError(str(error)) from None
        if isinstance(done, Awaitable):
            await done
        return {"ok": True}

    async def _acted(self, person: Person, act: str, body: JsonObject) -> Outcome:
        place, on, confirm = _optional(body, "in"), self._on(person, body), _flag(body, "confirm")
        match act:
            case "types":
                thread = self._message(person, object_at(body, "thread")) if "thread" in body else None
                return await person.types(_wanted(body, "text"), place, thread)
            case "clicks":
                return await person.clicks(_wanted(body, "label"), on, place, confirm, within=0)
            case "picks":
                option = _entry(body.get("option"))
                return await person.picks(_wanted(body, "name"), option, on, place, confirm, within=0)
            case "fills":
                values = {name: _entry(value) for name, value in object_at(body, "values").items()}
                person.fills(values)
                return Outcome(None, None, [], person.modal)
            case "submits":
                return await person.submits()
            case "dismisses":
                return await person.dismisses()
            case "opens_home":
                return await person.opens_home()
            case "opens_messages":
                return await person.opens_messages()
            case _:
                raise BadRequestError(f"people cannot {act!r}")

    def _on(self, person: Person, body: JsonObject) -> SeenMessage | str | None:
        given = body.get("on")
        return self._message(person, given) if isinstance(given, dict) else _optional(body, "on")

    def _message(self, person: Person, where: JsonObject) -> SeenMessage:
        workspace = self.office.workspace
        message = workspace.find(text_at(where, "channel"), text_at(where, "ts"))
        if message is None:
            raise BadRequestError("there is no message with this channel and ts")
        return seen_message(workspace, message, person.user)

    def _person(self, request: web.Request) -> Person:
        name = request.match_info["name"]
        try:
            return self.people[name]
        except KeyError:
            raise BadRequestError(f"there is nobody called {name!r}") from None

    def _guarded(
        self, answer: Callable[[web.Request], Awaitable[JsonObject]]
    ) -> Callable[[web.Request], Awaitable[web.Response]]:
        async def guarded(request: web.Request) -> web.Response:
            try:
                return web.json_response(await answer(request))
            except BadRequestError as error:
                return web.json_response({"ok": False, "error": str(error)}, status=400)

        return guarded


async def _body(request: web.Request) -> JsonObject:
    """The JSON of a POST. The content type is required, so that no foreign page can post here unasked."""
    if request.content_type != "application/json":
        raise BadRequestError("send content-type: application/json")
    try:
        body = parse(await request.text() or "{}")
    except ValueError:
        raise BadRequestError("the body is no JSON") from None
    if not isinstance(body, dict):
        raise BadRequestError("the body is no JSON object")
    return body


def _wanted(body: JsonObject, key: str) -> str:
    value = text_at(body, key)
    if not value:
        raise BadRequestError(f"{key} is missing")
    return value


def _optional(body: JsonObject, key: str) -> str | None:
    return text_at(body, key) or None


def _flag(body: JsonObject, key: str) -> bool | None:
    value = body.get(key)
    return value if isinstance(value, bool) else None


def _entry(value: Json) -> Entry:
    if isinstance(value, list):
        return [str(each) for each in value]
    return None if value is None else str(value)
