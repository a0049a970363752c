"""REST v2, pods: list, get, create, change, act, end, logs."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from simulator.runpod.fleet import Fleet
from simulator.runpod.http import LogStream, Response, Visit, problem
from simulator.runpod.ordering import changed_order, order_from
from simulator.runpod.pod import Pod
from simulator.runpod.refusal import RefusedError, Why
from simulator.runpod.shown import actions, pod_v2, status
from simulator.runpod.validation import ACTION, CREATE_POD, UPDATE_POD, InvalidError, checked

_HTML = "<html><body><h1>502 Bad Gateway</h1></body></html>"


class PodsApi:
    """The pod endpoints over one fleet."""

    def __init__(self, fleet: Fleet) -> None:
        self._fleet = fleet

    def list_pods(self, visit: Visit) -> Response:
        """GET /v2/pods"""
        switches = self._fleet.account.switches
        match switches.listing:
            case "html":
                return Response(status=502, text=_HTML, content_type="text/html")
            case "null":
                return Response(body={"pods": None})
            case "empty":
                return Response(body={"pods": []})
            case "ok":
                clusters = visit.request.query.get("includeClusterPods", "false") == "true"
                shown = [pod_v2(pod, visit.now, switches) for pod in self._listed(visit, clusters)]
                return Response(body={"pods": shown})

    def cluster_pods(self, visit: Visit, cluster: str) -> Response:
        """GET /v2/clusters/{id}/pods"""
        pods = [pod for pod in self._listed(visit, True) if pod.cluster == cluster]
        if not pods:
            return problem(404, "resource not found")
        switches = self._fleet.account.switches
        return Response(body={"pods": [pod_v2(pod, visit.now, switches) for pod in pods]})

    def get_pod(self, visit: Visit, pod_id: str) -> Response:
        """GET /v2/pods/{id}"""
        return self._shown(self._visible(visit, pod_id), visit)

    def create_pod(self, visit: Visit) -> Response:
        """POST /v2/pods"""
        order = order_from(checked(CREATE_POD, visit.request.body), self._fleet)
        pod = self._fleet.create(order, visit.by, call=visit.number)
        visit.pod_id = pod.id
        return replace(self._shown(pod, visit), status=201)

    def update_pod(self, visit: Visit, pod_id: str) -> Response:
        """PATCH /v2/pods/{id}"""
        change = checked(UPDATE_POD, visit.request.body)
        pod = self._visible(visit, pod_id)
        if pod.cluster is not None:
            return problem(409, "pod belongs to a cluster and cannot be modified here")
        order = changed_order(pod.order, change, self._fleet)
        if "locked" in change:
            self._fleet.lock(pod_id, change["locked"], visit.by, call=visit.number)
        if order != pod.order:
            self._fleet.edit(pod_id, order, visit.by, call=visit.number)
        return self._shown(pod, visit)

    def delete_pod(self, visit: Visit, pod_id: str) -> Response:
        """DELETE /v2/pods/{id}"""
        visit.operation = "terminate"
        return self._terminate(visit, self._visible(visit, pod_id))

    def act(self, visit: Visit, pod_id: str) -> Response:
        """POST /v2/pods/{id}/action"""
        action = checked(ACTION, visit.request.body)["action"]
        visit.operation = action
        pod = self._visible(visit, pod_id)
        if action == "terminate":
            return self._terminate(visit, pod)
        if pod.cluster is not None:
            return problem(409, "pod belongs to a cluster and is managed through it")
        shown = status(pod, visit.now, self._fleet.account.switches)
        if action not in actions(shown):
            return problem(409, f"action '{action}' is not valid for a pod that is {shown}")
        done: dict[str, Callable[[], Pod]] = {
            "stop": lambda: self._fleet.stop(pod_id, visit.by, call=visit.number),
            "start": lambda: self._fleet.start(pod_id, visit.by, call=visit.number),
            "restart": lambda: self._fleet.restart(pod_id, visit.by, call=visit.number),
        }
        return self._shown(done[action](), visit)

    def logs(self, visit: Visit, pod_id: str) -> Response:
        """GET /v2/pods/{id}/logs: a stream that the server keeps open"""
        self._visible(visit, pod_id)
        query, source = visit.request.query, visit.request.query.get("source")
        if source not in (None, "container", "system"):
            raise InvalidError(["$.source: value must be one of 'container', 'system'"])
        after = _moment(visit.request.headers.get("last-event-id") or query.get("since"))
        tail = query.get("tail", "100")
        if not tail.isdigit() or int(tail) > 5000:
            raise InvalidError(["$.tail: must be a whole number from 0 to 5000"])
        visit.operation = "logs"
        headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
        stream = LogStream(pod_id, source, after, int(tail))
        return Response(text="", content_type="text/event-stream", headers=headers, stream=stream)

    def _terminate(self, visit: Visit, pod: Pod) -> Response:
        if pod.cluster is not None:
            return problem(409, "pod belongs to a cluster and cannot be terminated here")
        refused = pod.plan.terminate_answers
        if refused is None or pod.plan.terminate_works:
            self._fleet.terminate(pod.id, visit.by, call=visit.number)
        if refused is not None:
            return _refused_end(refused)
        return Response(status=204)

    def _listed(self, visit: Visit, clusters: bool) -> list[Pod]:
        dropped = self._fleet.account.switches.listing_drops
        return [
            pod
            for pod in self._fleet.present()
            if visit.sees_pods
            and pod.id not in dropped
            and (clusters or pod.cluster is None)
            and not _too_young(pod, visit.now, pod.plan.unlisted_s)
        ]

    def _visible(self, visit: Visit, pod_id: str) -> Pod:
        visit.pod_id = pod_id
        pod = self._fleet.find(pod_id)
        if pod is None or not visit.sees_pods or _too_young(pod, visit.now, pod.plan.not_found_s):
            raise RefusedError(Why.NOT_FOUND, "pod not found")
        return pod

    def _shown(self, pod: Pod, visit: Visit) -> Response:
        return Response(body=pod_v2(pod, visit.now, self._fleet.account.switches))


def _too_young(pod: Pod, now: datetime, seconds: float) -> bool:
    return seconds > 0 and (now - pod.created_at).total_seconds() < seconds


def _refused_end(code: int) -> Response:
    if code < 400:
        return Response(status=code, body=None if code == 204 else {})
    details = {
        404: "pod not found",
        403: "access denied",
        409: "pod cannot be terminated in its current state",
    }
    return problem(code, details.get(code, "internal server error"))


def _moment(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text.partition("/")[0])
    except ValueError as why:
        raise InvalidError([f"$.since: {text!r} is not an RFC 3339 time"]) from why
    if moment.tzinfo is None:
        raise InvalidError([f"$.since: {text!r} has no offset"])
    return moment
