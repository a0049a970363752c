"""The control API: the simulator's verbs over HTTP, for other processes and the demo's page."""

import dataclasses
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from aiohttp import web
from pydantic import TypeAdapter, ValidationError, validate_call
from pydantic_core import to_jsonable_python

from simulator.clock import ManualClock
from simulator.runpod.http import Json
from simulator.runpod.pod import Pod
from simulator.runpod.refusal import RefusedError

if TYPE_CHECKING:
    from simulator.runpod.simulator import RunPodSimulator

Verb = Callable[..., object]


def control_routes(runpod: "RunPodSimulator") -> list[web.RouteDef]:
    """GET /_control, /_control/truth, /_control/calls; POST /_control/<verb>."""
    control = _Control(runpod)
    return [
        web.get("/_control", control.info),
        web.get("/_control/truth", control.truth),
        web.get("/_control/calls", control.calls),
        web.post("/_control/{verb}", control.act),
    ]


class _Control:
    def __init__(self, runpod: "RunPodSimulator") -> None:
        self._runpod = runpod

    @cached_property
    def _verbs(self) -> dict[str, Verb]:
        return _verbs(self._runpod)

    async def info(self, _request: web.Request) -> web.Response:
        return _json(
            200,
            {
                "now": self._runpod.clock.now(),
                "url": self._runpod.url,
                "mounts": str(self._runpod.mounts),
                "switches": self._runpod.fleet.account.switches,
                "balance": self._runpod.fleet.purse.left(self._runpod.clock.now()),
                "verbs": sorted(self._verbs),
            },
        )

    async def truth(self, request: web.Request) -> web.Response:
        wanted = request.query.get("pod")
        sheets = [sheet for sheet in self._runpod.fleet.truths() if wanted in (None, sheet.id)]
        return _json(200, {"pods": [dataclasses.asdict(sheet) for sheet in sheets]})

    async def calls(self, _request: web.Request) -> web.Response:
        return _json(200, {"calls": [dataclasses.asdict(call) for call in self._runpod.calls]})

    async def act(self, request: web.Request) -> web.Response:
        name = request.match_info["verb"]
        verb = self._verbs.get(name)
        if verb is None:
            return _refused(404, f"there is no verb {name!r}; GET /_control lists them")
        try:
            given = json.loads(await request.read() or b"{}")
        except ValueError as why:
            return _refused(400, f"the body is not JSON: {why}")
        if not isinstance(given, dict):
            return _refused(422, "the body must be a JSON object with the verb's arguments")
        try:
            done = verb(**given)
        except (ValidationError, ValueError, TypeError, KeyError) as why:
            return _refused(422, f"{name}: {why}")
        except RefusedError as why:
            return _refused(409, f"{name}: {why}")
        await self._runpod.settle()
        return _json(200, {"pod": _pod(done)} if isinstance(done, Pod) else {"ok": True})


def _verbs(runpod: "RunPodSimulator") -> dict[str, Verb]:
    console, quirks = runpod.console, runpod.quirks
    acts = [
        "stop",
        "start",
        "restart",
        "terminate",
        "rename",
        "set_env",
        "lock",
        "unlock",
        "clone",
        "migrate",
        "exit",
        "balance",
    ]
    odd = [
        "create_answers_500",
        "create_answer_is_lost",
        "terminate_answers",
        "html_502",
        "too_many_requests",
    ]
    odd += ["no_answer", "others_call", "answer", "clear"]
    checked = {f"console.{name}": _checked(getattr(console, name)) for name in acts}
    checked |= {f"quirks.{name}": _checked(getattr(quirks, name)) for name in odd}
    return checked | {
        "rent": runpod.rent,
        "quirks.every_pod": quirks.every_pod,
        "quirks.next_pod": quirks.next_pod,
        "quirks.pods_named": quirks.pods_named,
        "quirks.pod": quirks.pod,
        "quirks.account": lambda **fields: _set_switches(runpod, fields),
        "stock": _checked(runpod.fleet.catalogue.set_stock),
        "clock.advance": lambda seconds: _advance(runpod, seconds),
    }


def _checked(verb: Verb) -> Verb:
    """The verb with its arguments checked; how to check them is worked out at a call, for most have none."""
    return lambda **given: validate_call(verb)(**given)


def _set_switches(runpod: "RunPodSimulator", fields: Json) -> None:
    switches = runpod.fleet.account.switches
    runpod.fleet.account.switches = switches.model_validate_json(
        json.dumps(to_jsonable_python(switches) | fields)
    )


def _advance(runpod: "RunPodSimulator", seconds: object) -> None:
    if not isinstance(runpod.clock, ManualClock):
        raise ValueError("this clock moves by itself; only a manual one can be advanced")
    runpod.clock.advance(timedelta(seconds=TypeAdapter(float).validate_python(seconds)))


def _pod(pod: Pod) -> Json:
    port = pod.run.ports.get(22)
    created: datetime = pod.created_at
    return {
        "id": pod.id,
        "name": pod.order.name,
        "created_at": created,
        "data_center": pod.data_center,
        "port": port,
    }


def _refused(status: int, sentence: str) -> web.Response:
    return _json(status, {"error": sentence})


def _json(status: int, body: Json) -> web.Response:
    return web.json_response(to_jsonable_python(body), status=status)
