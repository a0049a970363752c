"""A pod is **stale** if and only if

- it is `exited` now;
- the latest moment at which it can have exited is at least `stale_after` ago;
- no keep covers it.

Not decided here: when it can have exited (`exit_clock`), whose it is, and what follows: only for a pod of
our ledger an end, after a notice (`judge`, `plan`, the executor). RunPod's status text makes no pod
stale; it can be a reason to ask. The creation time is not looked at.
"""

from datetime import datetime, timedelta

from pods.facts import PassFacts, PodFacts
from pods.phase import Phase

_EXITED = Phase.EXITED


def stale(pod: PodFacts, pass_: PassFacts) -> bool:
    """The three bullets above, in their order."""
    return (
        pod.phase is _EXITED
        and exited_long_ago(pod.exited_since, pass_.now, pass_.policy.stale_after)
        and not kept(pod, pass_.now)
    )


def exited_long_ago(exited_since: datetime | None, now: datetime, stale_after: timedelta) -> bool:
    """At least `stale_after` ago, to the second; an unknown moment is not long ago."""
    return exited_since is not None and now - exited_since >= stale_after


def kept(pod: PodFacts, now: datetime) -> bool:
    """A keep covers it; one that cannot be read does."""
    return pod.keep_unreadable or (pod.kept_until is not None and now < pod.kept_until)
