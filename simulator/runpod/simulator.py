"""A whole RunPod account on loopback, for tests and the demo: `async with RunPodSimulator() as runpod`."""

import asyncio
import contextlib
import tempfile
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from simulator.clock import Clock, WallClock
from simulator.runpod.account import ApiKey
from simulator.runpod.console import Console
from simulator.runpod.containers import Containers
from simulator.runpod.control import control_routes
from simulator.runpod.fleet import Fleet
from simulator.runpod.history import rent
from simulator.runpod.plan import PodPlan
from simulator.runpod.ports import HOST
from simulator.runpod.quirks import Quirks
from simulator.runpod.rest import RestApi
from simulator.runpod.server import Server
from simulator.runpod.truth import Calls, Truth

_FOLLOW_EVERY_S = 0.05


class RunPodSimulator:
    """The account, its API on a socket, and its pods as real SSH servers."""

    def __init__(
        self,
        clock: Clock | None = None,
        *,
        api_key: str = "rpa_simulated",
        port: int = 0,
        seed: int = 1,
        plan: PodPlan | None = None,
    ) -> None:
        """`port` 0 picks a free one; `plan` is what every pod gets unless told otherwise."""
        self.clock: Clock = clock or WallClock()
        self.api_key = api_key
        self.fleet = Fleet(self.clock, seed, plan)
        self.fleet.account.keys = {api_key: ApiKey("bot")}
        self.api = RestApi(self.fleet)
        self.quirks = Quirks(self.api)
        self.console = Console(self.fleet)
        self.rent = partial(rent, self.fleet)
        self._root = Path(tempfile.mkdtemp(prefix="runpod-"))
        self.containers = Containers(self.fleet, self._root)
        self._server = Server(self.api, self.containers.follow, control_routes(self))
        self._port = port
        self._following: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        try:
            self._port = await self._server.start(HOST, self._port)
        except OSError:
            await self.containers.close()
            raise
        self._following = asyncio.create_task(self._follow())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._following is not None:
            self._following.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._following
        await self._server.stop()
        await self.containers.close()

    @property
    def url(self) -> str:
        """The API's base address, for `RUNPOD_API_BASE_URL`."""
        return f"http://{HOST}:{self._port}"

    @property
    def mounts(self) -> Path:
        """Order mount paths below this folder to have them exist on this machine."""
        return self._root / "mounts"

    @property
    def calls(self) -> Calls:
        """Every API call so far."""
        return self.fleet.calls

    def ago(self, **units: float) -> datetime:
        """The simulated time so long ago: `ago(hours=100)`."""
        return self.clock.now() - timedelta(**units)

    def truth(self, pod_id: str) -> Truth:
        """The answer sheet of one pod; `KeyError` for an id that never was."""
        return self.fleet.truth(pod_id)

    async def settle(self) -> None:
        """Bring the SSH servers up to date with the clock."""
        await self.containers.follow()

    async def goes_down(self) -> None:
        """The provider cannot be reached: connections are refused. Pods run on."""
        await self._server.stop()

    async def comes_back(self) -> None:
        """The provider can be reached again, on the same port."""
        await self._server.start(HOST, self._port)

    async def _follow(self) -> None:
        while True:
            await asyncio.sleep(_FOLLOW_EVERY_S)
            await self.containers.follow()
