"""RunPod's catalogue, of GPU types and data centres, in the judgement's words."""

from collections.abc import Sequence
from dataclasses import dataclass

from gateways.runpod.catalogue import GpuType as Listed
from jobs.house import House
from pods.gpus import GpuType, Stock


@dataclass(frozen=True, slots=True)
class Catalogue:
    """What RunPod rents out now, or a moment ago; everybody shares one answer."""

    house: House

    async def types(self) -> Sequence[GpuType]:
        """Every GPU type. Raises the errors of `gateways.runpod.errors`."""
        return tuple(map(gpu_type, await self.house.catalogue.types()))

    async def data_centers(self) -> Sequence[str]:
        """The id of every data centre. Raises the errors of `gateways.runpod.errors`."""
        return tuple(centre.centre_id for centre in await self.house.catalogue.data_centres())


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
