"""REST v2 and GraphQL as one plain function: request in, answer out, logged; no socket anywhere."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from email.utils import format_datetime

from simulator.runpod.account import ApiKey
from simulator.runpod.faults import FaultScript
from simulator.runpod.fleet import Fleet
from simulator.runpod.graphql import GraphQlApi
from simulator.runpod.http import Request, Response, Visit, problem
from simulator.runpod.ordering import RuleError
from simulator.runpod.ratelimit import Quota
from simulator.runpod.refusal import RefusedError, Why
from simulator.runpod.rest_account import AccountApi
from simulator.runpod.rest_billing import BillingApi
from simulator.runpod.rest_catalogue import CatalogueApi
from simulator.runpod.rest_pods import PodsApi
from simulator.runpod.truth import Call
from simulator.runpod.validation import InvalidError

_STATUS = {
    Why.NO_CAPACITY: 400,
    Why.BALANCE: 402,
    Why.SPENDING_LIMIT: 402,
    Why.NOT_FOUND: 404,
    Why.WRONG_STATE: 409,
    Why.LOCKED: 409,
}


@dataclass(frozen=True)
class Route:
    """Which handler answers a method and a path; named groups become arguments."""

    method: str
    path: re.Pattern[str]
    handler: Callable[..., Response]
    operation: str


class RestApi:
    """The whole API over one fleet. Every call is logged in `fleet.calls`."""

    def __init__(self, fleet: Fleet) -> None:
        self.fleet = fleet
        self.faults = FaultScript()
        self.quota = Quota()
        self._graphql = GraphQlApi(fleet)
        self._routes = _routes(fleet)

    def handle(self, request: Request) -> Response:
        """Answer one call: work, faults, headers, log."""
        fleet = self.fleet
        now, number = fleet.look(), fleet.calls.next_number()
        key = self._key(request)
        visit = Visit(request, now, f"api:{key.name}" if key else "api:?", number)
        visit.sees_pods = key is not None and self._in_scope(request, key)
        if fleet.account.switches.down:
            _note_terminate(visit)
            answer = Response(status=0, cut=True)
        else:
            answer = self._answer(visit, key)
        fleet.calls.add(
            Call(
                number=number,
                at=now,
                method=request.method,
                path=request.path,
                status=None if answer.cut else answer.status,
                by=visit.by,
                operation=visit.operation,
                pod_id=visit.pod_id,
            )
        )
        offset = timedelta(seconds=fleet.account.switches.date_offset_s)
        return answer.with_headers({"Date": format_datetime(now + offset, usegmt=True)})

    def _answer(self, visit: Visit, key: ApiKey | None) -> Response:
        switches, request = self.fleet.account.switches, visit.request
        agent = request.headers.get("user-agent", "")
        if switches.refuse_bare_user_agents and (not agent or agent.startswith("Python-urllib")):
            return Response(status=403, text="error code: 1010", content_type="text/plain")
        fault = self.faults.take(request)
        if fault is not None and not fault.lets_work():
            _note_terminate(visit)
            return fault.answer(None)
        if key is None:
            bare = "authorization" not in request.headers
            answer = problem(401, "missing bearer token" if bare else "invalid bearer token")
        else:
            answer = self._work(visit, key)
        return fault.answer(answer) if fault is not None else answer

    def _work(self, visit: Visit, key: ApiKey) -> Response:
        request, limits = visit.request, self.fleet.account.switches.rate_limits
        if request.path == "/graphql":
            return self._graphql.answer(visit, read_only=key.read_only)
        if limits is None:
            return self._route(visit, key)
        window = self.quota.exceeded(limits, visit.now)
        if window is not None:
            after = {"Retry-After": str(self.quota.resets_in(window, visit.now))}
            refused = problem(429, f"rate limit exceeded for the {window} window", headers=after)
            _note_terminate(visit)
            return refused.with_headers(self.quota.headers(limits, visit.now))
        self.quota.use(visit.now)
        return self._route(visit, key).with_headers(self.quota.headers(limits, visit.now))

    def _route(self, visit: Visit, key: ApiKey) -> Response:
        request = visit.request
        if not request.readable:
            return problem(400, "request body is not valid JSON")
        for route in self._routes:
            found = route.path.fullmatch(request.path)
            if found is None or route.method != request.method:
                continue
            visit.operation = route.operation
            if key.read_only and request.method != "GET":
                return problem(403, "access denied")
            return _told(lambda route=route, found=found: route.handler(visit, **found.groupdict()))  # type: ignore[misc]
        return problem(404, "resource not found")

    def _key(self, request: Request) -> ApiKey | None:
        kind, _, text = request.headers.get("authorization", "").partition(" ")
        return self.fleet.account.keys.get(text.strip()) if kind.lower() == "bearer" else None

    def _in_scope(self, request: Request, key: ApiKey) -> bool:
        switches = self.fleet.account.switches
        side = "graphql" if request.path == "/graphql" else "rest"
        if switches.team_id is None or side not in switches.team_scope:
            return key.sees_pods
        return key.sees_pods and request.headers.get("x-team-id") == switches.team_id


def _told(work: Callable[[], Response]) -> Response:
    try:
        return work()
    except InvalidError as why:
        return problem(422, "Request validation failed.", errors=why.errors)
    except RuleError as why:
        return problem(400, str(why))
    except RefusedError as why:
        return problem(_STATUS[why.why], str(why))


def _note_terminate(visit: Visit) -> None:
    """A terminate that was asked for and not let through is a terminate call all the same."""
    request = visit.request
    found = re.fullmatch(r"/v2/pods/([^/]+)(/action)?", request.path)
    wants = request.method == "DELETE" or request.body == {"action": "terminate"}
    if found is not None and wants:
        visit.operation, visit.pod_id = "terminate", found[1]
    elif request.path == "/graphql" and "podTerminate" in str(request.body):
        visit.operation = "terminate"


def _routes(fleet: Fleet) -> list[Route]:
    pods, account = PodsApi(fleet), AccountApi(fleet)
    catalogue, billing = CatalogueApi(fleet.catalogue), BillingApi(fleet)
    table: list[tuple[str, str, Callable[..., Response], str]] = [
        ("GET", "/v2/pods", pods.list_pods, "list"),
        ("POST", "/v2/pods", pods.create_pod, "create"),
        ("GET", "/v2/pods/(?P<pod_id>[^/]+)", pods.get_pod, "get"),
        ("PATCH", "/v2/pods/(?P<pod_id>[^/]+)", pods.update_pod, "edit"),
        ("DELETE", "/v2/pods/(?P<pod_id>[^/]+)", pods.delete_pod, "terminate"),
        ("POST", "/v2/pods/(?P<pod_id>[^/]+)/action", pods.act, "action"),
        ("GET", "/v2/pods/(?P<pod_id>[^/]+)/logs", pods.logs, "logs"),
        ("GET", "/v2/clusters/(?P<cluster>[^/]+)/pods", pods.cluster_pods, "list"),
        ("GET", "/v2/account/ssh-keys", account.get_keys, "keys"),
        ("PUT", "/v2/account/ssh-keys", account.put_keys, "keys"),
        ("GET", "/v2/network-volumes", account.list_volumes, "volumes"),
        ("POST", "/v2/network-volumes", account.create_volume, "volumes"),
        ("GET", "/v2/network-volumes/(?P<volume_id>[^/]+)", account.get_volume, "volumes"),
        ("PATCH", "/v2/network-volumes/(?P<volume_id>[^/]+)", account.update_volume, "volumes"),
        ("DELETE", "/v2/network-volumes/(?P<volume_id>[^/]+)", account.delete_volume, "volumes"),
        ("GET", "/v2/catalog/gpus", catalogue.gpus, "catalogue"),
        ("GET", "/v2/catalog/gpus/(?P<gpu_id>[^/]+)", catalogue.gpu, "catalogue"),
        ("GET", "/v2/catalog/cpus", catalogue.cpus, "catalogue"),
        ("GET", "/v2/catalog/cpus/(?P<cpu_id>[^/]+)", catalogue.cpu, "catalogue"),
        ("GET", "/v2/catalog/datacenters", catalogue.data_centers, "catalogue"),
        ("GET", "/v2/catalog/datacenters/(?P<center_id>[^/]+)", catalogue.data_center, "catalogue"),
        ("GET", "/v2/catalog/templates", catalogue.templates, "catalogue"),
        ("GET", "/v2/billing/pods", billing.pods, "billing"),
    ]
    return [Route(method, re.compile(path), handler, operation) for method, path, handler, operation in table]
