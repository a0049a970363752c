"""One try to hand an envelope over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from simulator.slack.jsontypes import JsonObject

Outcome = Literal["acknowledged", "timeout", "no_connection", "connection_failed", "http_error"]


@dataclass(frozen=True)
class Envelope:
    id: str
    kind: str
    payload: JsonObject
    retry_attempt: int = 0
    retry_reason: str = ""


@dataclass(frozen=True)
class Result:
    """`answer` is the payload of the acknowledgement; `may_retry` is false if the app said so."""

    outcome: Outcome
    answer: JsonObject | None = None
    may_retry: bool = True


class Transport(Protocol):
    name: str

    async def deliver(self, envelope: Envelope, within: float) -> Result:
        """Hands it over and waits for the acknowledgement, at most `within` wall seconds."""
        ...
