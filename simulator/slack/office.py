"""What every part of the simulated Slack needs of the others, in one place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from simulator.slack.faults import Faults
from simulator.slack.jsontypes import JsonObject
from simulator.slack.log import Log
from simulator.slack.settings import Settings
from simulator.slack.tickets import ResponseUrls, Triggers
from simulator.slack.workspace import SlackWorkspace

BOT_TOKEN = "xoxb-simulated-bot"
APP_TOKEN = "xapp-simulated-app"
SIGNING_SECRET = "simulated-signing-secret"


EventSink = Callable[[JsonObject], None]


@dataclass
class Office:
    workspace: SlackWorkspace
    settings: Settings
    log: Log
    faults: Faults
    triggers: Triggers
    response_urls: ResponseUrls
    base_url: str = ""
    tell: EventSink | None = None

    def event(self, event: JsonObject) -> None:
        """Hands an event to the app, if anybody listens yet."""
        if self.tell is not None:
            self.tell(event)
