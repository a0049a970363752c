"""Things that are good only once or only for a time: trigger ids and response URLs."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import datetime

from simulator.clock import Clock
from simulator.slack.settings import Settings


@dataclass
class Trigger:
    user: str
    issued: float
    view_id: str | None = None
    used: bool = False


class Triggers:
    """Trigger ids: good for some wall-clock seconds, once (docs.slack.dev/surfaces/modals)."""

    def __init__(self, life: float) -> None:
        self._life = life
        self._known: dict[str, Trigger] = {}

    def issue(self, user: str, view_id: str | None = None) -> str:
        trigger_id = f"{len(self._known) + 1}.{int(time.time())}.simulated"
        self._known[trigger_id] = Trigger(user, time.monotonic(), view_id)
        return trigger_id

    def use(self, trigger_id: str) -> Trigger | str:
        """The trigger, or Slack's error code."""
        trigger = self._known.get(trigger_id)
        if trigger is None:
            return "invalid_trigger_id"
        if time.monotonic() - trigger.issued > self._life:
            return "expired_trigger_id"
        if trigger.used:
            return "exchanged_trigger_id"
        trigger.used = True
        return trigger


@dataclass
class ResponseUrl:
    """Where an answer goes: a channel, for one person, perhaps about one message."""

    channel: str
    user: str
    issued: datetime
    message_ts: str | None = None
    thread_ts: str | None = None
    uses: int = 0


@dataclass
class ResponseUrls:
    """Five uses within thirty minutes (docs.slack.dev/interactivity/handling-user-interaction)."""

    clock: Clock
    settings: Settings
    base_url: str = ""
    known: dict[str, ResponseUrl] = field(default_factory=dict)

    def issue(
        self, channel: str, user: str, message_ts: str | None = None, thread_ts: str | None = None
    ) -> str:
        key = f"{len(self.known) + 1:08d}"
        self.known[key] = ResponseUrl(channel, user, self.clock.now(), message_ts, thread_ts)
        return f"{self.base_url}/response/{key}"

    def use(self, key: str) -> ResponseUrl | str:
        """The address, or Slack's error code."""
        found = self.known.get(key)
        if found is None:
            return "no_such_url"
        if self.clock.now() - found.issued > self.settings.response_url_life:
            return "expired_url"
        if found.uses >= self.settings.response_url_uses:
            return "used_url"
        found.uses += 1
        return found
