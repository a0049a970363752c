"""The plan of one pass: the verdicts with the limits applied.

The dry run prints it, the real run executes the same object; nothing is left to choose.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import repeat
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
_FENCE_PASSED = Reason.FENCE_PASSED
_LIMIT, _NOTICE = Held.LIMIT, Held.NOTICE
_ASKED_ABOUT = frozenset({Held.DISARMED, Held.LIMIT, Held.PAUSED})


class Judged(NamedTuple):
    """One pod, the facts that were used and what they came to."""

    facts: PodFacts
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Plan:
    """What a pass would do, whole."""

    at: datetime
    pods: tuple[PodFacts, ...]
    verdicts: tuple[Verdict, ...]
    """Of each of `pods`, in their order. Two tuples, because a pair for each of a hundred thousand pods would
    take more memory than all that is decided of them."""
    ends: tuple[PodId, ...]
    """To be ended now, in this order: reaps that nothing holds, what bills first."""
    stale_notices: tuple[PodId, ...]
    """Owners to be told that it ends after `stale_notice`: reaps held by nothing but that."""
    fence_notices: tuple[PodId, ...]
    """Owners to be told that their fence is near."""
    questions: tuple[PodId, ...]
    """To be put to a person: asks, and reaps held by disarming, by a limit or by a pause."""
    urgent: frozenset[PodId]
    """Questions that wait for no quiet hours, because they surge: a limit cut these off."""
    exceeded: tuple[Exceeded, ...]
    """For the ops channel."""

    @property
    def judged(self) -> tuple[Judged, ...]:
        """Each pod with its verdict."""
        return tuple(map(Judged, self.pods, self.verdicts))


def make_plan(pods: Iterable[PodFacts], pass_: PassFacts, spent: Spent) -> Plan:
    """Judge every pod and apply the limits on harm. With an incomplete listing nothing is ended."""
    pods = tuple(pods)
    first = tuple(map(judge, pods, repeat(pass_)))
    held, exceeded, urgent = _limits(pods, first, pass_, spent)
    verdicts = tuple(_held_by_limit(pods, first, held)) if held else first
    reaps = _reaps(pods, verdicts) if pass_.listing_complete else []
    return Plan(
        at=pass_.now,
        pods=pods,
        verdicts=verdicts,
        ends=_in_order(reaps),
        stale_notices=tuple(one.facts.pod_id for one in reaps if _needs_notice(one.verdict)),
        fence_notices=tuple(_fences_near(pods, verdicts, pass_)) if pass_.listing_complete else (),
        questions=tuple(
            pod.pod_id for pod, verdict in zip(pods, verdicts, strict=True) if is_question(verdict)
        ),
        urgent=urgent,
        exceeded=exceeded,
    )


def is_question(verdict: Verdict) -> bool:
    """Whether a person is asked. During a pause no end would be carried out, but the pod bills, and a keep
    counts; a pod past its own end is spoken of without a question."""
    if isinstance(verdict, Reap):
        return verdict.held in _ASKED_ABOUT and verdict.reason is not _FENCE_PASSED
    return isinstance(verdict, Ask)


def _limits(
    pods: Sequence[PodFacts], verdicts: Sequence[Verdict], pass_: PassFacts, spent: Spent
) -> tuple[frozenset[PodId], tuple[Exceeded, ...], frozenset[PodId]]:
    """What the limits hold, which ones were exceeded, and what must be asked about urgently."""
    reaps = _reaps(pods, verdicts)
    if not reaps:
        return frozenset(), (), frozenset()
    proved = sum(pod.in_ledger and pod.phase is not _GONE for pod in pods)
    stale = over_stale_limits(
        [one.facts for one in reaps if _acts_on_stale(one.verdict)], proved, spent, pass_.policy
    )
    never_ran = over_never_ran_limits(
        [one.facts for one in reaps if _ends_never_ran(one.verdict)], spent, pass_.policy
    )
    return stale.held | never_ran.held, stale.exceeded + never_ran.exceeded, never_ran.held


def _reaps(pods: Sequence[PodFacts], verdicts: Sequence[Verdict]) -> list[Judged]:
    return [
        Judged(pod, verdict) for pod, verdict in zip(pods, verdicts, strict=True) if isinstance(verdict, Reap)
    ]


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


def _held_by_limit(
    pods: Sequence[PodFacts], verdicts: Sequence[Verdict], held: Collection[PodId]
) -> Iterator[Verdict]:
    for pod, verdict in zip(pods, verdicts, strict=True):
        yield Reap(verdict.reason, verdict.rule, _LIMIT) if pod.pod_id in held else verdict


def _in_order(reaps: list[Judged]) -> tuple[PodId, ...]:
    due = [one for one in reaps if isinstance(one.verdict, Reap) and one.verdict.held is None]
    return tuple(one.facts.pod_id for one in sorted(due, key=lambda one: one.verdict.reason is _STALE))


def _ends(verdict: Verdict) -> bool:
    """It ends now, is ending, or is none of ours to speak of."""
    return verdict.rule <= 5 or (isinstance(verdict, Reap) and verdict.held is None)


def _fences_near(pods: Sequence[PodFacts], verdicts: Sequence[Verdict], pass_: PassFacts) -> Iterator[PodId]:
    if pass_.paused:
        return
    for pod, verdict in zip(pods, verdicts, strict=True):
        if pod.fence_at is not None and not _ends(verdict) and notice_due(pod, pass_.now, pass_.policy):
            yield pod.pod_id
