"""A server that gives one prepared answer after the other and notes what it was asked."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from gateways.runpod.budget import Budget
from gateways.runpod.client import RestRunPod, connected
from gateways.runpod.order import CreateOrder
from gateways.runpod.wire import Login

POD_ID = "7h9k2m4n6p"


@dataclass
class Prepared:
    status: int = 200
    body: object = None
    """JSON, or bytes that go out as they are."""
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    hang_up: bool = False
    """Close the connection without an answer."""
    silent: bool = False
    """Never answer."""


@dataclass
class Asked:
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: Any


@dataclass
class Provider:
    url: str = ""
    answers: list[Prepared] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    def will_answer(self, *answers: Prepared) -> None:
        """The last one is repeated."""
        self.answers = list(answers)

    def will_refuse(self, status: int, detail: str, **more: object) -> None:
        problem = {"title": "Problem", "status": status, "detail": detail, **more}
        self.will_answer(Prepared(status, problem, "application/problem+json"))

    async def handle(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        body = json.loads(raw) if raw else None
        self.asked.append(
            Asked(request.method, request.path, dict(request.query), dict(request.headers), body)
        )
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if answer.silent:
            await self.ended.wait()
        if answer.hang_up:
            assert request.transport is not None
            request.transport.close()
            return web.Response()
        raw_answer = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
        return web.Response(
            status=answer.status,
            body=b"" if answer.status == 204 else raw_answer,
            content_type=answer.content_type,
            headers=answer.headers,
        )


@pytest.fixture
async def provider() -> AsyncIterator[Provider]:
    provider = Provider()
    app = web.Application()
    app.router.add_route("*", "/{rest:.*}", provider.handle)
    async with TestServer(app) as server:
        provider.url = str(server.make_url("/"))
        yield provider
        provider.ended.set()


@pytest.fixture
def answer() -> type[Prepared]:
    return Prepared


@pytest.fixture
def outcomes() -> list[str]:
    return []


@pytest.fixture
async def runpod(provider, clock, outcomes) -> AsyncIterator[RestRunPod]:
    login = Login(provider.url, "rpa_key", team_id="team_1")
    async with connected(login, clock, Budget(clock), outcomes.append) as client:
        yield client


@pytest.fixture
def pod() -> dict[str, Any]:
    """A pod as the published document and recorded answers show it."""
    return {
        "id": POD_ID,
        "name": "train-a1b2c3d4",
        "image": "runpod/pytorch:1.0.2-cu1281-torch280-ubuntu2404",
        "args": "",
        "disk": 50,
        "ports": ["8888/http", "22/tcp"],
        "env": {"PODKEEPER_PROVISION": "a1b2c3d4", "PODKEEPER_CREATE": "token-1", "SECRET": "s3cret"},
        "registry": None,
        "status": "RUNNING",
        "actions": ["stop", "restart", "terminate"],
        "mounts": {"persistent": {"size": 20, "path": "/workspace"}},
        "gpu": {"id": "NVIDIA GeForce RTX 4090", "count": 2},
        "cloud": "SECURE",
        "dataCenterId": "US-KS-2",
        "cudaVersion": "12.8",
        "ssh": {
            "proxy": {"host": "ssh.runpod.io", "port": 22, "username": "x-64411eb2", "command": "ssh x"},
            "direct": {"host": "195.26.233.3", "port": 34446, "username": "root", "command": "ssh root"},
        },
        "template": None,
        "cost": 0.44,
        "locked": False,
        "globalNetworking": {"enabled": False},
        "runtime": {
            "uptime": 3600,
            "ports": [{"private": 22, "public": 34446, "type": "tcp", "ip": "195.26.233.3"}],
        },
        "createdAt": "2026-06-01T12:00:00Z",
        "startedAt": "2026-06-01T12:02:00Z",
    }


@pytest.fixture
def order() -> Callable[..., CreateOrder]:
    def make(**changes: Any) -> CreateOrder:
        fields: dict[str, Any] = {
            "name": "train-a1b2c3d4",
            "provision_mark": "a1b2c3d4",
            "create_mark": "token-1",
            "gpu_id": "NVIDIA H100 80GB HBM3",
            "gpu_count": 8,
            "disk_gb": 50,
            "public_keys": ("ssh-ed25519 AAAA service", "ssh-ed25519 BBBB alice"),
            "image": "runpod/pytorch:1.0.2-cu1281-torch280-ubuntu2404",
        }
        return CreateOrder(**(fields | changes))

    return make
