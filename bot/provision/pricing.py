"""From a wish to an order that RunPod's catalogue knows, with its price."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from bot.provision.terms import Because, Priced, Refused
from gateways.runpod.errors import RunPodError
from pods.gpus import GpuType, NoType, OneType, SeveralTypes, describe, match_gpu
from pods.order import Order, OrderDefaults
from pods.ordering import order_of
from pods.pricing import usd_per_hour
from pods.wish import Wish

ReadCatalogue = Callable[[], Awaitable[Sequence[GpuType]]]
"""What RunPod rents out now, or a moment ago."""


async def price(wish: Wish, defaults: OrderDefaults, catalogue: ReadCatalogue) -> Priced | Refused:
    """The order that was meant, in the catalogue's words."""
    order = order_of(wish, defaults)
    if not isinstance(order, Order):
        first, *more = order
        return Refused(Because.INVALID, str(first), tuple(map(str, more)), first.option)
    try:
        types = await catalogue()
    except RunPodError as error:
        return Refused(Because.PROVIDER_UNREACHABLE, f"RunPod's list of GPU types cannot be read: {error}")
    gpus: list[GpuType] = []
    for word in order.gpus:
        match match_gpu(word, types):
            case OneType(gpu):
                gpus.append(gpu)
            case SeveralTypes(several):
                listed = tuple(describe(gpu, order.cloud) for gpu in several)
                return Refused(
                    Because.AMBIGUOUS, f"`{word}` fits several GPU types; say which.", listed, "gpu"
                )
            case NoType(near):
                listed = tuple(describe(gpu, order.cloud) for gpu in near)
                return Refused(Because.INVALID, f"There is no GPU type `{word}`.", listed, "gpu")
    known = replace(order, gpus=tuple(dict.fromkeys(gpu.id for gpu in gpus)))
    return Priced(known, usd_per_hour(known, types), types)
