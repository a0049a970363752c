"""RunPod's REST v2 as the house's `RunPod`."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TypeVar

import aiohttp

from gateways.connections import connector
from gateways.runpod.answers import Answer, Kind
from gateways.runpod.budget import Budget, Priority
from gateways.runpod.catalogue import (
    DataCentre,
    GpuType,
    NetworkVolume,
    read_data_centres,
    read_gpu_types,
    read_network_volumes,
    read_ssh_keys,
)
from gateways.runpod.entries import ListingReader
from gateways.runpod.errors import AnswerUnknown, NotFound, RunPodError, Unreachable
from gateways.runpod.json_values import Json, child
from gateways.runpod.logs import LogLine, LogSource
from gateways.runpod.order import CreateOrder
from gateways.runpod.pod_json import is_pod_id, not_whole, read_pod
from gateways.runpod.spent import SpentWarrants
from gateways.runpod.wire import Login, Wire, sent_once
from gateways.wall import Wall
from pods.snapshot import Absent, Listing, Snapshot, Unreadable
from pods.warrant import Act, Warrant

_Read = TypeVar("_Read")


@asynccontextmanager
async def connected(
    login: Login, clock: Wall, budget: Budget, count: Callable[[str], None] = lambda _outcome: None
) -> AsyncIterator["RestRunPod"]:
    """A client with a connection pool of its own. `count` is told the outcome of every call."""
    async with aiohttp.ClientSession(connector=connector(), middlewares=(sent_once,)) as session:
        yield RestRunPod(Wire(session, login, clock, budget, count))


@dataclass(frozen=True, slots=True)
class RestRunPod:
    """The client. Reads are retried, nothing else is."""

    wire: Wire
    spent: SpentWarrants = field(default_factory=SpentWarrants)
    listings: ListingReader = field(default_factory=ListingReader)

    async def list_pods(self, *, priority: Priority = Priority.LISTING) -> Listing:
        try:
            answer = await self.wire.read("pods", priority, {"includeClusterPods": "true"})
        except RunPodError as error:
            return not_whole(error.sentence, at=self.wire.clock.now())
        return self.listings.read(answer.body, at=answer.at, provider_at=answer.provider_at)

    async def get_pod(
        self, pod_id: str, *, priority: Priority = Priority.REST
    ) -> Snapshot | Unreadable | Absent:
        path = _pod_path(pod_id)
        try:
            answer = await self.wire.read(path, priority)
        except NotFound:
            return Absent(pod_id, self.wire.clock.now())
        if not isinstance(answer.body, dict):
            raise Unreachable("RunPod's answer has no pod in it")
        if child(answer.body, "id") != pod_id:
            return Unreadable(pod_id, "RunPod answered with another pod")
        return read_pod(answer.body, pod_id)

    async def create(self, order: CreateOrder) -> Snapshot | Unreadable:
        answer = await self.wire.write(Kind.CREATE, "POST", "pods", Priority.CREATE, order.body())
        pod_id = child(answer.body, "id")
        if not isinstance(pod_id, str) or not is_pod_id(pod_id):
            raise AnswerUnknown("RunPod accepted the order, but its answer names no pod")
        return read_pod(answer.body, pod_id)

    async def terminate(self, warrant: Warrant) -> None:
        self.spent.spend(warrant, Act.TERMINATE)
        await self.wire.write(Kind.ACT, "DELETE", _pod_path(warrant.pod_id), Priority.EXECUTOR)

    async def stop(self, warrant: Warrant) -> None:
        self.spent.spend(warrant, Act.STOP)
        await self._act(warrant.pod_id, "stop", Priority.EXECUTOR)

    async def start(self, pod_id: str) -> None:
        await self._act(pod_id, "start", Priority.CREATE)

    async def logs(
        self,
        pod_id: str,
        source: LogSource,
        *,
        tail: int = 100,
        since: datetime | None = None,
        seconds: float = 3.0,
    ) -> tuple[LogLine, ...]:
        where = {"since": since.astimezone(UTC).isoformat()} if since is not None else {"tail": str(tail)}
        params = {"source": source.value, **where}
        return await self.wire.stream(
            f"{_pod_path(pod_id)}/logs", Priority.REST, params, lines=tail, seconds=seconds
        )

    async def gpu_catalogue(self) -> tuple[GpuType, ...]:
        params = {"include": "AVAILABILITY", "product": "POD"}
        answer = await self.wire.read("catalog/gpus", Priority.REST, params)
        return _or_unreachable(read_gpu_types, answer, "GPU types")

    async def data_centres(self) -> tuple[DataCentre, ...]:
        answer = await self.wire.read("catalog/datacenters", Priority.REST)
        return _or_unreachable(read_data_centres, answer, "data centres")

    async def network_volumes(self) -> tuple[NetworkVolume, ...]:
        answer = await self.wire.read("network-volumes", Priority.REST)
        return _or_unreachable(read_network_volumes, answer, "network volumes")

    async def ssh_keys(self) -> tuple[str, ...]:
        answer = await self.wire.read("account/ssh-keys", Priority.REST)
        return _or_unreachable(read_ssh_keys, answer, "SSH keys")

    async def _act(self, pod_id: str, action: str, priority: Priority) -> None:
        await self.wire.write(Kind.ACT, "POST", f"{_pod_path(pod_id)}/action", priority, {"action": action})


def _pod_path(pod_id: str) -> str:
    """Where a pod is. An id that RunPod cannot have given is not sent: it would lead elsewhere."""
    if not is_pod_id(pod_id):
        raise NotFound(f"{pod_id[:80]!r} is not an id that a pod at RunPod can have")
    return f"pods/{pod_id}"


def _or_unreachable(read: Callable[[Json], _Read | None], answer: Answer, what: str) -> _Read:
    value = read(answer.body)
    if value is None:
        raise Unreachable(f"RunPod's answer has no list of {what} in it")
    return value
