"""The decision table of the contract, line by line: the first line that fits decides.

Each function `line_<n>` is one line of that table; one that does not fit returns None. Lines 7 to 13 are
for pods on which nothing ever ran (in `judge_never_ran`), lines 14 to 22 for all others (in
`judge_others`).
"""

from dataclasses import replace

from pods.decision_line import Line, unless_paused
from pods.facts import PassFacts, PodFacts, Sight
from pods.fence import ends_by_itself_at, notice_over_at
from pods.judge_never_ran import judge_never_ran
from pods.judge_others import judge_others
from pods.never_ran import nothing_ever_ran
from pods.phase import Phase
from pods.verdict import CannotTell, Held, Keep, Reap, Reason, Verdict

# Looking up an enum's member takes 0.1 µs in Python 3.11, a module's own name a tenth of that.
_SEEN_UNREADABLE, _MISSING, _SEEN = Sight.UNREADABLE, Sight.MISSING, Sight.SEEN
_GONE = Phase.GONE

_UNREADABLE = CannotTell(Reason.UNREADABLE, 1)
_LISTING_INCOMPLETE = CannotTell(Reason.LISTING_INCOMPLETE, 2)
_ALREADY_GONE = Keep(Reason.ALREADY_GONE, 3)
_CLUSTER_MEMBER = Keep(Reason.CLUSTER_MEMBER, 4)
_LOCKED = Keep(Reason.LOCKED, 4)
_ENDING = Keep(Reason.ENDING, 5)
_CLOCK_DOUBTFUL = CannotTell(Reason.CLOCK_DOUBTFUL, 6)


def judge(pod: PodFacts, pass_: PassFacts) -> Verdict:
    """What should happen to the pod. Total: every pod gets a verdict."""
    for line in FOR_EVERY_POD:
        if (verdict := line(pod, pass_)) is not None:
            return verdict
    verdict = judge_never_ran(pod, pass_) if nothing_ever_ran(pod) else judge_others(pod, pass_)
    return verdict if pod.fence_at is None else _until_the_fence(verdict, pod)


def line_1(pod: PodFacts, _: PassFacts) -> Verdict | None:
    """Entry unreadable but for its id."""
    if pod.sight is _SEEN_UNREADABLE or (pod.phase is None and pod.sight is _SEEN):
        return _UNREADABLE
    return None


def line_2(pod: PodFacts, _: PassFacts) -> Verdict | None:
    """Missing from the listing and not explained."""
    return _LISTING_INCOMPLETE if pod.sight is _MISSING else None


def line_3(pod: PodFacts, _: PassFacts) -> Verdict | None:
    """Gone."""
    return _ALREADY_GONE if pod.phase is _GONE else None


def line_4(pod: PodFacts, _: PassFacts) -> Verdict | None:
    """Member of a cluster, or locked."""
    if pod.cluster_member:
        return _CLUSTER_MEMBER
    return _LOCKED if pod.locked else None


def line_5(pod: PodFacts, _: PassFacts) -> Verdict | None:
    """An end of it by us is under way."""
    return _ENDING if pod.ending else None


def line_6(pod: PodFacts, pass_: PassFacts) -> Verdict | None:
    """Proved, fence passed, claims do not conflict, no keep covers it or is unreadable."""
    if pod.fence_at is None:
        return None
    ends_at = ends_by_itself_at(pod)
    if ends_at is None or pass_.now < ends_at:
        return None
    if pass_.clock_doubtful:
        return _CLOCK_DOUBTFUL
    over_at = notice_over_at(pod, pass_.policy)
    waits = over_at is None or pass_.now < over_at
    held = unless_paused(pass_, Held.NOTICE if waits else None)
    return Reap(Reason.FENCE_PASSED, 6, held, over_at if held is Held.NOTICE else None)


FOR_EVERY_POD: tuple[Line, ...] = (line_1, line_2, line_3, line_4, line_5, line_6)


def _until_the_fence(verdict: Verdict, pod: PodFacts) -> Verdict:
    """A fence ahead, or one that a keep holds off, is a time at which the verdict could change."""
    ends_at = ends_by_itself_at(pod)
    if ends_at is None or (verdict.changes_at is not None and verdict.changes_at <= ends_at):
        return verdict
    return replace(verdict, changes_at=ends_at)
