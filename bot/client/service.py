"""The service as a program may trust it: refusals become exit codes, a restart is waited for."""

import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from bot.client.ending import Ending
from bot.client.wire import ACCEPTED, Answer, Json, NoAnswerError, Wire
from pods.exit_codes import ExitCode

PATIENCE_S = 300.0
"""How long a service that restarts is waited for."""
PAUSE_S = 1.0
RATE_LIMITED_TRIES = 3
LONGEST_RETRY_AFTER_S = 120

CODES: dict[str, ExitCode] = {
    "unauthenticated": ExitCode.REFUSED,
    "forbidden": ExitCode.REFUSED,
    "agent_unconfirmed": ExitCode.REFUSED,
    "paused": ExitCode.REFUSED,
    "over_limit": ExitCode.REFUSED,
    "rate_limited": ExitCode.UNREACHABLE,
    "provider_unreachable": ExitCode.UNREACHABLE,
    "database_unavailable": ExitCode.UNREACHABLE,
    "our_fault": ExitCode.UNREACHABLE,
    "bad_json": ExitCode.USAGE,
    "not_found": ExitCode.USAGE,
    "method_not_allowed": ExitCode.USAGE,
    "name_in_use": ExitCode.USAGE,
    "ambiguous": ExitCode.USAGE,
    "too_large": ExitCode.USAGE,
    "invalid": ExitCode.USAGE,
}
UNAVAILABLE = frozenset({"provider_unreachable", "database_unavailable"})


@dataclass
class Service:
    """`sleep` and `monotonic` are the wall clock's: waits on the wire follow no other."""

    wire: Wire
    say: Callable[[str], None]
    """Tells a person what is being waited for."""
    sleep: Callable[[float], None] = time.sleep
    monotonic: Callable[[], float] = time.monotonic
    _there: bool = field(default=False, init=False)
    """Something took a request, though it may have been another than the service."""
    _heard: bool = field(default=False, init=False)
    """The service itself has answered, so that what answers in its place is there for a while only."""

    def send(self, kind: str, data: Json, request_id: str) -> Json:
        """Send an event; its answer. Sending it again with the same id is safe. Raises Ending."""
        event = {"type": kind, "timestamp": datetime.now(UTC).isoformat(timespec="seconds"), "data": data}
        body = json.dumps(event)
        return self._insist(lambda: self.wire.post("events", request_id, body), waits_for=frozenset())

    def look(self, rest: str) -> Json:
        """Look at something of ours. Raises Ending."""
        return self._insist(lambda: self.wire.get(rest, new_id()), waits_for=UNAVAILABLE)

    def _insist(self, exchange: Callable[[], Answer], waits_for: frozenset[str]) -> Json:
        until, limited = self.monotonic() + PATIENCE_S, 0
        while True:
            try:
                answer = exchange()
            except NoAnswerError as error:
                if error.foreign and not self._heard:
                    raise self._somebody_else(str(error)) from error
                self._there |= error.connected
                if not self._there or self.monotonic() >= until:
                    raise _unreachable(str(error)) from error
                self._wait(f"The service does not answer ({error}).")
                continue
            if answer.status in ACCEPTED:
                self._there = self._heard = True
                return answer.body
            code = str(answer.body.get("code"))
            if code == "rate_limited" and limited < RATE_LIMITED_TRIES:
                limited += 1
                self.sleep(min(answer.retry_after or 1, LONGEST_RETRY_AFTER_S))
            elif code in waits_for and self._heard and self.monotonic() < until:
                self._wait(str(answer.body.get("detail", code)))
            else:
                raise _refusal(code, answer.body)

    def _somebody_else(self, why: str) -> Ending:
        return Ending(
            ExitCode.UNREACHABLE,
            f"What is at PODKEEPER_URL ({self.wire.address}) is no Podkeeper: {why}.",
        )

    def _wait(self, why: str) -> None:
        self.say(f"{why} Waiting for it.")
        self.sleep(PAUSE_S)


def new_id() -> str:
    """An id for one request, unique for ever."""
    return f"msg_{secrets.token_hex(16)}"


def _refusal(code: str, body: Json) -> Ending:
    field = f" ({body['field']})" if body.get("field") else ""
    matches = body.get("matches")
    return Ending(
        CODES.get(code, ExitCode.UNREACHABLE),
        f"{body.get('detail') or body.get('title') or code}{field}",
        [str(match) for match in matches] if isinstance(matches, list) else (),
    )


def no_sense() -> Ending:
    """The service said something that this client does not understand."""
    return Ending(
        ExitCode.UNREACHABLE, "The service's answer makes no sense to this client; are both of one version?"
    )


def _unreachable(why: str) -> Ending:
    return Ending(ExitCode.UNREACHABLE, f"The service at PODKEEPER_URL cannot be reached: {why}.")
