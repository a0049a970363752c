"""What went over the wire, in both directions, for assertions."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from fnmatch import fnmatchcase

from simulator.slack.jsontypes import JsonObject


@dataclass
class ApiCall:
    """One Web API call. `status` is None while it runs, and after its answer was withheld."""

    method: str
    args: JsonObject
    at: datetime
    answer: JsonObject | None = None
    status: int | None = None

    @property
    def ok(self) -> bool:
        return self.answer is not None and self.answer.get("ok") is True

    @property
    def error(self) -> str | None:
        found = self.answer.get("error") if self.answer else None
        return found if isinstance(found, str) else None


@dataclass
class Attempt:
    """One try to deliver: acknowledged, timeout, no_connection, connection_failed or http_error."""

    number: int
    transport: str
    outcome: str = "pending"
    seconds: float | None = None
    answer: JsonObject | None = None


@dataclass
class Delivery:
    """One envelope with all its attempts."""

    id: str
    kind: str
    payload: JsonObject
    at: datetime
    attempts: list[Attempt] = field(default_factory=list)
    acknowledgements: int = 0

    @property
    def acknowledged(self) -> bool:
        return any(attempt.outcome == "acknowledged" for attempt in self.attempts)


@dataclass
class Log:
    calls: list[ApiCall] = field(default_factory=list)
    deliveries: list[Delivery] = field(default_factory=list)

    def calls_of(self, pattern: str) -> list[ApiCall]:
        """The calls whose method fits, e.g. `chat.*`."""
        return [call for call in self.calls if fnmatchcase(call.method, pattern)]

    def deliveries_of(self, kind: str) -> list[Delivery]:
        """The deliveries of an envelope type, a payload type or an event type."""
        return [delivery for delivery in self.deliveries if kind in _names(delivery)]


def _names(delivery: Delivery) -> set[object]:
    event = delivery.payload.get("event")
    return {
        delivery.kind,
        delivery.payload.get("type"),
        event.get("type") if isinstance(event, dict) else None,
    }
