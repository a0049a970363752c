"""The Socket Mode connection, kept up: slack_sdk reconnects by itself, and where it does not, we do."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import structlog
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackApiError

LOOK_EVERY_SECONDS = 2.0
DOWN_FOR_SECONDS = 20.0
"""slack_sdk gets this long to reconnect; then the connection is made anew from scratch."""
LONGEST_PAUSE_SECONDS = 30.0

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Socket:
    """One connection to Slack, for as long as `run` runs."""

    app: AsyncApp
    app_token: str
    monotonic: Callable[[], float] = time.monotonic
    connected: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once Slack has said hello for the first time."""
    connections: int = 0
    """How many connections of this app Slack counted at the last hello."""
    _up_at: float | None = None

    @property
    def is_up(self) -> bool:
        """Whether Slack can reach us now."""
        return self._up_at is not None and self.monotonic() - self._up_at < DOWN_FOR_SECONDS

    async def run(self) -> None:
        """Connect, watch, connect anew, until cancelled."""
        failures = 0
        while True:
            handler = AsyncSocketModeHandler(self.app, self.app_token, ping_interval=5)
            handler.client.message_listeners.append(self._hello)
            try:
                await handler.connect_async()  # type: ignore[no-untyped-call]  # Bolt's own
                failures = 0
                await self._watch(handler)
            except (TimeoutError, SlackApiError, OSError) as error:
                failures += 1
                _log.warning("Slack cannot be reached by Socket Mode; I keep trying", why=_why(error))
            finally:
                await handler.client.close()  # type: ignore[no-untyped-call]  # slack_sdk's own
                await handler.client.aiohttp_client_session.close()
            await asyncio.sleep(min(2.0 ** min(failures, 5) - 1, LONGEST_PAUSE_SECONDS))

    async def _watch(self, handler: AsyncSocketModeHandler) -> None:
        """Returns once the connection has been down for too long."""
        last_up = self.monotonic()
        while self.monotonic() - last_up < DOWN_FOR_SECONDS:
            if await handler.client.is_connected():
                last_up = self._up_at = self.monotonic()
            await asyncio.sleep(LOOK_EVERY_SECONDS)
        _log.warning("the connection to Slack is down; I make a new one")

    async def _hello(self, _client: object, message: dict[str, object], _raw: str | None) -> None:
        if message.get("type") != "hello":
            return
        count = message.get("num_connections")
        self.connections = count if isinstance(count, int) else 1
        self._up_at = self.monotonic()
        self.connected.set()
        if self.connections > 1:
            _log.warning(
                "Slack counts several connections of this app and spreads what people do over them; "
                "that is right only if all of them share one database",
                connections=self.connections,
            )


def _why(error: Exception) -> str:
    if isinstance(error, SlackApiError):
        return f"Slack says {error.response.get('error')}; look at SLACK_APP_TOKEN"
    return str(error) or type(error).__name__
