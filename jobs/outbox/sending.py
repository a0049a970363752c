"""One pass of the sender: what is due goes out, a channel at a time, and what cannot is put off or told."""

import asyncio
from asyncio import FIRST_COMPLETED
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

import structlog
from sqlmodel import Session

from gateways.slack.errors import (
    AnswerLost,
    SlackAuth,
    SlackError,
    SlackRateLimited,
    SlackRejected,
    SlackUnreachable,
    Undeliverable,
)
from gateways.slack.protocol import Posted
from jobs.house import House
from jobs.outbox.kinds import UNDELIVERABLE, Kind, Kinds, Message, Taken
from jobs.outbox.lost_channel import note_lost, note_reached
from jobs.ticker import Pass
from storage.outbox import (
    Letter,
    Sending,
    delivered,
    give_up,
    hold,
    place_of,
    put_off,
    send,
    take_due,
    waits_behind,
)

LEASE = timedelta(seconds=60)
A_TARGET = 10
"""Messages of one channel that are taken together."""
LOOK_AGAIN_SECONDS = 0.5
"""While some channels are sent to, others may come to have something."""
BETWEEN_POSTS_SECONDS = 1.05
"""Slack takes about one message a second in a channel."""
LONGEST_PAUSE = timedelta(minutes=2)
MOST_LOOKS = 4
"""After so many attempts a message goes out although Slack does not let us look whether it is there."""

_log = structlog.get_logger(__name__)

Nap = Callable[[float], Awaitable[None]]


