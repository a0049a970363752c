"""A small client for the account as a plain function."""

from collections.abc import Mapping
from typing import Any

from simulator.runpod import Request, Response, RestApi
from simulator.runpod.pod import Pod

H100 = "NVIDIA H100 80GB HBM3"
ORDER: Mapping[str, object] = {
    "name": "train",
    "image": "runpod/pytorch:1.0.2-cu1281-torch280-ubuntu2404",
    "gpu": {"id": H100, "count": 2},
    "ports": ["22/tcp", "8888/http"],
    "env": {"PODKEEPER_CREATE": "token-1"},
    "startSsh": True,
}


class Client:
    """Calls the API with the account's first key and keeps what was said."""

    def __init__(self, api: RestApi) -> None:
        self.api = api
        self.said: list[tuple[Request, Response]] = []

    def call(self, method: str, path: str, body: object = None, **query: str) -> Response:
        request = Request.by(self.api.fleet.account.first_key(), method, path, body, **query)
        answer = self.api.handle(request)
        self.said.append((request, answer))
        return answer

    def json(self, method: str, path: str, body: object = None, **query: str) -> Any:
        return self.call(method, path, body, **query).body

    def create(self, **changes: object) -> Any:
        answer = self.call("POST", "/v2/pods", {**ORDER, **changes})
        assert answer.status == 201, answer.body
        return answer.body

    def pod(self, pod: Pod | str) -> Any:
        return self.json("GET", f"/v2/pods/{pod if isinstance(pod, str) else pod.id}")

    def listed(self, **query: str) -> list[Any]:
        pods: list[Any] = self.json("GET", "/v2/pods", **query)["pods"]
        return pods
