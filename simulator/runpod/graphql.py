"""The old GraphQL endpoint, as far as the `runpod` package and a query for the status text need it."""

from dataclasses import dataclass
from functools import cache

from graphql import GraphQLError, GraphQLObjectType, GraphQLSchema, build_schema, graphql_sync, parse

from simulator.runpod.fleet import Fleet
from simulator.runpod.graphql_pod import pod_graphql
from simulator.runpod.graphql_schema import SDL
from simulator.runpod.http import Json, Response, Visit
from simulator.runpod.order import DEFAULT_IMAGE, NetworkMount, Order, Persistent
from simulator.runpod.pod import Pod
from simulator.runpod.refusal import RefusedError, Why

_CODES = {
    Why.NO_CAPACITY: "SUPPLY_CONSTRAINT",
    Why.BALANCE: "INSUFFICIENT_BALANCE",
    Why.SPENDING_LIMIT: "INSUFFICIENT_BALANCE",
    Why.NOT_FOUND: "POD_NOT_FOUND",
    Why.WRONG_STATE: "RUNPOD",
    Why.LOCKED: "RUNPOD",
}
_GONE = {"title": "Gone", "status": 410, "detail": "the GraphQL API has been retired"}


class GraphQlApi:
    """POST /graphql over one fleet."""

    def __init__(self, fleet: Fleet) -> None:
        self._fleet = fleet

    def answer(self, visit: Visit, *, read_only: bool) -> Response:
        """Answer one query; schema errors are HTTP 400, all others HTTP 200 with `errors`, as recorded."""
        match self._fleet.account.switches.graphql:
            case "gone":
                return Response(status=410, body=_GONE, content_type="application/problem+json")
            case "html":
                return Response(status=502, text="<html>502 Bad Gateway</html>", content_type="text/html")
            case "myself_null":
                return Response(body={"data": {"myself": None}})
            case "ok":
                return self._execute(visit, read_only)

    def _execute(self, visit: Visit, read_only: bool) -> Response:
        query = visit.request.body.get("query") if isinstance(visit.request.body, dict) else None
        if not isinstance(query, str):
            return _failed("GraphQL operations must contain a non-empty `query`", "BAD_REQUEST")
        try:
            parse(query)
        except GraphQLError as why:
            return _failed(why.message, "GRAPHQL_PARSE_FAILED")
        if "__schema" in query or "__type(" in query:
            return _failed("GraphQL introspection is not allowed", "GRAPHQL_VALIDATION_FAILED")
        result = graphql_sync(_schema(), query, _Root(self._fleet, visit, read_only))
        if result.data is None and result.errors and all(error.path is None for error in result.errors):
            return _failed(result.errors[0].message, "GRAPHQL_VALIDATION_FAILED")
        body: Json = {"data": result.data}
        if result.errors:
            body["errors"] = [
                {
                    "message": error.message,
                    "path": error.path,
                    "extensions": error.extensions or {"code": "RUNPOD"},
                }
                for error in result.errors
            ]
        return Response(body=body)


@dataclass
class _Root:
    """The resolvers: graphql-core calls the method that a root field is bound to."""

    fleet: Fleet
    visit: Visit
    read_only: bool

    def myself(self) -> Json:
        account, catalogue = self.fleet.account, self.fleet.catalogue
        pods = [pod for pod in self.fleet.present() if pod.cluster is None] if self.visit.sees_pods else []
        return {
            "id": account.user_id,
            "email": "team@example.com",
            "pubKey": "\n".join(account.ssh_keys),
            "clientBalance": self.fleet.purse.left(self.visit.now),
            "currentSpendPerHr": self.fleet.usd_per_hour(),
            "networkVolumes": [
                {"id": v.id, "name": v.name, "size": v.size, "dataCenterId": v.data_center}
                for v in catalogue.volumes.values()
            ],
            "pods": [self._pod(pod) for pod in pods],
        }

    def pod(self, given: Json) -> Json | None:
        self.visit.pod_id = str(given["podId"])
        pod = self.fleet.find(self.visit.pod_id) if self.visit.sees_pods else None
        return self._pod(pod) if pod is not None else None

    def gpu_types(self, given: Json | None) -> list[Json]:
        only = (given or {}).get("id")
        return [
            {
                "id": gpu.id,
                "displayName": gpu.name,
                "manufacturer": gpu.manufacturer,
                "memoryInGb": gpu.memory,
                "maxGpuCount": gpu.max_count,
                "secureCloud": True,
                "communityCloud": gpu.community,
                "securePrice": gpu.secure_price,
                "communityPrice": gpu.community_price,
                "lowestPrice": {"uninterruptablePrice": gpu.community_price or gpu.secure_price},
            }
            for gpu in self.fleet.catalogue.gpus.values()
            if only in (None, gpu.id)
        ]

    def update_user_settings(self, given: Json) -> Json:
        self._may_write()
        keys = str(given.get("pubKey") or "")
        self.fleet.account.ssh_keys = tuple(line for line in keys.split("\n") if line.strip())
        return {"id": self.fleet.account.user_id, "pubKey": keys}

    def deploy(self, given: Json) -> Json:
        self._may_write("create")
        order = _order(given, self.fleet)
        try:
            pod = self.fleet.create(order, self.visit.by, call=self.visit.number)
        except RefusedError as why:
            raise _error(why) from why
        self.visit.pod_id = pod.id
        return self._pod(pod)

    def stop(self, given: Json) -> Json:
        return self._pod(self._act("stop", given))

    def resume(self, given: Json) -> Json:
        return self._pod(self._act("start", given))

    def terminate(self, given: Json) -> None:
        self._may_write("terminate")
        pod_id = self.visit.pod_id = str(given["podId"])
        pod = self.fleet.find(pod_id) if self.visit.sees_pods else None
        if pod is None or pod.ended_at is not None:
            raise GraphQLError("pod not found to terminate", extensions={"code": "POD_NOT_FOUND"})
        if pod.plan.terminate_answers is None or pod.plan.terminate_works:
            self.fleet.terminate(pod_id, self.visit.by, call=self.visit.number)
        if pod.plan.terminate_answers == 404:
            raise GraphQLError("pod not found to terminate", extensions={"code": "POD_NOT_FOUND"})
        if pod.plan.terminate_answers is not None and pod.plan.terminate_answers >= 400:
            raise GraphQLError("Something went wrong. Please try again later or contact support.")

    def _act(self, verb: str, given: Json) -> Pod:
        self._may_write(verb)
        pod_id = self.visit.pod_id = str(given["podId"])
        act = self.fleet.stop if verb == "stop" else self.fleet.start
        try:
            return act(pod_id, self.visit.by, call=self.visit.number)
        except RefusedError as why:
            raise _error(why) from why

    def _may_write(self, operation: str | None = None) -> None:
        self.visit.operation = operation
        if self.read_only:
            raise GraphQLError("access denied", extensions={"code": "FORBIDDEN"})

    def _pod(self, pod: Pod) -> Json:
        return pod_graphql(pod, self.visit.now, self.fleet)


