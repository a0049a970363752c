"""Which plan a new pod gets: queued ones first, then the ones for its name, else everybody's."""

import re
from collections import deque
from dataclasses import dataclass, field

from simulator.runpod.plan import PodPlan


@dataclass
class Plans:
    """The plans that wait for pods to be created."""

    default: PodPlan = field(default_factory=PodPlan)
    queued: deque[dict[str, object]] = field(default_factory=deque)
    by_name: list[tuple[re.Pattern[str], dict[str, object]]] = field(default_factory=list)

    def take(self, name: str, changes: dict[str, object] | None = None) -> PodPlan:
        """The plan for a pod of that name: everybody's, then what fits its name, then `changes`.

        Without `changes` the next queued plan is used up instead.
        """
        plan = self.default
        for pattern, given in self.by_name:
            if pattern.search(name):
                plan = plan.with_changes(**given)
        if changes is None and self.queued:
            plan = plan.with_changes(**self.queued.popleft())
        return plan.with_changes(**changes) if changes else plan
