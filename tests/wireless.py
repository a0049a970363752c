"""A house without sockets: the real RunPod client speaks to the simulated account by function calls.

A hundred times faster than over HTTP, so that years can be lived through. Slack is not there: whoever lives
the world decides when Slack takes a message.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import cast

import asyncssh

from gateways.runpod.answers import Answer, Kind, error_in
from gateways.runpod.budget import Priority
from gateways.runpod.client import RestRunPod
from gateways.runpod.errors import AnswerUnknown, Unreachable
from gateways.runpod.json_values import Json
from gateways.runpod.logs import LogLine, LogSource
from gateways.runpod.shared import SharedListing
from gateways.runpod.status_text import Lost
from gateways.runpod.wire import Wire
from gateways.slack.person import Person
from gateways.slack.protocol import Slack
from gateways.ssh.client import Ssh
from jobs.house import House, Schedules
from pods.order import OrderDefaults
from pods.policy import Policy
from pods.provision.decision import Policy as Waits
from simulator.runpod import RunPodSimulator
from simulator.runpod.http import Request, Response
from simulator.runpod.logs import log_lines
from simulator.runpod.rest import RestApi
from simulator.slack import SlackSimulator
from storage.database import Database
from tests.world import IMAGE, HandClock, World

OPS, DANA, ALICE, BOB, CAROL = "COPS", "UDANA", "UALICE", "UBOB", "UCAROL"


class NoTexts:
    """RunPod's second word cannot be had."""

    async def texts(self, known: frozenset[str]) -> Lost:
        return Lost("RunPod's words cannot be had here.")


class InProcessWire:
    """What `gateways.runpod.wire.Wire` does, without a wire. The simulator's JSON is handed on as it is."""

    def __init__(self, api: RestApi, clock: HandClock) -> None:
        self.api, self.clock = api, clock
        self.key = api.fleet.account.first_key()

    async def read(self, path: str, priority: Priority, params: Mapping[str, str] | None = None) -> Answer:
        return self._call(Kind.READ, "GET", path, None, params or {})

    async def write(
        self, kind: Kind, method: str, path: str, priority: Priority, body: Json = None
    ) -> Answer:
        return self._call(kind, method, path, body, {})

    async def stream(
        self, path: str, priority: Priority, params: Mapping[str, str], *, lines: int, seconds: float
    ) -> tuple[LogLine, ...]:
        answer = self._handled(Kind.READ, "GET", path, None, params)
        if answer.stream is None:
            raise error_in(self._read(answer), Kind.READ) or Unreachable("RunPod's answer is no log")
        pod = self.api.fleet.find(answer.stream.pod_id)
        said = log_lines(pod, self.api.fleet.look()) if pod else []
        wanted = [line for line in said if answer.stream.source in (None, line.source)]
        return tuple(LogLine(LogSource(line.source), line.at, line.line) for line in wanted[-lines:])

    def _call(self, kind: Kind, method: str, path: str, body: Json, params: Mapping[str, str]) -> Answer:
        answer = self._read(self._handled(kind, method, path, body, params))
        if (error := error_in(answer, kind)) is not None:
            raise error
        return answer

    def _handled(self, kind: Kind, method: str, path: str, body: Json, params: Mapping[str, str]) -> Response:
        answer = self.api.handle(Request.by(self.key, method, f"/v2/{path}", body, **params))
        if answer.cut:
            raise Unreachable("cut") if kind is Kind.READ else AnswerUnknown("cut")
        return answer

    def _read(self, answer: Response) -> Answer:
        body = None if answer.text is not None else cast(Json, answer.body)
        return Answer(
            status=answer.status,
            body=body,
            problem="text" if answer.text is not None else None,
            at=self.clock.now(),
            provider_at=_date(answer.headers.get("Date")),
        )


def _date(text: str | None) -> datetime | None:
    return parsedate_to_datetime(text) if text else None


class Members:
    """A Slack in which everybody is an ordinary member of the workspace."""

    async def user(self, user: str) -> Person:
        return Person(user, user, None, deactivated=False, bot=False, guest=False, stranger=False)


def house_without_sockets(
    clock: HandClock,
    database: Database,
    api: RestApi,
    policy: Policy,
    poll: timedelta = timedelta(seconds=60),
    admins: frozenset[str] = frozenset({DANA}),
) -> House:
    """A house over a simulated account. `house.slack` only knows who people are: nothing here may send."""
    api.fleet.account.switches.rate_limits = None
    runpod = RestRunPod(cast(Wire, InProcessWire(api, clock)))
    key = asyncssh.generate_private_key("ssh-ed25519", comment="podkeeper")
    return House(
        clock=clock,
        monotonic=clock.monotonic,
        db=database,
        runpod=runpod,
        listing=SharedListing(runpod, clock, timedelta(seconds=2)),
        witness=NoTexts(),
        ssh=Ssh(key),
        public_key=key.export_public_key("openssh").decode().strip(),
        slack=cast(Slack, Members()),
        ops_channel=OPS,
        admins=admins,
        policy=policy,
        waits=Waits(max_gap=policy.max_gap),
        schedules=Schedules(observe_every=poll),
        defaults=OrderDefaults(image=IMAGE),
    )


@asynccontextmanager
async def world_without_sockets(database: Database) -> AsyncIterator[World]:
    """`tests.world.world_of`, but RunPod is spoken to by function calls, and Slack by nobody."""
    clock = HandClock()
    runpod, slack = RunPodSimulator(clock=clock), SlackSimulator(clock=clock)
    admins = frozenset({slack.people.dana.id})
    house = house_without_sockets(clock, database, runpod.api, Policy(), admins=admins)
    try:
        yield World(
            clock, runpod, slack, replace(house, ops_channel=slack.channel("#gpu-ops").id), served=False
        )
    finally:
        await runpod.containers.close()