@cache
def _schema() -> GraphQLSchema:
    """The root fields call the resolvers' methods; all other fields read the dictionaries."""
    schema = build_schema(SDL)
    assert schema.mutation_type is not None
    assert schema.query_type is not None
    _resolve(schema.query_type, {"myself": "myself"}, takes_input=False)
    _resolve(schema.query_type, {"pod": "pod", "gpuTypes": "gpu_types"}, takes_input=True)
    names = {
        "updateUserSettings": "update_user_settings",
        "podFindAndDeployOnDemand": "deploy",
        "deployCpuPod": "deploy",
        "podStop": "stop",
        "podResume": "resume",
        "podTerminate": "terminate",
    }
    _resolve(schema.mutation_type, names, takes_input=True)
    return schema


def _resolve(kind: GraphQLObjectType, names: dict[str, str], *, takes_input: bool) -> None:
    def with_input(method: str) -> object:
        return lambda root, _info, **given: getattr(root, method)(given.get("input"))

    def without(method: str) -> object:
        return lambda root, _info: getattr(root, method)()

    for field, method in names.items():
        kind.fields[field].resolve = with_input(method) if takes_input else without(method)


def _order(given: Json, fleet: Fleet) -> Order:
    template = fleet.catalogue.templates.get(str(given.get("templateId")))
    env = {str(pair["key"]): str(pair["value"]) for pair in _pairs(given.get("env"))}
    if given.get("startSsh") and "PUBLIC_KEY" not in env and fleet.account.ssh_keys:
        env["PUBLIC_KEY"] = "\n".join(fleet.account.ssh_keys)
    path = str(given.get("volumeMountPath") or "/runpod-volume")
    size, volume = given.get("volumeInGb"), given.get("networkVolumeId")
    center = given.get("dataCenterId")
    disk = given.get("containerDiskInGb")
    return Order(
        name=str(given.get("name") or "pod"),
        image=str(given.get("imageName") or (template.image if template else DEFAULT_IMAGE)),
        gpu=str(given["gpuTypeId"]) if given.get("gpuTypeId") else None,
        count=int(str(given.get("gpuCount") or 1)),
        cpu=None if given.get("gpuTypeId") else "cpu3c",
        vcpus=0 if given.get("gpuTypeId") else 2,
        cloud="COMMUNITY" if given.get("cloudType") == "COMMUNITY" else "SECURE",
        data_centers=(str(center),) if center else (),
        env=env,
        ports=tuple(str(given["ports"]).split(",")) if given.get("ports") else (),
        args=str(given.get("dockerArgs") or ""),
        disk=disk if isinstance(disk, int) else 20,
        persistent=Persistent(size=size, path=path) if isinstance(size, int) and size > 0 else None,
        network=NetworkMount(volume_id=str(volume), path=path) if volume else None,
        start_ssh=bool(given.get("startSsh")),
    )


def _pairs(given: object) -> list[dict[str, object]]:
    return [pair for pair in given if isinstance(pair, dict)] if isinstance(given, list) else []


def _error(why: RefusedError) -> GraphQLError:
    return GraphQLError(str(why), extensions={"code": _CODES[why.why]})


def _failed(message: str, code: str) -> Response:
    return Response(status=400, body={"errors": [{"message": message, "extensions": {"code": code}}]})
