"""One listing for all who ask at the same time: a hundred provisions use as many calls as one."""

import asyncio
from dataclasses import dataclass, field
from datetime import timedelta

from gateways.runpod.protocol import RunPod
from gateways.wall import Wall
from pods.snapshot import Listing


@dataclass(slots=True)
class SharedListing:
    """The account's listing, asked for at most once every `at_most_every` and never twice at a time."""

    runpod: RunPod
    clock: Wall
    at_most_every: timedelta
    _last: Listing | None = None
    _flight: asyncio.Task[Listing] | None = field(default=None, repr=False)

    async def listing(self) -> Listing:
        """The listing that is being fetched, else the last one if it is young enough, else a new one. An
        asker that is cancelled does not cancel the call for the others."""
        if self._flight is None or self._flight.done():
            if self._last is not None and self._is_young(self._last):
                return self._last
            self._flight = asyncio.create_task(self._fetch(), name="shared listing")
        return await asyncio.shield(self._flight)

    async def _fetch(self) -> Listing:
        self._last = await self.runpod.list_pods()
        return self._last

    def _is_young(self, listing: Listing) -> bool:
        age = self.clock.now() - listing.at
        return timedelta(0) <= age < self.at_most_every