@dataclass(slots=True)
class Sender:
    """Sends rows of the outbox. `nap` waits real seconds."""

    house: House
    kinds: Kinds
    nap: Nap = asyncio.sleep
    _dms: dict[str, str] = field(default_factory=dict)
    _closed: dict[str, datetime] = field(default_factory=dict)
    """Until when Slack takes nothing for a target: it said so."""

    async def run(self) -> Pass:
        """Send everything that is due. A channel that has much to get holds up no other. Several processes
        may do this at once."""
        sent, begun = 0, set[str]()
        at_work: dict[str, asyncio.Task[None]] = {}
        try:
            while (batch := await self._take(at_work)) or at_work:
                for target, some in _by_target(batch).items():
                    at_work[target] = asyncio.create_task(self._send_in_turn(some, goes_on=target in begun))
                    begun.add(target)
                sent += len(batch)
                for target in await _some_over(at_work):
                    at_work.pop(target).result()
        finally:
            for task in at_work.values():
                task.cancel()
            await asyncio.gather(*at_work.values(), return_exceptions=True)
        return Pass(sentence=f"{sent} sent" if sent else None)

    async def _take(self, at_work: Collection[str]) -> list[Sending]:
        now = self.house.clock.now()
        but = {*at_work, *(target for target, until in self._closed.items() if now < until)}
        return await self.house.db.run(lambda session: take_due(session, now, LEASE, A_TARGET, but))

    async def _send_in_turn(self, some: list[Sending], *, goes_on: bool) -> None:
        """To one place. What Slack says about one message there goes for those behind it too."""
        slack_was_asked = goes_on
        for place, sending in enumerate(some):
            if slack_was_asked:
                await self.nap(BETWEEN_POSTS_SECONDS)
            if not await self.house.db.run(partial(hold, sending=sending, lease_for=LEASE)):
                continue  # Slack was slow, and another has taken it since.
            try:
                slack_was_asked = await self._send(sending)
            except SlackRateLimited as limited:
                self._closed[sending.target] = self._in(limited.retry_after)
                for waiting in some[place:]:
                    await self._put_off(waiting, limited.retry_after, limited.sentence)
                return
            except SlackError as error:
                slack_was_asked = True
                await self._failed(sending, error)
            except Exception:
                _log.exception("a message could not be drawn", kind=sending.kind, message=sending.id)
                await self._put_off(sending, self._pause(sending), "it could not be drawn", lost=True)

    async def _send(self, sending: Sending) -> bool:
        """Says whether Slack was asked to take something."""
        kind = self.kinds.get(sending.kind)
        if kind is None:
            _log.error("nobody knows this kind of message", kind=sending.kind, message=sending.id)
            await self._give_up(sending, "unknown kind")
            return False
        message = await self._drawn(kind, sending)
        if message is None:
            await self._nothing_to_say(sending)
            return False
        thread_ts, channel = None, None
        if sending.thread_of is not None:
            head = await self.house.db.read(lambda session: place_of(session, str(sending.thread_of)))
            if head is None or (head.ts is None and head.gave_up_at is None):
                await self._put_off(sending, timedelta(seconds=1), "its thread has not begun yet")
                return False
            if await self.house.db.read(lambda session: waits_behind(session, sending)):
                await self._put_off(sending, timedelta(seconds=1), "another goes before it")
                return False
            thread_ts, channel = head.ts, head.channel
        if (kind.falls_back or kind.counts_if_here) and sending.ts is None:
            await self._must_be_here(sending.target)
        posted = await self._posted(sending, message, channel, thread_ts)
        await self._taken(kind, sending, posted)
        return True

    async def _must_be_here(self, target: str) -> None:
        """Slack takes messages to who has left without a word. Raises Undeliverable instead."""
        if target[:1] not in "UW":
            return
        try:
            person = await self.house.slack.user(target)
        except (SlackAuth, SlackRejected) as error:
            _log.warning("Slack did not say who somebody is", user=target, why=error.sentence)
            return
        if person.deactivated:
            raise Undeliverable("user_disabled")

    async def _drawn(self, kind: Kind, sending: Sending) -> Message | None:
        now = self.house.clock.now()
        return await self.house.db.read(lambda session: kind.render(session, sending.refs, now))

    async def _posted(
        self, sending: Sending, message: Message, channel: str | None, thread_ts: str | None
    ) -> Posted:
        slack = self.house.slack
        if sending.ts is not None and sending.channel is not None:
            try:
                return await slack.update(sending.channel, sending.ts, message.text, blocks=message.blocks)
            except Undeliverable as error:
                if error.reason != "message_not_found":
                    raise
        place = channel or await self._place(sending.target)
        dedupe = sending.id if sending.ts is None else f"{sending.id} after {sending.ts}"
        if sending.in_doubt and (there := await self._there(sending, place, dedupe, thread_ts)):
            return await slack.update(there.channel, there.ts, message.text, blocks=message.blocks)
        return await slack.post(
            place, message.text, blocks=message.blocks, thread_ts=thread_ts, dedupe=dedupe
        )

    async def _there(self, sending: Sending, place: str, dedupe: str, thread_ts: str | None) -> Posted | None:
        """What an earlier attempt left in Slack. Where that cannot be seen: None, rather twice than never."""
        try:
            return await self.house.slack.find(place, dedupe, thread_ts=thread_ts)
        except SlackRateLimited:
            if sending.attempts <= MOST_LOOKS:
                raise
        except (SlackAuth, Undeliverable, SlackRejected) as error:
            _log.info("it cannot be seen whether a message is there", message=sending.id, why=error.sentence)
        return None

    async def _place(self, target: str) -> str:
        """The channel behind a target; people are written to in their direct messages."""
        if target[:1] not in "UW":
            return target
        if target not in self._dms:
            self._dms[target] = await self.house.slack.open_dm(target)
        return self._dms[target]

    async def _taken(self, kind: Kind, sending: Sending, posted: Posted) -> None:
        at = self.house.clock.now()
        first = sending.ts is None
        reached_ops = sending.target == self.house.ops_channel
        if posted.text_only:
            _log.error("Slack rejected the blocks of a message", kind=sending.kind, message=sending.id)

        def write(session: Session) -> bool:
            mine = delivered(session, sending, posted.channel, posted.ts, at)
            if mine and first and kind.on_taken:
                kind.on_taken(session, Taken(sending.id, sending.refs, posted.channel, posted.ts, at))
            if reached_ops:
                note_reached(session, at)
            return mine

        if not await self.house.db.run(write):
            _log.warning("a message may be in Slack twice", message=sending.id, ts=posted.ts)

    async def _nothing_to_say(self, sending: Sending) -> None:
        """It stays as it is in Slack; or it never gets there."""
        if sending.ts is None or sending.channel is None:
            return await self._give_up(sending, "there was nothing to say any more")
        channel, ts, at = sending.channel, sending.ts, self.house.clock.now()
        await self.house.db.run(lambda session: delivered(session, sending, channel, ts, at))
        return None

    async def _failed(self, sending: Sending, error: SlackError) -> None:
        match error:
            case SlackUnreachable() | SlackAuth():
                await self._put_off(sending, self._pause(sending), error.sentence)
            case AnswerLost():
                await self._put_off(sending, self._pause(sending), error.sentence, lost=True)
            case Undeliverable():
                await self._undeliverable(sending, error)
            case SlackRejected():
                _log.error("Slack rejected a message", kind=sending.kind, why=error.sentence)
                await self._give_up(sending, error.sentence)
            case _:
                raise error

    async def _undeliverable(self, sending: Sending, error: Undeliverable) -> None:
        """Another place may work: the ops channel for a person's message, the admins for the ops channel."""
        house, at = self.house, self.house.clock.now()
        kind = self.kinds.get(sending.kind)
        if sending.ts is not None:
            return await self._give_up(sending, error.sentence)
        if sending.target == house.ops_channel:
            await house.db.run(lambda session: note_lost(session, house.admins, error.reason, at))
            return await self._put_off(sending, LONGEST_PAUSE, error.sentence)

        def write(session: Session) -> None:
            if give_up(session, sending, at, error.sentence) and kind is not None and kind.falls_back:
                refs = {**sending.refs, UNDELIVERABLE: sending.target}
                to_ops = Letter(f"{sending.id} to ops", house.ops_channel, sending.kind, refs, urgent=True)
                send(session, to_ops, at)

        await house.db.run(write)
        house.wakes.wake("outbox")
        return None

    async def _put_off(self, sending: Sending, pause: timedelta, why: str, *, lost: bool = False) -> None:
        due = self._in(pause)
        await self.house.db.run(lambda session: put_off(session, sending, due, why, lost=lost))

    def _in(self, pause: timedelta) -> datetime:
        """After a pause on the wall clock."""
        return self.house.clock.now() + pause * self.house.clock.rate

    async def _give_up(self, sending: Sending, why: str) -> None:
        at = self.house.clock.now()
        await self.house.db.run(lambda session: give_up(session, sending, at, why))

    @staticmethod
    def _pause(sending: Sending) -> timedelta:
        return min(timedelta(seconds=2.0 ** min(sending.attempts, 7)), LONGEST_PAUSE)


def _by_target(batch: list[Sending]) -> dict[str, list[Sending]]:
    by_target: dict[str, list[Sending]] = defaultdict(list)
    for sending in batch:
        by_target[sending.target].append(sending)
    return by_target


async def _some_over(at_work: Mapping[str, asyncio.Task[None]]) -> list[str]:
    """Those that are over by the time when one of them is, or when it is time to look again."""
    await asyncio.wait(at_work.values(), timeout=LOOK_AGAIN_SECONDS, return_when=FIRST_COMPLETED)
    return [target for target, task in at_work.items() if task.done()]
