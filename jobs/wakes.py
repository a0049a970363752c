"""Hints that there may be work. A hint never says what: whoever is woken looks for himself."""

import asyncio
from dataclasses import dataclass, field


@dataclass(slots=True)
class Wakes:
    """One flag for each job, set by anybody and taken down by the ticker when it starts that job."""

    _due: set[str] = field(default_factory=set)
    _bell: asyncio.Event = field(default_factory=asyncio.Event)

    def wake(self, job: str) -> None:
        """Let this job look at once."""
        self._due.add(job)
        self._bell.set()

    def take(self) -> frozenset[str]:
        """The jobs that were woken since the last call."""
        woken = frozenset(self._due)
        self._due.clear()
        self._bell.clear()
        return woken

    async def rings(self) -> None:
        """Return as soon as somebody wakes a job."""
        await self._bell.wait()
