"""RunPod's list of GPU types, remembered for a minute: many orders at once ask for it once."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from gateways.runpod.catalogue import GpuType as Offered
from gateways.runpod.protocol import RunPod
from pods.clock import Clock
from pods.gpus import GpuType, Stock

GOOD_FOR = timedelta(minutes=1)
_STOCKS = {stock.value: stock for stock in Stock}


@dataclass
class Catalogue:
    """Called, it gives what can be rented. Raises RunPodError if that cannot be read."""

    runpod: RunPod
    clock: Clock
    _types: Sequence[GpuType] = ()
    _read_at: datetime | None = None

    async def __call__(self) -> Sequence[GpuType]:
        now = self.clock.now()
        if self._read_at is None or not timedelta(0) <= now - self._read_at < GOOD_FOR:
            self._types = tuple(_type_of(each) for each in await self.runpod.gpu_catalogue())
            self._read_at = now
        return self._types


def _type_of(offered: Offered) -> GpuType:
    stock = _STOCKS.get((offered.stock or "").lower())
    return GpuType(
        offered.gpu_id,
        offered.name,
        offered.memory_gb,
        offered.secure_usd_per_hour,
        offered.community_usd_per_hour,
        dict.fromkeys(offered.data_centres, stock) if stock else {},
    )
