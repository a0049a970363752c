"""What a line of the decision table is, and what two of its parts share."""

from collections.abc import Callable

from pods.facts import PassFacts, PodFacts
from pods.verdict import Held, Verdict

Line = Callable[[PodFacts, PassFacts], Verdict | None]
"""A line's verdict on the pod, or None if the line does not fit."""


def unless_paused(pass_: PassFacts, held: Held | None) -> Held | None:
    """What holds a reap that needs no arming."""
    return Held.PAUSED if pass_.paused else held


def unless_disarmed(pass_: PassFacts, held: Held | None, *, armed: bool) -> Held | None:
    """What holds a reap that a job decided: the widest obstacle first."""
    return unless_paused(pass_, held if armed else Held.DISARMED)
