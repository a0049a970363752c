"""One listing and one catalogue for all who ask at the same time: a hundred use as many calls as one."""

import asyncio
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from gateways.runpod.catalogue import DataCentre, GpuType
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

    def forget(self) -> None:
        """What was fetched, or is being fetched, is not of now: a pod was made since."""
        self._last = self._flight = None

    async def _fetch(self) -> Listing:
        fetched = await self.runpod.list_pods()
        if self._flight is asyncio.current_task():
            self._last = fetched
        return fetched

    def _is_young(self, listing: Listing) -> bool:
        age = self.clock.now() - listing.at
        return timedelta(0) <= age < self.at_most_every


@dataclass(slots=True)
class SharedCatalogue:
    """RunPod's GPU types and data centres, asked for at most once a minute and never twice at a time."""

    runpod: RunPod
    clock: Wall
    good_for: timedelta = timedelta(minutes=1)
    _known: tuple[GpuType, ...] = ()
    _at: datetime | None = None
    _centres: tuple[DataCentre, ...] = ()
    _centres_at: datetime | None = None
    _asking: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)

    async def types(self) -> tuple[GpuType, ...]:
        """What is rented out now, or was a moment ago. Raises as `RunPod.gpu_catalogue`."""
        async with self._asking:
            if not self._is_good(self._at):
                self._known, self._at = await self.runpod.gpu_catalogue(), self.clock.now()
            return self._known

    async def data_centres(self) -> tuple[DataCentre, ...]:
        """Every data centre there is, with or without a free machine. Raises as `RunPod.data_centres`."""
        async with self._asking:
            if not self._is_good(self._centres_at):
                self._centres, self._centres_at = await self.runpod.data_centres(), self.clock.now()
            return self._centres

    def _is_good(self, at: datetime | None) -> bool:
        return at is not None and timedelta(0) <= self.clock.now() - at < self.good_for
