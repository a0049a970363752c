"""Lines 14 to 22 of the decision table: all pods but those on which nothing ever ran."""

from datetime import datetime, timedelta

from pods.decision_line import Line, unless_disarmed
from pods.facts import PassFacts, PodFacts
from pods.liveness import provision_under_way
from pods.ownership import Grade
from pods.phase import Phase
from pods.policy import ERROR_ASKED_AFTER, LOST_RUNTIME_AFTER, LOST_RUNTIME_NULLS, PROVISION_MARGIN
from pods.stale import exited_long_ago, stale
from pods.verdict import Ask, CannotTell, Held, Keep, Reap, Reason, Verdict

# Looking up an enum's member takes 0.1 µs in Python 3.11, a module's own name a tenth of that.
_IN_CONFLICT, _UNKNOWN = Grade.CONFLICTING, Grade.UNKNOWN
_ALLOCATING, _NO_RUNTIME, _RUNS = Phase.ALLOCATING, Phase.NO_RUNTIME, Phase.RUNNING
_ERROR, _EXITED = Phase.ERROR, Phase.EXITED
_NOTICE = Held.NOTICE
_STALE, _EXITED_RECENTLY, _KEPT = Reason.STALE, Reason.EXITED_RECENTLY, Reason.KEPT

_CONFLICTING = Ask(Reason.CONFLICTING_CLAIMS, 14)
_NOT_OURS = Keep(Reason.NOT_OURS, 15)
_KEEP_UNREADABLE = Keep(Reason.KEEP_UNREADABLE, 16)
_PROVISION_FAILED = Ask(Reason.PROVISION_FAILED, 17)
_MOVED_OR_COPIED = Ask(Reason.MOVED_OR_COPIED, 17)
_RUNNING = Keep(Reason.RUNNING, 18)
_ASK_LOST = Ask(Reason.LOST_RUNTIME, 19)
_ASK_ERROR = Ask(Reason.ERROR_STATE, 20)
_EXIT_TIME_UNKNOWN = Keep(Reason.EXIT_TIME_UNKNOWN, 21)
_CLOCK_DOUBTFUL = CannotTell(Reason.CLOCK_DOUBTFUL, 22)
_ASK_STALE = Ask(Reason.STALE, 22)


def line_14(pod: PodFacts, _: PassFacts) -> Verdict | None:
    """Claims conflict."""
    return _CONFLICTING if pod.grade is _IN_CONFLICT else None


def line_15(pod: PodFacts, _: PassFacts) -> Verdict | None:
    """Grade unknown."""
    return _NOT_OURS if pod.grade is _UNKNOWN else None


def line_16(pod: PodFacts, pass_: PassFacts) -> Verdict | None:
    """Keep unreadable, or kept; not if line 19 asks."""
    covered_until = pod.kept_until if pod.kept_until is not None and pass_.now < pod.kept_until else None
    if (covered_until is None and not pod.keep_unreadable) or _lost_for_long(pod, pass_):
        return None
    return _KEEP_UNREADABLE if pod.keep_unreadable else Keep(_KEPT, 16, covered_until)


def line_17(pod: PodFacts, _: PassFacts) -> Verdict | None:
    """Billing, and its provision failed and left it alive, or it was moved or copied; nobody has said."""
    unanswered = pod.failed_alive or pod.moved_or_copied
    if not unanswered or pod.phase is None or not pod.phase.bills:
        return None
    return _PROVISION_FAILED if pod.failed_alive else _MOVED_OR_COPIED


def line_18(pod: PodFacts, pass_: PassFacts) -> Verdict | None:
    """Running."""
    if pod.phase is not _RUNS:
        return None
    if pod.provision_deadline is not None and provision_under_way(pod, pass_.now):
        return Keep(Reason.BOOTSTRAPPING, 18, pod.provision_deadline + PROVISION_MARGIN)
    return _RUNNING


