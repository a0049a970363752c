"""A pod that is looked at again and again, in the fewest words."""

from datetime import datetime, timedelta
from typing import Any

from pods.episodes import Observation, PodHistory, first, observe
from pods.phase import Phase
from tests.pods.samples import NOW, POD

MAX_GAP = timedelta(minutes=5)
START = NOW - timedelta(hours=50)


def look(at: datetime, phase: Phase, **different: Any) -> Observation:
    """A counting look at a pod that started at `START`."""
    facts = {"shows_life": phase is Phase.RUNNING, "started_at": START, "counts": True}
    return Observation(pod_id=POD, at=at, phase=phase, **{**facts, **different})


def watched(*looks: Observation, at_first_listing: bool = False) -> PodHistory:
    """The history that these looks leave."""
    history = first(looks[0], at_first_listing=at_first_listing)
    for seen in looks[1:]:
        history, _ = observe(history, seen, MAX_GAP)
    return history


def every_minute(phase: Phase, begin: datetime, end: datetime, **different: Any) -> list[Observation]:
    """One look a minute, from `begin` up to and with `end`."""
    minutes = int((end - begin) / timedelta(minutes=1))
    return [look(begin + timedelta(minutes=n), phase, **different) for n in range(minutes + 1)]
