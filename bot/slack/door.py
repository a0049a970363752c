"""The order on the way in: one INSERT within a second, the acknowledgement, then the work."""

import re
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

import structlog
from slack_bolt.context.ack.async_ack import AsyncAck

from bot.slack.heard import Submission, submission
from bot.slack.intake import Intake
from bot.slack.keys import key_of
from gateways.wall import Wall
from storage.columns import JsonObject
from storage.errors import DatabaseError
from storage.inbox import Arrival

NOT_TAKEN_DOWN = "I could not take this down, so nothing was done. Please try again in a moment."

_log = structlog.get_logger(__name__)

Check = Callable[[Submission], Mapping[str, str]]
"""What is wrong with a form: block id → sentence. Pure, for it stands before the acknowledgement."""
_PRIVATE_KEY = re.compile(r"PRIVATE[\s_-]*KEY|b3BlbnNzaC1rZXktdjE", re.IGNORECASE)
_KEY_LEFT_OUT = "key add PRIVATE KEY"


def fit_to_keep(body: JsonObject) -> JsonObject:
    """A payload without Slack's verification token, and without a private key that somebody typed: the words
    that are left still say that it was one."""
    kept = {name: value for name, value in body.items() if name != "token"}
    text = kept.get("text")
    if isinstance(text, str) and _PRIVATE_KEY.search(text):
        kept["text"] = _KEY_LEFT_OUT
    return kept


@dataclass(frozen=True, slots=True)
class SlackDoor:
    """Takes down what comes in and acknowledges it. `acknowledged` is told the seconds that it took."""

    intake: Intake
    clock: Wall
    checks: Mapping[str, Check]
    acknowledged: Callable[[float], None] = lambda _seconds: None

    async def command(self, ack: AsyncAck, body: JsonObject) -> None:
        await self._take("slack.command", body, ack, lambda: ack(NOT_TAKEN_DOWN))

    async def click(self, ack: AsyncAck, body: JsonObject) -> None:
        await self._take("slack.click", body, ack, None)

    async def submission(self, ack: AsyncAck, body: JsonObject) -> None:
        form = submission(body, "", self.clock.now())
        check = self.checks.get(form.callback_id) if form else None
        if form and check and (wrong := check(form)):
            await ack(response_action="errors", errors=dict(wrong))
            return

        def refuse() -> Awaitable[object]:
            first = next(iter(form.values), None) if form else None
            if first is None:
                raise DatabaseError(NOT_TAKEN_DOWN)
            return ack(response_action="errors", errors={first: NOT_TAKEN_DOWN})

        await self._take("slack.submission", body, ack, refuse)

    async def closing(self, ack: AsyncAck, body: JsonObject) -> None:
        await self._take("slack.closing", body, ack, None)

    async def event(self, ack: AsyncAck, body: JsonObject) -> None:
        await self._take("slack.event", body, ack, None)

    async def _take(
        self, kind: str, body: JsonObject, ack: AsyncAck, refuse: Callable[[], Awaitable[object]] | None
    ) -> None:
        """Without `refuse` a failure is not acknowledged: Slack shows it, or delivers again."""
        began = time.perf_counter()
        arrival = Arrival(key_of(kind, body), kind, fit_to_keep(body), self.clock.now())
        try:
            await self.intake.take_down(arrival)
        except DatabaseError as error:
            _log.error("what came in could not be taken down", kind=kind, why=str(error))
            if refuse is not None:
                await refuse()
            return
        await ack()
        self.acknowledged(time.perf_counter() - began)
        self.intake.answered(arrival.key)