def line_19(pod: PodFacts, pass_: PassFacts) -> Verdict | None:
    """Ran once, shows nothing now."""
    if not _shows_nothing(pod):
        return None
    if _lost_for_long(pod, pass_):
        return _ASK_LOST
    return Keep(Reason.LOST_RUNTIME, 19, _after(pod.nulls_since, LOST_RUNTIME_AFTER, pass_.now))


def line_20(pod: PodFacts, pass_: PassFacts) -> Verdict | None:
    """Error."""
    if pod.phase is not _ERROR:
        return None
    if pod.error_since is not None and pass_.now - pod.error_since >= ERROR_ASKED_AFTER:
        return _ASK_ERROR
    return Keep(Reason.ERROR_STATE, 20, _after(pod.error_since, ERROR_ASKED_AFTER, pass_.now))


def line_21(pod: PodFacts, pass_: PassFacts) -> Verdict | None:
    """Exited for less than `stale_after` by our clock."""
    stale_after = pass_.policy.stale_after
    if pod.phase is not _EXITED or exited_long_ago(pod.exited_since, pass_.now, stale_after):
        return None
    stale_at = None if pod.exited_since is None else pod.exited_since + stale_after
    if exited_long_ago(pod.provider_exited_at, pass_.now, stale_after):
        return Ask(_STALE, 21, stale_at)
    if stale_at is None:
        return _EXIT_TIME_UNKNOWN
    by_text_at = _after(pod.provider_exited_at, stale_after, pass_.now) or stale_at
    if pod.first_seen_exited and pod.provider_exited_at is None:
        return Keep(Reason.EXIT_TIME_UNKNOWN, 21, stale_at)
    return Keep(_EXITED_RECENTLY, 21, min(stale_at, by_text_at))


def line_22(pod: PodFacts, pass_: PassFacts) -> Verdict:
    """Stale: clock doubtful, claimed, or proved. What is not stale by its own words is not ended."""
    if not stale(pod, pass_):
        return _EXIT_TIME_UNKNOWN
    if pass_.clock_doubtful:
        return _CLOCK_DOUBTFUL
    if not pod.in_ledger:
        return _ASK_STALE
    ripe_at = _notice_ripe_at(pod, pass_)
    waits = ripe_at is None or pass_.now < ripe_at
    held = unless_disarmed(pass_, _NOTICE if waits else None, armed=pass_.armed_stale)
    return Reap(_STALE, 22, held, ripe_at if held is _NOTICE else None)


BEFORE_STALE: tuple[Line, ...] = (
    line_14,
    line_15,
    line_16,
    line_17,
    line_18,
    line_19,
    line_20,
    line_21,
)


def judge_others(pod: PodFacts, pass_: PassFacts) -> Verdict:
    """Lines 14 to 22."""
    for line in BEFORE_STALE:
        if (verdict := line(pod, pass_)) is not None:
            return verdict
    return line_22(pod, pass_)


def _shows_nothing(pod: PodFacts) -> bool:
    return pod.phase is _NO_RUNTIME or pod.phase is _ALLOCATING


def _lost_for_long(pod: PodFacts, pass_: PassFacts) -> bool:
    return (
        _shows_nothing(pod)
        and pod.nulls >= LOST_RUNTIME_NULLS
        and pod.nulls_since is not None
        and pass_.now - pod.nulls_since >= LOST_RUNTIME_AFTER
    )


def _notice_ripe_at(pod: PodFacts, pass_: PassFacts) -> datetime | None:
    """When the notice about this exit has been out long enough; one about an earlier exit is void."""
    if pod.stale_notice_at is None or pod.exited_since is None or pod.stale_notice_at < pod.exited_since:
        return None
    return pod.stale_notice_at + pass_.policy.stale_notice


def _after(since: datetime | None, wait: timedelta, now: datetime) -> datetime | None:
    """`wait` after `since`, if that is still ahead."""
    return since + wait if since is not None and since + wait > now else None
