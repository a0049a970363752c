"""From a wish to an order that RunPod's catalogue knows, with its price."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from bot.provision.terms import Because, Priced, Refused
from gateways.runpod.errors import RunPodError
from pods.gpus import GpuType, NoType, OneType, SeveralTypes, describe, match_gpu
from pods.option_values import near_data_centers
from pods.order import Order, OrderDefaults
from pods.ordering import order_of
from pods.pricing import usd_per_hour
from pods.wish import Wish


class Catalogue(Protocol):
    """What RunPod rents out now, or a moment ago. Both raise the errors of `gateways.runpod.errors`."""

    async def types(self) -> Sequence[GpuType]:
        """Every GPU type."""
        ...

    async def data_centers(self) -> Sequence[str]:
        """The id of every data centre."""
        ...


async def price(wish: Wish, defaults: OrderDefaults, catalogue: Catalogue) -> Priced | Refused:
    """The order that was meant, in the catalogue's words."""
    order = order_of(wish, defaults)
    if not isinstance(order, Order):
        first, *more = order
        return Refused(Because.INVALID, str(first), tuple(map(str, more)), first.option)
    try:
        types = await catalogue.types()
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
    if wrong := await _no_such_place(order, catalogue):
        return wrong
    known = replace(order, gpus=tuple(dict.fromkeys(gpu.id for gpu in gpus)))
    return Priced(known, usd_per_hour(known, types), types)


async def _no_such_place(order: Order, catalogue: Catalogue) -> Refused | None:
    """A data centre that there is not. If RunPod does not tell which there are, it is left to RunPod."""
    if not order.data_centers:
        return None
    try:
        known = await catalogue.data_centers()
    except RunPodError:
        return None
    for place in order.data_centers:
        if known and place not in known:
            near = near_data_centers(place, known)
            return Refused(Because.INVALID, f"There is no data centre `{place}`.", near, "dc")
    return None
