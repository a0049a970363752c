"""Is RunPod's word about runtimes worth anything just now?

RunPod answers null on any error of its own lookup. When many pods lose their runtime between two
listings, it is the witness that is out, not the pods.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pods.ids import PodId
from pods.phase import Phase

LEAST_PODS = 2
"""A single pod that loses its runtime is a matter of that pod."""


@dataclass(frozen=True, slots=True)
class Witness:
    """What we think of it. It is out as long as there is a time in `out_since`."""

    out_since: datetime | None = None
    lost: frozenset[PodId] = frozenset()
    """The pods that showed a runtime before and none since it is out."""

    @property
    def out(self) -> bool:
        return self.out_since is not None


TRUSTED = Witness()
"""The beginning, and what an admin makes of it by saying that the nulls are true."""


def look(
    witness: Witness, before: Mapping[PodId, Phase], after: Mapping[PodId, Phase], at: datetime
) -> Witness:
    """What the next listing makes of it.

    It goes out when at least two pods, and a third of those that had a runtime, lose it between two
    listings. It is back when half of the lost ones that still are RUNNING show a runtime again.
    """
    had = [pod_id for pod_id, phase in before.items() if phase is Phase.RUNNING]
    newly_lost = frozenset(pod_id for pod_id in had if after.get(pod_id) is Phase.NO_RUNTIME)
    if witness.out:
        lost = witness.lost | newly_lost
        return TRUSTED if _is_back(lost, after) else Witness(witness.out_since, lost)
    goes_out = len(newly_lost) >= LEAST_PODS and 3 * len(newly_lost) >= len(had)
    return Witness(at, newly_lost) if goes_out else TRUSTED


def _is_back(lost: frozenset[PodId], after: Mapping[PodId, Phase]) -> bool:
    showing = sum(after.get(pod_id) is Phase.RUNNING for pod_id in lost)
    silent = sum(after.get(pod_id) is Phase.NO_RUNTIME for pod_id in lost)
    return showing >= silent
