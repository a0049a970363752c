"""Provisions on their way, many at once: each is taken in hand for a short while, moved on and let go.

A pass holds nothing but a lease with a fencing number. Whoever comes after it, here or in another process,
goes on from the row alone; a result that comes after somebody else has taken the row is dropped.
"""

import asyncio
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from math import inf

import structlog
from sqlmodel import Session

from gateways.wall import Mark, jumped, mark
from jobs.house import House
from jobs.provision.damaged import DamagedRowError, leave_alone
from jobs.provision.effects import Hands
from jobs.provision.home import Home, home_of
from jobs.provision.late_ends import tell_late_ends
from jobs.provision.log_files import hand_over_logs
from jobs.provision.looking import look
from jobs.provision.missing import Missing
from jobs.provision.names import free_names_of_gone_pods
from jobs.provision.telling import draw_head
from jobs.provision.writing import Written, write_decision
from jobs.ticker import Pass
from pods.fingerprint import Fingerprint
from pods.provision.decide import decide
from pods.provision.decision import Advance, Do, Finish, Wait
from pods.provision.seen import Seen
from pods.provision.stages import Stage
from pods.provision.value import Provision
from storage.ledger import ProvisionRecord, put_off, take, take_due

LEASE = timedelta(seconds=120)
"""Of the machine's time; longer than the longest pass."""
AT_ONCE = 100
MOST_STEPS = 40
LONGEST_CALL_SECONDS = 60.0
"""More than anything outside is waited for; what takes longer was no waiting but a halt of this process."""
DRAWN_EVERY_SECONDS = 15.0
HINTED_SECONDS = 10.0
TIDIES_EVERY_SECONDS = 1.0
"""A hundred launches on their way are looked after many times a second."""
AFTER_A_FAILURE = timedelta(seconds=5)

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Provisions:
    """Works provisions off. `run` starts what is due and returns; what was started goes on by itself."""

    house: House
    _hands: Hands = field(init=False)
    _missing: Missing = field(init=False)
    _at_work: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    _drawn: dict[str, float] = field(default_factory=dict)
    _tidied_at: float = -inf
    _mark: Mark | None = None
    _jumped_at: datetime | None = None

    def __post_init__(self) -> None:
        self._hands = Hands(self.house)
        self._missing = Missing(self.house)

    async def run(self) -> Pass:
        """Take in hand what is due. Safe in several processes at once."""
        house, now = self.house, self.house.clock.now()
        self._look_at_the_clock(now)
        due = await house.db.run(lambda session: take_due(session, now, LEASE, AT_ONCE))
        for taken in due:
            self._begin(taken)
        if self.house.monotonic() - self._tidied_at >= TIDIES_EVERY_SECONDS:
            self._tidied_at = self.house.monotonic()
            await house.db.run(lambda session: _tidy(session, now))
        return Pass(sentence=f"{len(due)} looked at" if due else None)

    async def pass_over(self, provision_id: str) -> bool:
        """One pass over this provision now, due or not. False if somebody else has it in hand."""
        taken = await self.house.db.run(lambda session: take(session, provision_id, LEASE))
        if taken is None:
            return False
        await self._work(taken)
        return True

    def in_hand(self) -> tuple[asyncio.Task[None], ...]:
        """What is being worked on now."""
        return tuple(self._at_work.values())

    async def drain(self) -> None:
        """Wait for what is in hand."""
        while self._at_work:
            await asyncio.gather(*self.in_hand(), return_exceptions=True)

    def _begin(self, taken: ProvisionRecord) -> None:
        task = asyncio.create_task(self._safely(taken), name=f"provision {taken.id}")
        self._at_work[taken.id] = task
        task.add_done_callback(lambda _: self._at_work.pop(taken.id, None))

    async def _safely(self, taken: ProvisionRecord) -> None:
        try:
            await self._work(taken)
        except DamagedRowError:
            await leave_alone(self.house, taken)
        except Exception:
            _log.exception("a pass over a provision broke off; the next one goes on", provision=taken.id)
            due = self.house.clock.now() + AFTER_A_FAILURE * self.house.clock.rate
            await self.house.db.run(lambda session: put_off(session, taken, due))
            self._wake_in(AFTER_A_FAILURE.total_seconds())

    async def _work(self, taken: ProvisionRecord) -> None:
        home = await home_of(self.house, taken)
        since = self.house.clock.now()
        sight = await look(self.house, taken, self._missing, clock_doubtful=self._is_doubtful(taken))
        provision, seen = sight.provision, sight.seen
        for _ in range(MOST_STEPS):
            written = await self._step(taken, provision, seen, sight.fingerprints, home)
            if written is None:
                return None
            provision = written.decision.provision
            match written.decision.act:
                case Do(effect):
                    answer = written.answer
                    if answer is None:
                        began = self.house.monotonic()
                        answer = await self._hands.do(effect, provision, taken.owner)
                        provision = self._looking_on(provision, since, began)
                    seen = replace(seen, **answer)
                case Advance():
                    pass
                case Wait(until=until, pause=pause):
                    await self._draw_now_and_then(provision, home)
                    return self._wake_at(until, pause)
                case Finish():
                    self._drawn.pop(taken.id, None)
                    return await hand_over_logs(self.house, taken, provision, home)
        raise RuntimeError(f"the pass over provision {taken.id} does not come to rest")

    async def _step(
        self,
        taken: ProvisionRecord,
        provision: Provision,
        seen: Seen,
        fingerprints: dict[str, Fingerprint],
        home: Home,
    ) -> Written | None:
        house, now = self.house, self.house.clock.now()
        decision = decide(provision, seen, now, house.waits)
        written = await house.db.run(
            lambda session: write_decision(
                session, house, taken, provision, decision, now, home, fingerprints
            )
        )
        if written is not None:
            _log_lines(provision, written.decision.provision)
        return written

    def _looking_on(self, provision: Provision, since: datetime, began: float) -> Provision:
        """A call of ours takes the machine's time: while it lasts nobody looks away, however fast the clock.

        `since`: when this pass began to look; one that has learned nothing yet stays as it is.
        """
        if provision.looked_at < since or self.house.monotonic() - began > LONGEST_CALL_SECONDS:
            return provision
        return replace(provision, looked_at=max(provision.looked_at, self.house.clock.now()))

    async def _draw_now_and_then(self, provision: Provision, home: Home) -> None:
        """Time passes and money is spent while nothing happens: the head shows it every few real seconds."""
        last = self._drawn.get(provision.id)
        at = self.house.monotonic()
        if last is not None and at - last < DRAWN_EVERY_SECONDS:
            return
        self._drawn[provision.id] = at
        if last is not None:
            now = self.house.clock.now()
            await self.house.db.run(lambda session: draw_head(session, home, now))
            self.house.wakes.wake("outbox")

    def _wake_at(self, until: datetime, pause: timedelta | None) -> None:
        seconds = self.house.clock.seconds_until(until)
        self._wake_in(seconds if pause is None else min(seconds, pause.total_seconds()))

    def _wake_in(self, seconds: float) -> None:
        """A hint, so that a short pause need not wait for the next tick."""
        if seconds <= HINTED_SECONDS:
            loop = asyncio.get_running_loop()
            loop.call_later(seconds + 0.001, self.house.wakes.wake, "provisions")

    def _look_at_the_clock(self, now: datetime) -> None:
        before, self._mark = self._mark, mark(self.house.clock, self.house.monotonic)
        if before is not None and jumped(self.house.clock, before, self.house.monotonic):
            self._jumped_at = now

    def _is_doubtful(self, taken: ProvisionRecord) -> bool:
        """Whether the clock moved otherwise than time since this provision was looked at: then this pass
        judges no deadline of it."""
        now = self.house.clock.now()
        jumped_since = self._jumped_at is not None and taken.updated_at < self._jumped_at
        return jumped_since or taken.updated_at > now


def _log_lines(before: Provision, after: Provision) -> None:
    """What is new of the lines that people grep; those of the wish once it is taken up."""
    wished = before.stage is Stage.WISHED
    known = 0 if wished and after.stage is not Stage.WISHED else len(before.lines)
    for said in after.lines[known:]:
        _log.info(said.line, provision=after.id)


def _tidy(session: Session, now: datetime) -> None:
    free_names_of_gone_pods(session, now)
    tell_late_ends(session, now)
