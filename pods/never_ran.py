"""A pod **never ran** if and only if

- it is `allocating` or `no_runtime` now;
- nothing of "has run" was ever seen;
- we watched it from birth without a gap;
- at least `never_ran_min_observations` observations count;
- its age exceeds `never_ran_grace`, which progress in its system log extends up to the hard cap.

Not decided here: what counts as a sign of having run (`has_run`), what counts as an observation
(`episodes`, `witness`), whether the clock and the creation time can be believed and who is asked or
spared (`judge`), and the last look at the pod itself right before its end (the executor).
"""

from datetime import datetime, timedelta

from pods.facts import PassFacts, PodFacts
from pods.phase import Phase
from pods.policy import CLOCK_TOLERANCE, PROGRESS_COUNTS_FOR

_SHOWS_NOTHING = (Phase.ALLOCATING, Phase.NO_RUNTIME)


def never_ran(pod: PodFacts, pass_: PassFacts) -> bool:
    """The five bullets above, in their order."""
    return (
        pod.phase in _SHOWS_NOTHING
        and not pod.has_run
        and pod.watched_from_birth
        and pod.counting >= pass_.policy.never_ran_min_observations
        and exceeds_grace(pod, pass_)
    )


def nothing_ever_ran(pod: PodFacts) -> bool:
    """The first two bullets alone: it shows nothing and never did, as far as we have looked."""
    return not pod.has_run and pod.phase in _SHOWS_NOTHING


def age(pod: PodFacts, now: datetime) -> timedelta | None:
    """Time since RunPod says it was created; None if that is missing or in the future.

    Two clocks may differ by `CLOCK_TOLERANCE`: a pod just created may be a little "younger than zero".
    """
    if pod.created_at is None or pod.created_at - now > CLOCK_TOLERANCE:
        return None
    return now - pod.created_at


def exceeds_grace(pod: PodFacts, pass_: PassFacts) -> bool:
    """Older than the grace; while there is progress, than the hard cap. An unknown age exceeds nothing."""
    old = age(pod, pass_.now)
    if old is None or old <= pass_.policy.never_ran_grace:
        return False
    return old > pass_.policy.never_ran_hard_cap or not has_progress(pod, pass_.now)


def has_progress(pod: PodFacts, now: datetime) -> bool:
    """Its system log had a new line within the last five minutes."""
    return pod.progress_at is not None and now - pod.progress_at <= PROGRESS_COUNTS_FOR
