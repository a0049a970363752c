"""Deliveries with Slack's patience: three seconds for an acknowledgement, and three more tries for events."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

from simulator.slack.delivery.transport import Envelope, Result, Transport
from simulator.slack.jsontypes import JsonObject, copy
from simulator.slack.log import Attempt, Delivery
from simulator.slack.office import Office

_REASONS = {
    "timeout": "http_timeout",
    "connection_failed": "connection_failed",
    "http_error": "http_error",
    "no_connection": "connection_failed",
}


@dataclass(frozen=True)
class Acknowledgement:
    """What the person in front of Slack gets to feel of it: `error` is None if the app answered in time."""

    error: str | None
    answer: JsonObject
    seconds: float


class Dispatcher:
    def __init__(self, office: Office, transport: Transport) -> None:
        self._office = office
        self.transport = transport
        self._background: set[asyncio.Task[None]] = set()
        self._by_id: dict[str, Delivery] = {}

    async def request(self, kind: str, payload: JsonObject) -> Acknowledgement:
        """A command, click or form: delivered once. The answer decides what the person sees."""
        delivery = self._new(kind, payload)
        fault = self._office.faults.take_delivery()
        with self._office.workspace.changes.going_on():
            if fault.delay:
                await asyncio.sleep(fault.delay)
            tries = [self._attempt(delivery, 0, "") for _ in range(fault.copies)]
            results = await asyncio.gather(*tries)
        result, seconds = results[0], delivery.attempts[0].seconds or 0.0
        if result.outcome == "acknowledged":
            return Acknowledgement(None, result.answer or {}, seconds)
        error = "operation_timeout" if result.outcome == "timeout" else "dispatch_failed"
        return Acknowledgement(error, {}, seconds)

    def event(self, event: JsonObject) -> None:
        """An event, delivered in the background and again if it is not acknowledged."""
        workspace = self._office.workspace
        app = workspace.app
        payload: JsonObject = {
            "token": app.verification_token,
            "team_id": app.team_id,
            "api_app_id": app.app_id,
            "event": copy(event),
            "type": "event_callback",
            "event_id": workspace.new_id("Ev"),
            "event_time": int(workspace.now().timestamp()),
            "authorizations": [
                {
                    "enterprise_id": None,
                    "team_id": app.team_id,
                    "user_id": app.bot_user_id,
                    "is_bot": True,
                    "is_enterprise_install": False,
                }
            ],
            "is_ext_shared_channel": False,
            "event_context": "simulated",
        }
        self._start(self._new("events_api", payload))

    def _start(self, delivery: Delivery) -> None:
        task = asyncio.get_running_loop().create_task(self._with_redelivery(delivery))
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def redeliver(self, delivery: Delivery, attempt: int = 0) -> Acknowledgement:
        """Sends the same envelope again, as Slack sometimes does with attempt number 0 as well."""
        with self._office.workspace.changes.going_on():
            result = await self._attempt(delivery, attempt, "http_timeout" if attempt else "")
        error = None if result.outcome == "acknowledged" else result.outcome
        return Acknowledgement(error, result.answer or {}, delivery.attempts[-1].seconds or 0.0)

    def note(self, envelope_id: str) -> None:
        delivery = self._by_id.get(envelope_id)
        if delivery is not None:
            delivery.acknowledgements += 1
            self._office.workspace.changes.happened()

    async def _with_redelivery(self, delivery: Delivery) -> None:
        fault = self._office.faults.take_delivery()
        with self._office.workspace.changes.going_on():
            if fault.delay:
                await asyncio.sleep(fault.delay)
            tries = [self._attempt(delivery, 0, "") for _ in range(fault.copies)]
            result = (await asyncio.gather(*tries))[0]
        for number, delay in enumerate(self._office.settings.redelivery_delays, start=1):
            if result.outcome in {"acknowledged", "no_connection"} or not result.may_retry:
                return
            reason = _REASONS[result.outcome]
            if delay:
                await asyncio.sleep(delay)
            with self._office.workspace.changes.going_on():
                result = await self._attempt(delivery, number, reason)

    async def _attempt(self, delivery: Delivery, number: int, reason: str) -> Result:
        attempt = Attempt(number, self.transport.name)
        delivery.attempts.append(attempt)
        started = time.monotonic()
        envelope = Envelope(delivery.id, delivery.kind, delivery.payload, number, reason)
        if self._office.faults.is_down:
            result = Result("no_connection")
        else:
            result = await self.transport.deliver(envelope, self._office.settings.ack_within)
        attempt.outcome, attempt.answer = result.outcome, result.answer
        attempt.seconds = time.monotonic() - started
        return result

    def _new(self, kind: str, payload: JsonObject) -> Delivery:
        workspace = self._office.workspace
        delivery = Delivery(workspace.new_id("envelope-"), kind, payload, workspace.now())
        self._by_id[delivery.id] = delivery
        self._office.log.deliveries.append(delivery)
        workspace.changes.happened()
        return delivery

    async def close(self) -> None:
        for task in list(self._background):
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
