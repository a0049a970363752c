"""Why, in one sentence. Made from facts whenever somebody looks; never stored, never evidence."""

from datetime import datetime
from typing import assert_never

from pods.facts import PassFacts, PodFacts
from pods.fence import ends_by_itself_at
from pods.never_ran import age
from pods.verdict import Ask, CannotTell, Held, Keep, Reap, Reason, Verdict
from pods.words import Words


def sentence(pod: PodFacts, verdict: Verdict, pass_: PassFacts, words: Words) -> str:
    """What the pod's state is and what follows from it, for somebody who knows none of our words."""
    why = _why(pod, verdict, pass_, words)
    match verdict:
        case Keep():
            return why
        case Ask():
            return f"{why[:-1]}; somebody has to say what should happen to it."
        case CannotTell():
            return f"{why[:-1]}; until that is clear I leave it alone."
        case Reap(held=held):
            return f"{why[:-1]}; {_what_holds(held, verdict.changes_at, words)}"
        case _:
            assert_never(verdict)


def _what_holds(held: Held | None, ends_at: datetime | None, words: Words) -> str:
    match held:
        case None:
            return "I end it now."
        case Held.PAUSED:
            return "everything is paused, so nothing happens to it now."
        case Held.DISARMED:
            return "I am not allowed to end such pods by myself, so I ask."
        case Held.LIMIT:
            return "more pods would end at once than the limits allow, so I ask."
        case Held.NOTICE if ends_at is not None:
            return f"it ends by itself at {words.when(ends_at)}."
        case Held.NOTICE:
            return "not before its owner was told, which has not come about yet."
        case _:
            assert_never(held)


def _why(pod: PodFacts, verdict: Verdict, pass_: PassFacts, words: Words) -> str:
    match verdict.reason:
        case Reason.UNREADABLE:
            return "RunPod lists this pod, but nothing else about it could be read."
        case Reason.LISTING_INCOMPLETE:
            return "RunPod did not list this pod, and nothing proves that it is gone."
        case Reason.ALREADY_GONE:
            return "It is gone."
        case Reason.CLUSTER_MEMBER:
            return "It is part of a cluster; I end no parts of clusters."
        case Reason.LOCKED:
            return "It is locked at RunPod; I end no locked pods."
        case Reason.ENDING:
            return "It is being ended right now."
        case Reason.FENCE_PASSED:
            return f"It was to end by itself at {_when(ends_by_itself_at(pod), words)}, as ordered."
        case Reason.CLOCK_DOUBTFUL:
            return _why_clock(pod, verdict, pass_, words)
        case Reason.WITNESS_OUT:
            return (
                "Many pods stopped showing what runs on them at the same moment,"
                " so what RunPod shows of this one proves nothing."
            )
        case Reason.BOOTSTRAPPING:
            return "It is being set up."
        case Reason.OWNER_ALIVE:
            return f"Nothing runs on it yet; its agent was alive {_ago(pod.heartbeat_at, pass_, words)}."
        case Reason.STARTING:
            return f"It was rented {_ago(pod.created_at, pass_, words)} and still has time to start."
        case Reason.NOT_OURS:
            return "Nobody has said that it is theirs, so I leave it alone."
        case (
            Reason.NEVER_RAN_UNWATCHED | Reason.NEVER_RAN_UNPROVED | Reason.NEVER_RAN | Reason.NEVER_RAN_KEPT
        ):
            return _why_never_ran(pod, verdict, pass_, words)
        case Reason.CONFLICTING_CLAIMS:
            return "Several people say that it is theirs."
        case Reason.KEEP_UNREADABLE:
            return "It is kept; I cannot read until when, so I take it as kept."
        case Reason.KEPT:
            return _why_kept(pod, pass_, words)
        case Reason.PROVISION_FAILED:
            return "Setting it up failed, and it still costs money."
        case Reason.MOVED_OR_COPIED:
            return "It looks like another pod that was moved or copied."
        case Reason.RUNNING:
            return "It runs."
        case Reason.LOST_RUNTIME:
            return f"It ran before, shows nothing since {_when(pod.nulls_since, words)}, and costs money."
        case Reason.ERROR_STATE:
            return f"RunPod calls it broken, since {_when(pod.error_since, words)} at the latest."
        case Reason.EXITED_RECENTLY:
            return f"It stopped {_ago(pod.exited_since, pass_, words)}, which is not long ago."
        case Reason.EXIT_TIME_UNKNOWN:
            return _why_exit_unknown(pod, words)
        case Reason.STALE:
            return _why_stale(pod, verdict, pass_, words)
        case _:
            assert_never(verdict.reason)


def _why_clock(pod: PodFacts, verdict: Verdict, pass_: PassFacts, words: Words) -> str:
    if pass_.clock_doubtful or verdict.rule != 9:
        return "My clock and RunPod's do not agree."
    if pod.created_at is None:
        return "Nothing runs on it, and RunPod does not say since when it is rented."
    return f"RunPod says that it was rented at {words.when(pod.created_at)}, which is still to come."


def _why_never_ran(pod: PodFacts, verdict: Verdict, pass_: PassFacts, words: Words) -> str:
    old = age(pod, pass_.now)
    rented = "It is rented" if old is None else f"It was rented {words.span(old)} ago"
    match verdict.reason:
        case Reason.NEVER_RAN_UNWATCHED:
            return (
                f"{rented} and nothing runs on it;"
                " I did not watch it all the time, so I cannot know whether anything ever did."
            )
        case Reason.NEVER_RAN_UNPROVED:
            return f"{rented} and nothing ever ran on it; it was not made by me."
        case Reason.NEVER_RAN_KEPT:
            return f"{rented} and nothing ever ran on it; it is kept, but there is no work on it to protect."
        case _:
            return f"{rented} and nothing ever ran on it{_why_asked(pod, verdict, pass_)}"


def _why_asked(pod: PodFacts, verdict: Verdict, pass_: PassFacts) -> str:
    if not isinstance(verdict, Ask):
        return "."
    if pod.deed_in_episode and verdict.rule == 13:
        return "; I have tried to end it once already."
    if pod.knowing_until is not None and pod.knowing_until <= pass_.now:
        return "; the keep that was given knowing this is over."
    if pod.keep_unreadable:
        return "; it is kept; I cannot read how."
    if pod.keep_on_failure:
        return "; it was ordered to be kept if it fails to start."
    return "; its agent, or what sets it up, is still at work."


def _why_kept(pod: PodFacts, pass_: PassFacts, words: Words) -> str:
    if pod.kept_until is not None and pod.kept_until > pass_.now:
        return f"It is kept until {words.when(pod.kept_until)}."
    return "It was ordered to be kept for a while if it fails to start."


def _why_exit_unknown(pod: PodFacts, words: Words) -> str:
    if pod.exited_since is None:
        return "It is stopped; since when is not known yet."
    return (
        f"It was already stopped when I first saw it, at {words.when(pod.exited_since)};"
        " I count from then, for RunPod does not say since when."
    )


def _why_stale(pod: PodFacts, verdict: Verdict, pass_: PassFacts, words: Words) -> str:
    if verdict.rule == 21:
        return f"RunPod says that it stopped {_ago(pod.provider_exited_at, pass_, words)}."
    return f"It stopped {_ago(pod.exited_since, pass_, words)} or earlier."


def _when(moment: datetime | None, words: Words) -> str:
    return "a time that I do not know" if moment is None else words.when(moment)


def _ago(moment: datetime | None, pass_: PassFacts, words: Words) -> str:
    return "some time ago" if moment is None else f"{words.span(pass_.now - moment)} ago"
