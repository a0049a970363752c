"""May this pod be ended by this path now? The guard table, read against freshly read facts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import assert_never

from pods.facts import PassFacts, PodFacts
from pods.fence import notice_over_at
from pods.guards import EVERYWHERE, GUARDS, Bound, Job, Need, OnKeep, OnPause, Path
from pods.ids import UserId
from pods.judge import judge
from pods.limits import Spent
from pods.never_ran import never_ran
from pods.ownership import Grade
from pods.stale import kept
from pods.verdict import Reap, Reason

ADMIN_WARNING = timedelta(minutes=15)
"""How long before an admin ends somebody's pod its owner must have been told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One deed that somebody or something is about to do, with everything that the guards may ask.

    Every default is the answer that closes the path.
    """

    pod: PodFacts
    """Read again, right before the act. `ending` and `deed_in_episode` tell of other deeds than this."""
    pass_: PassFacts
    fingerprint_unchanged: bool = False
    ops_channel_reachable: bool = False
    bound_to_provision: bool = False
    never_reached: bool = False
    actor: UserId | None = None
    """The person who decided; None on a path that no person takes."""
    owner_may_end: bool = False
    """The pod's owner has the right to end it now (`Ownership.may_end`)."""
    actor_is_admin: bool = False
    reason_given: bool = False
    owner_warned_at: datetime | None = None
    """When Slack took the warning to the owner that an admin will end it."""
    own_provision: bool = False
    shown: bool = False
    """The pod was shown to whoever decided."""
    keep_shown: bool = False
    """The keep that covers it now is the one that was shown to whoever decided."""
    other_end_open: bool = True
    """This admin has another end under way."""
    agent_ends_today: int | None = None
    in_plan: bool = False
    last_look_clear: bool = False
    spent: Spent | None = None


class Refusal(StrEnum):
    """Why not, where it is not a missing `Need`."""

    KEPT = "kept"
    KEPT_SINCE = "kept_since"
    """A keep covers it that whoever decided was not shown."""
    DISARMED = "disarmed"
    PAUSED = "paused"
    NOT_SHOWN = "not_shown"
    ONE_AT_A_TIME = "one_at_a_time"
    OVER_LIMIT = "over_limit"


class Instead(StrEnum):
    """What happens in place of the act."""

    NOTHING = "nothing"
    CARD = "card"
    LATER = "later"


@dataclass(frozen=True, slots=True)
class Allowed:
    """Every guard of the path stands open."""

    lifts_keep: bool
    """Acting lifts the keep that covers the pod: its owner confirmed that he saw it."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A guard is closed."""

    because: Need | Refusal
    instead: Instead = Instead.NOTHING


def allowed(path: Path, attempt: Attempt) -> Allowed | Refused:
    """Read the path's row from left to right; the first closed guard refuses.

    The judgement on fresh facts comes last: it would refuse for every other reason too, and less plainly.
    """
    guard = GUARDS[path]
    needs = EVERYWHERE | guard.needs
    return (
        _needs(needs - _LAST, path, attempt)
        or _keep(guard.on_keep, attempt)
        or _arming(guard.arming, attempt)
        or _pause(guard.on_pause, attempt)
        or _bound(guard.bound, attempt)
        or _needs(needs & _LAST, path, attempt)
        or Allowed(lifts_keep=guard.on_keep is OnKeep.LIFTED and kept(attempt.pod, attempt.pass_.now))
    )


def _needs(needs: frozenset[Need], path: Path, attempt: Attempt) -> Refused | None:
    unmet = (need for need in Need if need in needs and not _MET[need](attempt, path))
    first = next(unmet, None)
    return None if first is None else Refused(first)


def _keep(on_keep: OnKeep, attempt: Attempt) -> Refused | None:
    pod, now = attempt.pod, attempt.pass_.now
    match on_keep:
        case OnKeep.NOTHING | OnKeep.STAYS:
            return None
        case OnKeep.LIFTED:
            return Refused(Refusal.KEPT_SINCE) if kept(pod, now) and not attempt.keep_shown else None
        case OnKeep.FLAG_STOPS:
            return Refused(Refusal.KEPT) if pod.keep_on_failure else None
        case OnKeep.KNOWING_STOPS:
            spared = pod.keep_on_failure or pod.knowing_until is not None or pod.keep_unreadable
            return Refused(Refusal.KEPT) if spared else None
        case OnKeep.STOPS:
            return Refused(Refusal.KEPT) if kept(pod, now) else None
        case OnKeep.CARD:
            return Refused(Refusal.KEPT, Instead.CARD) if kept(pod, now) else None
        case _:
            assert_never(on_keep)


def _arming(job: Job | None, attempt: Attempt) -> Refused | None:
    match job:
        case None:
            armed = True
        case Job.NEVER_RAN:
            armed = attempt.pass_.armed_never_ran
        case Job.STALE:
            armed = attempt.pass_.armed_stale
        case _:
            assert_never(job)
    return None if armed else Refused(Refusal.DISARMED)


