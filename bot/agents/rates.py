"""How many events an agent may send a minute."""

import math
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

MINUTE = timedelta(minutes=1)


@dataclass
class Rates:
    """A sliding minute for each agent, in this process. `per_minute` of 0 allows none."""

    per_minute: int
    now: Callable[[], datetime]
    _taken: defaultdict[str, deque[datetime]] = field(default_factory=lambda: defaultdict(deque))

    def seconds_to_wait(self, agent: str) -> int:
        """0 if the event may come in, which is then counted; else the seconds after which one may."""
        now, taken = self.now(), self._taken[agent]
        while taken and not now - MINUTE < taken[0] <= now:
            taken.popleft()
        if len(taken) < self.per_minute:
            taken.append(now)
            return 0
        freed_at = taken[0] + MINUTE if taken else now + MINUTE
        return max(1, math.ceil((freed_at - now).total_seconds()))
