"""RunPod's catalogue of GPU types, asked for at most once a minute, in the judgement's words."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from gateways.runpod.catalogue import GpuType as Listed
from jobs.house import House
from pods.gpus import GpuType, Stock

GOOD_FOR = timedelta(minutes=1)


@dataclass(slots=True)
class Catalogue:
    """What RunPod rents out now, or a moment ago."""

    house: House
    _known: tuple[GpuType, ...] | None = None
    _at: datetime | None = None
    _asking: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def types(self) -> Sequence[GpuType]:
        """Every GPU type. Raises the errors of `gateways.runpod.errors`."""
        async with self._asking:
            now = self.house.clock.now()
            if self._known is None or self._at is None or not timedelta(0) <= now - self._at < GOOD_FOR:
                listed = await self.house.runpod.gpu_catalogue()
                self._known, self._at = tuple(map(gpu_type, listed)), now
            return self._known


def gpu_type(listed: Listed) -> GpuType:
    """One entry. RunPod tells the stock of a type for all data centres that offer it together."""
    stock = Stock(listed.stock.lower()) if listed.stock and listed.stock.lower() in list(Stock) else None
    return GpuType(
        id=listed.gpu_id,
        name=listed.name,
        memory_gb=listed.memory_gb,
        secure_usd=listed.secure_usd_per_hour,
        community_usd=listed.community_usd_per_hour,
        stock=dict.fromkeys(listed.data_centres, stock) if stock else {},
    )
