"""A life led by dice: what happens to an account, as often as its habits say."""

from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random

from pods.guards import Path
from simulator.runpod.refusal import RefusedError
from storage.switches import ARMED_NEVER_RAN, ARMED_STALE, PAUSED
from tests import people
from tests.heard import Heard
from tests.life import ADMINS, HOUR, OWNERS, Life
from tests.oracle import Oracle
from tests.people import Fate

_FILLED_AT_ONCE = 250
_AT_LEAST = 20
"""Pods of ours of which nobody has wanted anything, so that people have something to want."""
_AUDIT_HOURS = (3, 9, 15, 21)
"""The stale audit runs so often that its limits per pass leave most ends to it."""
Later = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Habits:
    """What is usual in an account. Rates are so many a poll."""

    fleet: int
    """Pods there are, more or less."""
    foreign: float
    """Share of them that teammates rent by hand."""
    wishes: float
    """Of each way in which a pod can come to its end."""
    misfortunes: float
    """Of each way in which a pod can go wrong."""
    faults: float
    """Of each fault of the provider, of Slack and of the clock."""


async def begin(life: Life) -> None:
    """Both jobs armed, and the account believed."""
    await life.switch(ARMED_NEVER_RAN, on=True)
    await life.switch(ARMED_STALE, on=True)
    await life.poll()
    await life.poll()


