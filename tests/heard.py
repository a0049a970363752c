"""Whether somebody heard of what costs money, in time: the design's "who hears of what, and when".

A duty begins with what the simulator knows to have happened. It is done as soon as Slack took a message about
it to its owner or to all, is void when what it is about is over, and is overdue two polls (and the time from
one judgement to the next) after its time; the time begins anew after a disturbance. A duty that was done is
followed by the next one, to say it again.
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime, time, timedelta
from enum import StrEnum

from simulator.runpod.pod import Pod
from simulator.runpod.timeline import Phase
from tests.life import Life
from tests.oracle import exited_at
from tests.wireless import OPS

QUIET_FROM, QUIET_TO = time(21), time(8)


class What(StrEnum):
    """The rows of the table of which an owner hears first."""

    NEVER_RAN = "never_ran"
    ERROR = "error"
    LOST_RUNTIME = "lost_runtime"
    PROVISION_FAILED = "provision_failed"
    CREATE_UNKNOWN = "create_unknown"
    END_NOT_CONFIRMED = "end_not_confirmed"
    STALE = "stale"


AT_NIGHT_TOO = frozenset(What) - {What.CREATE_UNKNOWN, What.STALE}
_H, _DAY = timedelta(hours=1), timedelta(days=1)
AGAIN: dict[What, tuple[timedelta, ...]] = {
    What.NEVER_RAN: (1 * _H, 3 * _H, _DAY),
    What.ERROR: (4 * _H, _DAY),
    What.LOST_RUNTIME: (4 * _H, _DAY),
    What.PROVISION_FAILED: (1 * _H, 3 * _H, _DAY),
    What.CREATE_UNKNOWN: (1 * _H, _DAY),
}
"""How long after one time it is said the next time; the last holds for all that follow."""
STALE_AGAIN = (24 * _H, 48 * _H)
"""After these it is said no more."""


@dataclass(frozen=True, slots=True)
class Duty:
    """That somebody hears of this, `wait` after `after`."""

    what: What
    subject: str
    owner: str
    began_at: datetime
    after: datetime
    """When it began, or was said the last time."""
    wait: timedelta
    said: int = 0
    """How often it was said."""


@dataclass(slots=True)
class Heard:
    """The open duties of a life, and how many were done."""

    life: Life
    done: Counter[str] = field(default_factory=Counter)
    _told: dict[tuple[What, str], datetime] = field(default_factory=dict)
    _open: dict[tuple[What, str], Duty] = field(default_factory=dict)

    def begins(self, what: What, subject: str, owner: str, began_at: datetime) -> None:
        """Somebody has to hear of it, unless that is so already."""
        told = self._told.get((what, subject))
        if told is None or (told != began_at and what is not What.END_NOT_CONFIRMED):
            duty = Duty(what, subject, owner, began_at, began_at, self._first(what))
            self._open.setdefault((what, subject), duty)

    def check(self) -> None:
        """No duty is overdue. Raises AssertionError."""
        now = self.life.clock.now()
        for key, duty in [*self._open.items()]:
            if (said_at := self._said_at(duty)) is not None:
                self.done[duty.what if not duty.said else f"{duty.what} again"] += 1
                self._told[key] = duty.began_at
                del self._open[key]
                if (wait := _until_again(duty, said_at)) is not None:
                    self._open[key] = replace(duty, after=said_at, wait=wait, said=duty.said + 1)
            elif self._is_void(duty):
                del self._open[key]
            else:
                due = self._due(duty)
                assert now <= due, f"nobody heard of {duty} by {due}; it is {now}"

    def _first(self, what: What) -> timedelta:
        policy, poll = self.life.pace.policy, self.life.pace.poll
        match what:
            case What.NEVER_RAN:
                return max(policy.never_ran_grace, policy.never_ran_min_observations * poll)
            case What.ERROR:
                return timedelta(minutes=30)
            case What.LOST_RUNTIME:
                return max(timedelta(minutes=30), 5 * poll)
            case What.CREATE_UNKNOWN:
                return timedelta(minutes=10)
            case What.END_NOT_CONFIRMED:
                return timedelta(minutes=5)
            case What.PROVISION_FAILED | What.STALE:
                return timedelta(0)

    def _due(self, duty: Duty) -> datetime:
        pace = self.life.pace
        since = max(duty.after, self.life.disturbed_at + 2 * pace.poll)
        at = since + duty.wait + (1 + pace.judged_every) * pace.poll
        return at if duty.what in AT_NIGHT_TOO else _awake(at) + 2 * pace.poll

    def _said_at(self, duty: Duty) -> datetime | None:
        """When it was said; None: not yet. From the second time on what is urgent is said to all as well."""
        since = [
            one
            for one in self.life.taken.get(duty.subject, ())
            if (one.at > duty.after if duty.said else one.at >= duty.began_at)
        ]
        ears = frozenset({OPS}) if duty.said and duty.what in AT_NIGHT_TOO else self.life.hears(duty.owner)
        return min((one.at for one in since if one.target in ears), default=None)

    def _is_void(self, duty: Duty) -> bool:
        if duty.what is What.CREATE_UNKNOWN:
            return duty.subject not in self.life.lost_creates
        pod, mine = self.life.fleet.find(duty.subject), self.life.ours[duty.subject]
        if pod is None or pod.ended_at is not None:
            return True
        if duty.what is What.END_NOT_CONFIRMED:
            return False
        fenced = mine.fence_at is not None and mine.fence_at <= self.life.clock.now()
        return bool(mine.wishes) or fenced or not self._holds(duty, pod)

    def _holds(self, duty: Duty, pod: Pod) -> bool:
        now = self.life.clock.now()
        match duty.what:
            case What.NEVER_RAN:
                return pod.run.ended_at is None and pod.first_container_start(now) is None
            case What.LOST_RUNTIME:
                return pod.run.dies_at == duty.began_at and pod.run.ended_at is None
            case What.ERROR:
                return pod.phase(now) is Phase.ERROR and exited_at(pod.truth(now)) == duty.began_at
            case What.STALE:
                return pod.phase(now) is Phase.EXITED
            case _:
                return pod.phase(now) is Phase.RUNNING and pod.container_up(now)

    def look(self) -> None:
        """Find what has begun. Called after each poll, before `check`."""
        now = self.life.clock.now()
        for pod_id in [*self.life.unwell]:
            pod = self.life.fleet.find(pod_id)
            mine = self.life.ours[pod_id]
            if pod is None or pod.ended_at is not None:
                self.life.unwell.discard(pod_id)
                continue
            if pod.run.started_at is None and pod.run.ended_at is None:
                self.begins(What.NEVER_RAN, pod_id, mine.owner, pod.created_at)
            elif pod.run.dies_at is not None and pod.run.dies_at <= now and pod.run.ended_at is None:
                self.begins(What.LOST_RUNTIME, pod_id, mine.owner, pod.run.dies_at)
            elif pod.phase(now) is Phase.ERROR and not mine.covered(now):
                self.begins(What.ERROR, pod_id, mine.owner, exited_at(pod.truth(now)))
            elif mine.failed and not mine.covered(now) and pod.container_up(now):
                began_at = max(mine.born_at, pod.run.started_at or now)
                self.begins(What.PROVISION_FAILED, pod_id, mine.owner, began_at)
        for provision, (owner, at) in self.life.lost_creates.items():
            self.begins(What.CREATE_UNKNOWN, provision, owner, at)

    def after_audit(self) -> None:
        """The audit was to tell the owners of all that is stale."""
        now, policy = self.life.clock.now(), self.life.pace.policy
        for pod in self.life.living():
            mine = self.life.ours.get(pod.id)
            if mine is None or mine.covered(now) or pod.phase(now) is not Phase.EXITED:
                continue
            since = max(exited_at(pod.truth(now)), self.life.disturbed_at) + 6 * self.life.pace.poll
            told = any(one.at >= exited_at(pod.truth(now)) for one in self.life.taken.get(pod.id, ()))
            if not told and now - since >= policy.stale_after:
                self.begins(What.STALE, pod.id, mine.owner, now)

    def after_refused_end(self, pod_id: str, at: datetime) -> None:
        """RunPod did not take an end of ours."""
        self.begins(What.END_NOT_CONFIRMED, pod_id, self.life.ours[pod_id].owner, at)


def _until_again(duty: Duty, said_at: datetime) -> timedelta | None:
    """How long until it has to be said the next time; None: never."""
    match duty.what:
        case What.STALE:
            return STALE_AGAIN[duty.said] if duty.said < len(STALE_AGAIN) else None
        case What.END_NOT_CONFIRMED:
            return said_at - duty.began_at
        case _:
            return AGAIN[duty.what][min(duty.said, len(AGAIN[duty.what]) - 1)]


def _awake(at: datetime) -> datetime:
    """The same, or when the night is over."""
    if QUIET_TO <= at.time() < QUIET_FROM:
        return at
    morning = at.replace(hour=QUIET_TO.hour, minute=0, second=0, microsecond=0)
    return morning if at.time() < QUIET_TO else morning + timedelta(days=1)
