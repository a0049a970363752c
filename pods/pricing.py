"""What an order would cost, by the catalogue's list prices."""

from collections.abc import Sequence

from pods.gpus import GpuType
from pods.order import Order


def usd_per_hour(order: Order, types: Sequence[GpuType]) -> float | None:
    """What the dearest of its GPU types costs an hour, all GPUs together; `None` if one price is unknown."""
    prices = {gpu.id: gpu.usd(order.cloud) for gpu in types}
    each = [prices.get(gpu) for gpu in order.gpus]
    known = [usd for usd in each if usd]
    return max(known) * order.count if known and len(known) == len(each) else None