def _pause(on_pause: OnPause, attempt: Attempt) -> Refused | None:
    if not attempt.pass_.paused:
        return None
    return Refused(Refusal.PAUSED, Instead.LATER if on_pause is OnPause.PUT_OFF else Instead.NOTHING)


def _bound(bound: Bound, attempt: Attempt) -> Refused | None:
    policy = attempt.pass_.policy
    match bound:
        case Bound.COUNTED:
            return None
        case Bound.SHOWN:
            return None if attempt.shown else Refused(Refusal.NOT_SHOWN)
        case Bound.ONE_AT_A_TIME:
            return Refused(Refusal.ONE_AT_A_TIME) if attempt.other_end_open else None
        case Bound.AGENT_PER_DAY:
            left = (
                attempt.agent_ends_today is not None and attempt.agent_ends_today < policy.agent_ends_per_day
            )
            return None if left else Refused(Refusal.OVER_LIMIT, Instead.CARD)
        case Bound.NEVER_RAN:
            left = attempt.spent is not None and attempt.spent.never_ran < policy.never_ran_max_per_day
            return None if left else Refused(Refusal.OVER_LIMIT, Instead.CARD)
        case Bound.STALE:
            left = attempt.spent is not None and attempt.spent.stale < policy.max_reaps_per_day
            return None if left else Refused(Refusal.OVER_LIMIT, Instead.CARD)
        case _:
            assert_never(bound)


def _notice_ripe(attempt: Attempt, path: Path) -> bool:
    pod, now, policy = attempt.pod, attempt.pass_.now, attempt.pass_.policy
    if path is Path.FENCE:
        over_at = notice_over_at(pod, policy)
        return over_at is not None and now >= over_at
    return pod.stale_notice_at is not None and now >= pod.stale_notice_at + policy.stale_notice


def _still_due(attempt: Attempt, path: Path) -> bool:
    verdict = judge(attempt.pod, attempt.pass_)
    return isinstance(verdict, Reap) and verdict.reason in _REASONS[path] and verdict.held is None


def _owner_warned(attempt: Attempt, _: Path) -> bool:
    if never_ran(attempt.pod, attempt.pass_):
        return True
    warned_at = attempt.owner_warned_at
    return warned_at is not None and attempt.pass_.now - warned_at >= ADMIN_WARNING


_LAST = frozenset({Need.STILL_DUE, Need.IN_PLAN})

_REASONS: Mapping[Path, frozenset[Reason]] = {
    Path.FENCE: frozenset({Reason.FENCE_PASSED}),
    Path.NEVER_RAN: frozenset({Reason.NEVER_RAN, Reason.NEVER_RAN_KEPT}),
    Path.STALE: frozenset({Reason.STALE}),
}

_MET: Mapping[Need, Callable[[Attempt, Path], bool]] = {
    Need.NOT_LOCKED: lambda attempt, _: not attempt.pod.locked,
    Need.NOT_IN_CLUSTER: lambda attempt, _: not attempt.pod.cluster_member,
    Need.FINGERPRINT_UNCHANGED: lambda attempt, _: attempt.fingerprint_unchanged,
    Need.CLOCK_SOUND: lambda attempt, _: not attempt.pass_.clock_doubtful,
    Need.OPS_CHANNEL: lambda attempt, _: attempt.ops_channel_reachable,
    Need.BOUND_TO_PROVISION: lambda attempt, _: attempt.bound_to_provision,
    Need.NEVER_REACHED: lambda attempt, _: attempt.never_reached,
    Need.PROVED: lambda attempt, _: attempt.pod.in_ledger,
    Need.NO_CONFLICT: lambda attempt, _: attempt.pod.grade is not Grade.CONFLICTING,
    Need.NOTICE_RIPE: _notice_ripe,
    Need.STILL_DUE: _still_due,
    Need.IN_PLAN: lambda attempt, _: attempt.in_plan,
    Need.LAST_LOOK: lambda attempt, _: attempt.last_look_clear,
    Need.ONE_DEED: lambda attempt, _: not attempt.pod.deed_in_episode,
    Need.RIGHT_TO_END: lambda attempt, _: (
        attempt.actor is not None and attempt.actor == attempt.pod.owner and attempt.owner_may_end
    ),
    Need.ADMIN: lambda attempt, _: attempt.actor is not None and attempt.actor_is_admin,
    Need.SOMEBODY_ELSES: lambda attempt, _: attempt.actor != attempt.pod.owner,
    Need.REASON: lambda attempt, _: attempt.reason_given,
    Need.OWNER_WARNED: _owner_warned,
    Need.OWN_PROVISION: lambda attempt, _: attempt.own_provision,
}
