"""The plan of one pass: the verdicts with the limits applied.

The dry run prints it, the real run executes the same object; nothing is left to choose.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from pods.facts import PassFacts, PodFacts
from pods.fence import notice_due
from pods.ids import PodId
from pods.judge import judge
from pods.limits import Exceeded, Spent, over_never_ran_limits, over_stale_limits
from pods.phase import Phase
from pods.verdict import Ask, Held, Reap, Reason, Verdict

# Looking up an enum's member takes 0.1 µs in Python 3.11, a module's own name a tenth of that.
_GONE = Phase.GONE
_STALE, _NEVER_RAN, _NEVER_RAN_KEPT = Reason.STALE, Reason.NEVER_RAN, Reason.NEVER_RAN_KEPT
_DISARMED, _LIMIT, _NOTICE = Held.DISARMED, Held.LIMIT, Held.NOTICE


class Judged(NamedTuple):
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
    held, exceeded, urgent = _limits(first, pass_, spent)
    judged = [_held_by_limit(one) if one.facts.pod_id in held else one for one in first] if held else first
    reaps = [one for one in judged if isinstance(one.verdict, Reap)] if pass_.listing_complete else []
    fenced = [one for one in judged if one.facts.fence_at is not None] if pass_.listing_complete else []
    return Plan(
        at=pass_.now,
        judged=tuple(judged),
        ends=_ends(reaps),
        stale_notices=tuple(one.facts.pod_id for one in reaps if _needs_notice(one.verdict)),
        fence_notices=tuple(one.facts.pod_id for one in fenced if _fence_is_near(one, pass_)),
        questions=tuple(one.facts.pod_id for one in judged if is_question(one.verdict)),
        urgent=urgent,
        exceeded=exceeded,
    )


def is_question(verdict: Verdict) -> bool:
    """Whether a person is asked. While everything is paused, a held reap asks nobody: no yes would count."""
    if isinstance(verdict, Reap):
        return verdict.held is _DISARMED or verdict.held is _LIMIT
    return isinstance(verdict, Ask)


def _limits(
    judged: list[Judged], pass_: PassFacts, spent: Spent
) -> tuple[frozenset[PodId], tuple[Exceeded, ...], frozenset[PodId]]:
    """What the limits hold, which ones were exceeded, and what must be asked about urgently."""
    reaps = [one for one in judged if isinstance(one.verdict, Reap)]
    if not reaps:
        return frozenset(), (), frozenset()
    proved = sum(one.facts.in_ledger and one.facts.phase is not _GONE for one in judged)
    stale = over_stale_limits(
        [one.facts for one in reaps if _acts_on_stale(one.verdict)], proved, spent, pass_.policy
    )
    never_ran = over_never_ran_limits(
        [one.facts for one in reaps if _ends_never_ran(one.verdict)], spent, pass_.policy
    )
    return stale.held | never_ran.held, stale.exceeded + never_ran.exceeded, never_ran.held


def _ends_never_ran(verdict: Verdict) -> bool:
    never_ran = verdict.reason is _NEVER_RAN or verdict.reason is _NEVER_RAN_KEPT
    return never_ran and isinstance(verdict, Reap) and verdict.held is None


def _needs_notice(verdict: Verdict) -> bool:
    """A stale pod about which no valid notice is out: nothing says yet from when it may end."""
    waits = isinstance(verdict, Reap) and verdict.held is _NOTICE and verdict.changes_at is None
    return waits and verdict.reason is _STALE


def _acts_on_stale(verdict: Verdict) -> bool:
    """This pass would end it, or announce its end. One that waits out its notice was counted before."""
    ends = isinstance(verdict, Reap) and verdict.held is None and verdict.reason is _STALE
    return ends or _needs_notice(verdict)


def _held_by_limit(judged: Judged) -> Judged:
    return Judged(judged.facts, Reap(judged.verdict.reason, judged.verdict.rule, _LIMIT))


def _ends(reaps: list[Judged]) -> tuple[PodId, ...]:
    due = [one for one in reaps if isinstance(one.verdict, Reap) and one.verdict.held is None]
    return tuple(one.facts.pod_id for one in sorted(due, key=lambda one: one.verdict.reason is _STALE))


def _fence_is_near(judged: Judged, pass_: PassFacts) -> bool:
    ending = judged.verdict.rule <= 5 or (isinstance(judged.verdict, Reap) and judged.verdict.held is None)
    return not pass_.paused and not ending and notice_due(judged.facts, pass_.now, pass_.policy)
