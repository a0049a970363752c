"""The plan of one pass: the verdicts with the limits applied.

The dry run prints it, the real run executes the same object; nothing is left to choose.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from pods.facts import PassFacts, PodFacts
from pods.fence import notice_due
from pods.ids import PodId
from pods.judge import judge
from pods.limits import Exceeded, Spent, over_never_ran_limits, over_stale_limits
from pods.verdict import Ask, Held, Reap, Reason, Verdict


@dataclass(frozen=True, slots=True)
class Judged:
    """One pod, the facts that were used and what they came to."""

    facts: PodFacts
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Plan:
    """What a pass would do, whole."""

    at: datetime
    judged: tuple[Judged, ...]
    ends: tuple[PodId, ...]
    """To be ended now, in this order: reaps that nothing holds, what bills first."""
    stale_notices: tuple[PodId, ...]
    """Owners to be told that it ends after `stale_notice`: reaps held by nothing but that."""
    fence_notices: tuple[PodId, ...]
    """Owners to be told that their fence is near."""
    questions: tuple[PodId, ...]
    """To be put to a person: asks, and reaps held by disarming or by a limit."""
    urgent: frozenset[PodId]
    """Questions that wait for no quiet hours, because they surge: a limit cut these off."""
    exceeded: tuple[Exceeded, ...]
    """For the ops channel."""


def make_plan(pods: Iterable[PodFacts], pass_: PassFacts, spent: Spent) -> Plan:
    """Judge every pod and apply the limits on harm. With an incomplete listing nothing is ended."""
    first = [Judged(pod, judge(pod, pass_)) for pod in pods]
    stale = over_stale_limits(
        [judged.facts for judged in first if _acts_on_stale(judged.verdict)],
        sum(pod.facts.in_ledger and pod.verdict.reason is not Reason.ALREADY_GONE for pod in first),
        spent,
        pass_.policy,
    )
    never_ran = over_never_ran_limits(
        [judged.facts for judged in first if _ends_never_ran(judged.verdict)], spent, pass_.policy
    )
    held = stale.held | never_ran.held
    judged = [_held_by_limit(one) if one.facts.pod_id in held else one for one in first]
    acting = judged if pass_.listing_complete else []
    return Plan(
        at=pass_.now,
        judged=tuple(judged),
        ends=_ends(acting),
        stale_notices=tuple(one.facts.pod_id for one in acting if _needs_notice(one.verdict)),
        fence_notices=tuple(one.facts.pod_id for one in acting if _fence_is_near(one, pass_)),
        questions=tuple(one.facts.pod_id for one in judged if is_question(one.verdict)),
        urgent=never_ran.held,
        exceeded=stale.exceeded + never_ran.exceeded,
    )


def is_question(verdict: Verdict) -> bool:
    """Whether a person is asked. While everything is paused, a held reap asks nobody: no yes would count."""
    match verdict:
        case Ask():
            return True
        case Reap(held=held):
            return held is Held.DISARMED or held is Held.LIMIT
        case _:
            return False


def _ends_never_ran(verdict: Verdict) -> bool:
    return (
        isinstance(verdict, Reap)
        and verdict.held is None
        and verdict.reason in (Reason.NEVER_RAN, Reason.NEVER_RAN_KEPT)
    )


def _needs_notice(verdict: Verdict) -> bool:
    """A stale pod about which no valid notice is out: nothing says yet from when it may end."""
    return (
        isinstance(verdict, Reap)
        and verdict.reason is Reason.STALE
        and verdict.held is Held.NOTICE
        and verdict.changes_at is None
    )


def _acts_on_stale(verdict: Verdict) -> bool:
    """This pass would end it, or announce its end. One that waits out its notice was counted before."""
    ends = isinstance(verdict, Reap) and verdict.reason is Reason.STALE and verdict.held is None
    return ends or _needs_notice(verdict)


def _held_by_limit(judged: Judged) -> Judged:
    return Judged(judged.facts, Reap(judged.verdict.reason, judged.verdict.rule, Held.LIMIT))


def _ends(acting: list[Judged]) -> tuple[PodId, ...]:
    due = [one for one in acting if isinstance(one.verdict, Reap) and one.verdict.held is None]
    return tuple(one.facts.pod_id for one in sorted(due, key=lambda one: one.verdict.reason is Reason.STALE))


def _fence_is_near(judged: Judged, pass_: PassFacts) -> bool:
    ending = judged.verdict.rule <= 5 or (isinstance(judged.verdict, Reap) and judged.verdict.held is None)
    return not pass_.paused and not ending and notice_due(judged.facts, pass_.now, pass_.policy)