@dataclass(slots=True)
class Living:
    """One life from poll to poll; everything that it does is held against the truth."""

    life: Life
    dice: Random
    habits: Habits
    oracle: Oracle = field(init=False)
    heard: Heard = field(init=False)
    _well: list[str] = field(default_factory=list)
    """Pods of ours of which nobody has wanted anything yet."""
    _agents: list[str] = field(default_factory=list)
    _later: dict[int, list[Later]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        self.oracle, self.heard = Oracle(self.life), Heard(self.life)

    async def poll(self) -> None:
        """What happens, then one poll. Raises AssertionError for whatever must not be."""
        life, now = self.life, self.life.clock.now()
        for act in self._later.pop(life.polls, ()):
            await act()
        await self._rent()
        await self._people()
        await self._misfortunes()
        await self._faults()
        audit = now.hour in _AUDIT_HOURS and now.minute < life.pace.poll / timedelta(minutes=1)
        await life.poll(audit=audit)
        self.oracle.check()
        for pod_id, at in self.oracle.refused:
            self.heard.after_refused_end(pod_id, at)
        self.oracle.refused.clear()
        if audit:
            self.heard.after_audit()
        self.heard.look()
        self.heard.check()

    def _times(self, rate: float) -> int:
        return int(rate) + (self.dice.random() < rate % 1)

    def _in(self, polls: int, act: Later) -> None:
        self._later[self.life.polls + polls].append(act)

    async def _rent(self) -> None:
        """What ended is replaced, so that the fleet stays as large as it is."""
        there = self.life.seen or len(self.life.living())
        missing = max(min(self.habits.fleet - there, _FILLED_AT_ONCE), 0)
        foreign = sum(self.dice.random() < self.habits.foreign for _ in range(missing))
        for _ in range(foreign):
            people.rent_somebodys(self.life, stuck=self.dice.random() < 0.02)
        before = len(self.life.ours)
        wanted = 0 if len(self._well) > _AT_LEAST else _AT_LEAST
        await people.rent_ours(self.life, [self._fate() for _ in range(max(missing - foreign, wanted))])
        for pod_id in [*self.life.ours][before:]:
            (self._agents if self.life.ours[pod_id].agent else self._well).append(pod_id)

    def _fate(self, **given: object) -> Fate:
        agents = self.dice.random() < 0.25
        owner = OWNERS[0] if agents else self.dice.choice(OWNERS)
        return Fate(owner=owner, agents=agents, **given)  # type: ignore[arg-type]

    async def _people(self) -> None:
        """Each path of the guard table gets its turn."""
        rate, dice, life = self.habits.wishes, self.dice, self.life
        fenced = [
            self._fate(ends_after=dice.choice([2, 5, 30]) * HOUR, kept=dice.random() < 0.1)
            for _ in range(self._times(rate))
        ]
        await people.rent_ours(life, fenced)
        for _ in range(self._times(rate)):
            await people.order(life, dice.choice(OWNERS))
        for _ in range(self._times(rate)):
            provision = await people.order(life, dice.choice(OWNERS))
            self._in(1, lambda provision=provision: people.call_it_off(life, provision))  # type: ignore[misc]
        for path in (Path.OWNER, Path.ADMIN, Path.STOP):
            for _ in range(self._times(rate)):
                await self._wants(path)
        for _ in range(self._times(rate)):
            if self._agents:
                await people.say(life, self._drawn(self._agents), Path.AGENT, "agent:bot")
        for _ in range(self._times(rate)):
            if self._well:
                self._console(self._drawn(self._well), "stop")

    async def _wants(self, path: Path) -> None:
        if not self._well:
            return
        pod_id = self._drawn(self._well)
        if self.life.fleet.find(pod_id) is None:
            return
        stubborn = path is Path.OWNER and self.dice.random() < 0.05
        if stubborn:
            people.be_stubborn(self.life, pod_id, stubborn=True)
            self._in(12, lambda: self._gives_in(pod_id))
        actor = self.dice.choice(ADMINS) if path is Path.ADMIN else self.life.ours[pod_id].owner
        await people.say(self.life, pod_id, path, actor)
        if path is Path.STOP and self.dice.random() < 0.8:
            self._in(8, lambda: self._starts(pod_id))

    def _drawn(self, pods: list[str]) -> str:
        place = self.dice.randrange(len(pods))
        pods[place], pods[-1] = pods[-1], pods[place]
        return pods.pop()

    async def _gives_up(self, pod_id: str) -> None:
        """The owner of a pod that went wrong has it ended, having been told or not."""
        pod = self.life.fleet.find(pod_id)
        if pod is not None and pod.ended_at is None:
            await people.say(self.life, pod_id, Path.OWNER, self.life.ours[pod_id].owner)

    async def _gives_in(self, pod_id: str) -> None:
        people.be_stubborn(self.life, pod_id, stubborn=False)

    async def _starts(self, pod_id: str) -> None:
        self._console(pod_id, "start")

    def _console(self, pod_id: str, what: str) -> None:
        do = self.life.fleet.stop if what == "stop" else self.life.fleet.start
        try:
            do(pod_id, "console:owner")
        except RefusedError:
            return

    async def _misfortunes(self) -> None:
        rate, dice, life = self.habits.misfortunes, self.dice, self.life
        fates = [
            *(self._fate(stuck=True, kept=dice.random() < 0.3) for _ in range(self._times(rate))),
            *(self._fate(dies_after=timedelta(minutes=40)) for _ in range(self._times(rate / 4))),
            *(self._fate(errs_after=timedelta(minutes=40)) for _ in range(self._times(rate / 4))),
            *(self._fate(failed=True) for _ in range(self._times(rate / 4))),
        ]
        before = len(life.ours)
        await people.rent_ours(life, fates)
        for pod_id in [*life.ours][before:]:
            self._in(dice.randrange(12, 40), lambda pod_id=pod_id: self._gives_up(pod_id))  # type: ignore[misc]
        for _ in range(self._times(rate / 4)):
            provision = await people.lose_a_create(life, dice.choice(OWNERS))
            self._in(dice.choice([1, 80]), lambda provision=provision: people.find_it(life, provision))  # type: ignore[misc]

    async def _faults(self) -> None:
        rate, dice, life = self.habits.faults, self.dice, self.life
        account = life.fleet.account.switches
        account.listing = dice.choice(["empty", "html", "null"]) if dice.random() < rate else "ok"
        account.null_runtime_data_centers = frozenset({"*"} if dice.random() < rate else ())
        life.slack_up = dice.random() >= rate
        if dice.random() < rate:
            life.restart()
        if dice.random() < rate:
            life.quirks.terminate_answers(dice.choice([500, 502]), ended=dice.random() < 0.5)
        if dice.random() < rate:
            life.quirks.create_answer_is_lost(created=dice.random() < 0.5)
        if dice.random() < rate:
            people.act(life, dice.randrange(10_000), "terminate")
        if dice.random() < rate / 2:
            await life.jump(dice.choice([1, -1]) * HOUR / 2)
        if dice.random() < rate / 2:
            await life.switch(PAUSED, on=True)
        elif dice.random() < 0.2 and life.is_on(PAUSED, life.clock.now()):
            await life.switch(PAUSED, on=False)
