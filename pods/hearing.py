"""Who hears of what, and when. "Nothing bills unnoticed" means these times.

`HEARING` is the design's table; `due` reads it. What begins a state, and what was said when, is given by
the caller; the same question put twice at the same moment has the same answer.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from types import MappingProxyType

from pods.policy import Policy
from pods.quiet import QuietHours, speak_at

DAY = timedelta(days=1)


class State(StrEnum):
    """What somebody has to hear of."""

    NEVER_RAN = "never_ran"
    """Never ran and not reaped, or `allocating` beyond the grace; begins with the pod's creation."""
    ERROR = "error"
    LOST_RUNTIME = "lost_runtime"
    """Begins when it was first seen without one."""
    PROVISION_FAILED = "provision_failed"
    """Failed but alive after a provision."""
    UNFENCED = "unfenced"
    """Running without a fence, or beyond it; begins when it was ready, or was first seen running."""
    CREATE_UNKNOWN = "create_unknown"
    """A create call whose answer was lost; no pod id yet."""
    END_NOT_CONFIRMED = "end_not_confirmed"
    STALE = "stale"
    """Begins when the notice, or the question, is due."""
    WITNESS_OUT = "witness_out"
    """No pod's state: the word of RunPod about runtimes is worth nothing."""


class Who(StrEnum):
    """Where it is said."""

    OWNER = "owner"
    ASKER = "asker"
    """Who asked for the provision, if that is not its owner."""
    OPS = "ops"
    WEEKLY_LIST = "weekly_list"


class Start(StrEnum):
    """A first time that is a setting, counted from the pod's creation."""

    GRACE = "grace"
    HARD_CAP = "hard_cap"


@dataclass(frozen=True, slots=True)
class Times:
    """One cell of the table. `again` counts from the first time that it was said, `every` from then on."""

    first: timedelta | Start
    who: frozenset[Who]
    again: tuple[timedelta, ...] = ()
    every: timedelta | None = None
    doubling: bool = False
    """Instead: at each doubling of `first`, counted from the beginning."""
    urgent: bool = False
    """No quiet hours, the owner is mentioned, and from the second time on the ops channel hears it too."""
    in_digest: bool = False
    """Also in each daily digest."""


@dataclass(frozen=True, slots=True)
class Row:
    """What happens if the owner is known, and if not; None: nothing is said."""

    owner_known: Times | None
    owner_unknown: Times | None


_OWNER, _OPS, _LIST = frozenset({Who.OWNER}), frozenset({Who.OPS}), frozenset({Who.WEEKLY_LIST})
_AT_ONCE = timedelta(0)
_M, _H = timedelta(minutes=1), timedelta(hours=1)
_SOON = (1 * _H, 4 * _H)

HEARING: Mapping[State, Row] = MappingProxyType(
    {
        State.NEVER_RAN: Row(
            Times(Start.GRACE, _OWNER, _SOON, DAY, urgent=True),
            Times(Start.HARD_CAP, _OPS, (), DAY, urgent=True),
        ),
        State.ERROR: Row(
            Times(30 * _M, _OWNER, (4 * _H,), DAY, urgent=True),
            Times(60 * _M, _OPS | _LIST),
        ),
        State.LOST_RUNTIME: Row(
            Times(30 * _M, _OWNER, (4 * _H,), DAY, urgent=True),
            Times(_AT_ONCE, _LIST),
        ),
        State.PROVISION_FAILED: Row(
            Times(_AT_ONCE, _OWNER | {Who.ASKER}, _SOON, DAY, urgent=True),
            None,
        ),
        State.UNFENCED: Row(
            Times(24 * _H, _OWNER, (), 72 * _H, in_digest=True),
            Times(7 * DAY, _LIST),
        ),
        State.CREATE_UNKNOWN: Row(
            Times(10 * _M, _OWNER, (1 * _H,), DAY),
            None,
        ),
        State.END_NOT_CONFIRMED: Row(
            Times(5 * _M, _OWNER, doubling=True, urgent=True),
            None,
        ),
        State.STALE: Row(
            Times(_AT_ONCE, _OWNER, (24 * _H, 72 * _H)),
            Times(_AT_ONCE, _LIST),
        ),
        State.WITNESS_OUT: Row(
            None,
            Times(_AT_ONCE, _OPS, (30 * _M,), DAY, urgent=True),
        ),
    }
)


@dataclass(frozen=True, slots=True)
class Matter:
    """One state of one pod, and what was said of it so far."""

    state: State
    owner_known: bool
    began_at: datetime
    not_before: datetime | None = None
    """The first time waits for this one too: a living owner or a knowing keep puts off the question."""
    first_said_at: datetime | None = None
    last_said_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Say:
    """Say it now, once, however many times were missed."""

    who: frozenset[Who]
    urgent: bool
    mention: bool
    """Mention the owner."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing is due; None: nothing ever will be."""

    until: datetime | None


def due(matter: Matter, now: datetime, quiet: QuietHours | None, policy: Policy) -> Say | Wait:
    """What is due now. Members of the weekly list are due from their time on; the list has its own day."""
    row = HEARING[matter.state]
    times = row.owner_known if matter.owner_known else row.owner_unknown
    if times is None:
        return Wait(None)
    at = _next(times, matter, policy)
    if at is None or at > now:
        return Wait(at)
    if not times.urgent and (awake_at := speak_at(now, quiet)) > now:
        return Wait(awake_at)
    repeated = matter.last_said_at is not None
    who = times.who | {Who.OPS} if times.urgent and repeated else times.who
    return Say(who, times.urgent, mention=times.urgent and Who.OWNER in times.who)


def _next(times: Times, matter: Matter, policy: Policy) -> datetime | None:
    """The first scheduled time after the last one at which it was said."""
    first_at = matter.began_at + _first(times, policy)
    if matter.not_before is not None:
        first_at = max(first_at, matter.not_before)
    if matter.last_said_at is None or matter.first_said_at is None:
        return first_at
    if times.doubling:
        return _doubled(first_at, matter.began_at, matter.last_said_at)
    for offset in times.again:
        if matter.first_said_at + offset > matter.last_said_at:
            return matter.first_said_at + offset
    if times.every is None:
        return None
    rounds = (matter.last_said_at - matter.first_said_at) // times.every + 1
    return matter.first_said_at + rounds * times.every


def _first(times: Times, policy: Policy) -> timedelta:
    match times.first:
        case Start.GRACE:
            return policy.never_ran_grace
        case Start.HARD_CAP:
            return policy.never_ran_hard_cap
        case timedelta() as after:
            return after


def _doubled(first_at: datetime, began_at: datetime, last_said_at: datetime) -> datetime:
    wait = first_at - began_at
    while began_at + wait <= last_said_at:
        wait *= 2
    return began_at + wait
