"""The simulated Slack as a whole: built, served on loopback, driven by people."""

from __future__ import annotations

from types import TracebackType

from aiohttp import web

from simulator.clock import Clock, WallClock
from simulator.slack.client.people import People
from simulator.slack.control.routes import Control
from simulator.slack.conversations import Channel
from simulator.slack.delivery.dispatch import Acknowledgement, Dispatcher
from simulator.slack.delivery.http import HttpSender
from simulator.slack.delivery.socket import SocketHub
from simulator.slack.faults import Faults
from simulator.slack.interactions import Interactions
from simulator.slack.log import Delivery, Log
from simulator.slack.manifest import Manifest
from simulator.slack.office import APP_TOKEN, BOT_TOKEN, SIGNING_SECRET, Office
from simulator.slack.settings import Settings
from simulator.slack.tickets import ResponseUrls, Triggers
from simulator.slack.webapi.server import WebApi, drop
from simulator.slack.webapi.uploads import SideDoors
from simulator.slack.workspace import App, SlackWorkspace, furnish

_BODY_LIMIT = 64 * 1024 * 1024


class SlackSimulator:
    """`async with SlackSimulator() as slack:` serves a workspace until the block ends."""

    bot_token = BOT_TOKEN
    app_token = APP_TOKEN
    signing_secret = SIGNING_SECRET

    def __init__(
        self,
        clock: Clock | None = None,
        *,
        manifest: Manifest | None = None,
        settings: Settings | None = None,
        port: int = 0,
        request_url: str | None = None,
    ) -> None:
        clock, settings = clock or WallClock(), settings or Settings()
        self.workspace = SlackWorkspace(clock, manifest or Manifest())
        self._hub = SocketHub(
            self.workspace.changes, self.workspace.app.app_id, lambda ident: self.dispatcher.note(ident)
        )
        self.faults = Faults(self._hub.cut, self._hub.refresh)
        self.log = Log()
        self.office = Office(
            self.workspace,
            settings,
            self.log,
            self.faults,
            Triggers(settings.trigger_life),
            ResponseUrls(clock, settings),
        )
        self.dispatcher = Dispatcher(self.office, self._hub)
        self.office.tell = self.dispatcher.event
        self.people = People(Interactions(self.office, self.dispatcher))
        self._port, self._request_url = port, request_url
        self._http: HttpSender | None = None
        self._runner: web.AppRunner | None = None
        furnish(self.workspace)

    @property
    def base_url(self) -> str:
        return self.office.base_url

    @property
    def api_url(self) -> str:
        """What the bot's `SLACK_API_URL` is."""
        return f"{self.base_url}/api/"

    @property
    def control_url(self) -> str:
        return f"{self.base_url}/_control"

    @property
    def bot(self) -> App:
        return self.workspace.app

    def channel(self, name: str) -> Channel:
        """A channel by name or id; raises `KeyError`."""
        found = self.workspace.channel(name)
        if found is None:
            raise KeyError(name)
        return found

    async def __aenter__(self) -> SlackSimulator:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def start(self) -> None:
        """Begins to serve; raises `OSError` if the port is taken."""
        self._runner = web.AppRunner(self._application(), access_log=None, shutdown_timeout=0.2)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self._port)
        await site.start()
        port = self._runner.addresses[0][1]
        self.office.base_url = self.office.response_urls.base_url = f"http://127.0.0.1:{port}"
        if self._request_url is not None:
            await self.use_http(self._request_url, verify=False)

    async def stop(self) -> None:
        await self.dispatcher.close()
        await self._hub.close()
        if self._http is not None:
            await self._http.close()
        if self._runner is not None:
            await self._runner.cleanup()

    async def connected(self, n: int = 1, within: float = 10.0) -> None:
        """Waits for the app's Socket Mode connections. Raises `TimeoutError`."""
        if not await self.workspace.changes.wait_for(lambda: self.connections >= n, within):
            raise TimeoutError(f"{self.connections} of {n} Socket Mode connections after {within} s")

    @property
    def connections(self) -> int:
        """Socket Mode connections that are up and not about to be replaced."""
        return sum(not each.refreshing for each in self._hub.connections)

    async def use_http(self, request_url: str, verify: bool = True) -> None:
        """Delivers by signed HTTP from now on. Raises `ConnectionError` if the challenge is not answered."""
        sender = HttpSender(request_url, self.signing_secret)
        if verify:
            try:
                await sender.verify_url()
            except ConnectionError:
                await sender.close()
                raise
        if self._http is not None:
            await self._http.close()
        self._http = self.dispatcher.transport = sender

    async def settle(self, within: float = 10.0) -> bool:
        """Waits until nothing is in flight and nothing happens for `settings.quiet` seconds."""
        return await self.workspace.changes.settled(self.office.settings.quiet, within)

    async def redeliver(self, delivery: Delivery, attempt: int = 0) -> Acknowledgement:
        """Sends the same envelope again."""
        return await self.dispatcher.redeliver(delivery, attempt)

    def _application(self) -> web.Application:
        application = web.Application(client_max_size=_BODY_LIMIT)
        api = WebApi(self.office, self._connection_url)
        doors = SideDoors(self.office)
        application.router.add_route("*", "/api/{method}", api.handle)
        application.router.add_get("/link", self._socket)
        application.router.add_post("/upload/{file_id}", doors.upload)
        application.router.add_post("/response/{key}", doors.response_url)
        Control(self.people, self.office).add_routes(application.router)
        return application

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        return drop(request) if self.faults.is_down else await self._hub.serve(request)

    def _connection_url(self) -> str:
        return f"{self.base_url.replace('http', 'ws', 1)}/link?ticket={self._hub.issue_ticket()}"
