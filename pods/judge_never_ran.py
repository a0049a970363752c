"""Lines 7 to 13 of the decision table: pods on which, as far as we have looked, nothing ever ran.

Lines 7 to 11 take out every pod of which we do not know that it never ran; the last two are for those
that never ran, by the words of `pods.never_ran`.
"""

from datetime import datetime, timedelta

from pods.decision_line import Line, unless_disarmed
from pods.facts import PassFacts, PodFacts
from pods.liveness import agent_alive, provision_under_way
from pods.never_ran import age, exceeds_grace, has_progress, never_ran
from pods.ownership import Grade
from pods.policy import PROGRESS_COUNTS_FOR, PROVISION_MARGIN
from pods.stale import kept
from pods.verdict import Ask, CannotTell, Keep, Reap, Reason, Verdict

# Looking up an enum's member takes 0.1 µs in Python 3.11, a module's own name a tenth of that.
_BOOTSTRAPPING, _OWNER_ALIVE, _STILL_STARTING = Reason.BOOTSTRAPPING, Reason.OWNER_ALIVE, Reason.STARTING
_KEPT, _OF_NOBODY = Reason.KEPT, Reason.NOT_OURS
_NEVER_RAN, _NEVER_RAN_KEPT = Reason.NEVER_RAN, Reason.NEVER_RAN_KEPT
_UNKNOWN = Grade.UNKNOWN

_STARTING = Keep(Reason.STARTING, 8)
_WITNESS_OUT = CannotTell(Reason.WITNESS_OUT, 9)
_CLOCK_DOUBTFUL = CannotTell(Reason.CLOCK_DOUBTFUL, 9)
_NOT_OURS = Keep(Reason.NOT_OURS, 10)
_UNWATCHED = Ask(Reason.NEVER_RAN_UNWATCHED, 11)
_UNPROVED = Ask(Reason.NEVER_RAN_UNPROVED, 11)
_ASK_ALIVE_OR_KEPT = Ask(Reason.NEVER_RAN, 12)
_ASK_AFTER_DEED = Ask(Reason.NEVER_RAN, 13)


def line_7(pod: PodFacts, pass_: PassFacts) -> Verdict | None:
    """Its provision is under way, or a fresh heartbeat; younger than the hard cap."""
    born_at = _born_at(pod, pass_)
    if born_at is None or pass_.now - born_at >= pass_.policy.never_ran_hard_cap:
        return None
    capped_at = born_at + pass_.policy.never_ran_hard_cap
    if pod.provision_deadline is not None and provision_under_way(pod, pass_.now):
        return Keep(_BOOTSTRAPPING, 7, min(capped_at, pod.provision_deadline + PROVISION_MARGIN))
    if pod.heartbeat_at is not None and agent_alive(pod, pass_.now, pass_.policy):
        return Keep(_OWNER_ALIVE, 7, min(capped_at, pod.heartbeat_at + pass_.policy.heartbeat_ttl))
    return None


def line_8(pod: PodFacts, pass_: PassFacts) -> Verdict | None:
    """Within the grace, or proved, watched from birth and too few counting observations."""
    old = age(pod, pass_.now)
    if old is not None and not exceeds_grace(pod, pass_):
        return Keep(_STILL_STARTING, 8, _grace_ends_at(pod, pass_, old))
    too_few = pod.counting < pass_.policy.never_ran_min_observations
    return _STARTING if pod.in_ledger and pod.watched_from_birth and too_few else None


def line_9(pod: PodFacts, pass_: PassFacts) -> Verdict | None:
    """Witness out; clock doubtful, or creation time missing or in the future."""
    if pass_.witness_out:
        return _WITNESS_OUT
    return _CLOCK_DOUBTFUL if pass_.clock_doubtful or age(pod, pass_.now) is None else None


def line_10(pod: PodFacts, pass_: PassFacts) -> Verdict | None:
    """Owner unknown and younger than the hard cap, or there at our very first listing."""
    if pod.grade is not _UNKNOWN:
        return None
    if pod.at_first_listing:
        return _NOT_OURS
    if pod.created_at is not None and _younger_than_cap(pod, pass_):
        return Keep(_OF_NOBODY, 10, pod.created_at + pass_.policy.never_ran_hard_cap)
    return None


def line_11(pod: PodFacts, _: PassFacts) -> Verdict | None:
    """Not watched from birth, or not proved."""
    if not pod.watched_from_birth:
        return _UNWATCHED
    return None if pod.in_ledger else _UNPROVED


def line_12(pod: PodFacts, pass_: PassFacts) -> Verdict | None:
    """Never ran, proved: kept knowingly, or owner alive past the hard cap.

    The keep comes first, so that *Keep* on the question about a living owner's pod answers it. One that
    cannot be read may have been given knowingly: it is asked about, and sets no reaper free.
    """
    if pod.knowing_until is not None and pass_.now < pod.knowing_until:
        return Keep(_KEPT, 12, pod.knowing_until)
    if pod.knowing_until is not None or pod.keep_unreadable:
        return _ASK_ALIVE_OR_KEPT
    if pod.keep_on_failure and pod.created_at is not None and _younger_than_cap(pod, pass_):
        return Keep(_KEPT, 12, pod.created_at + pass_.policy.never_ran_hard_cap)
    alive = provision_under_way(pod, pass_.now) or agent_alive(pod, pass_.now, pass_.policy)
    return _ASK_ALIVE_OR_KEPT if alive or pod.keep_on_failure else None


def line_13(pod: PodFacts, pass_: PassFacts) -> Verdict:
    """Never ran, proved: one deed per episode, and after that a person has to say."""
    covered = kept(pod, pass_.now)
    if covered and not pass_.policy.never_ran_reaps_kept:
        return Keep(_KEPT, 13, pod.kept_until)
    if pod.deed_in_episode:
        return _ASK_AFTER_DEED
    held = unless_disarmed(pass_, None, armed=pass_.armed_never_ran)
    return Reap(_NEVER_RAN_KEPT if covered else _NEVER_RAN, 13, held)


NOT_KNOWN: tuple[Line, ...] = (line_7, line_8, line_9, line_10, line_11)


def judge_never_ran(pod: PodFacts, pass_: PassFacts) -> Verdict:
    """Lines 7 to 13. Should no line fit a pod of which we do not know it, it is not ended."""
    for line in NOT_KNOWN:
        if (verdict := line(pod, pass_)) is not None:
            return verdict
    if not never_ran(pod, pass_):
        return _UNWATCHED
    return line_12(pod, pass_) or line_13(pod, pass_)


def _born_at(pod: PodFacts, pass_: PassFacts) -> datetime | None:
    """Its creation time; where that cannot be believed, the start of our own create call."""
    return pod.created_at if age(pod, pass_.now) is not None else pod.create_called_at


def _younger_than_cap(pod: PodFacts, pass_: PassFacts) -> bool:
    old = age(pod, pass_.now)
    return old is not None and old < pass_.policy.never_ran_hard_cap


def _grace_ends_at(pod: PodFacts, pass_: PassFacts, old: timedelta) -> datetime:
    born_at = pass_.now - old
    grace_ends_at = born_at + pass_.policy.never_ran_grace
    if pod.progress_at is None or not has_progress(pod, pass_.now):
        return grace_ends_at
    extended = min(pod.progress_at + PROGRESS_COUNTS_FOR, born_at + pass_.policy.never_ran_hard_cap)
    return max(grace_ends_at, extended)
