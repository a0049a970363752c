"""Whether an order can be had: a place for it, its price, and the money for it."""

from simulator.runpod.catalogue import Catalogue
from simulator.runpod.order import Order
from simulator.runpod.refusal import RefusedError, Why


def place(catalogue: Catalogue, order: Order) -> str:
    """The data centre that takes the order; `RefusedError` without capacity or with an unknown volume."""
    wanted = order.data_centers
    if order.network is not None:
        volume = catalogue.volumes.get(order.network.volume_id)
        if volume is None:
            raise RefusedError(Why.NOT_FOUND, "network volume not found")
        wanted = (volume.data_center,)
    if order.cpu is not None:
        return wanted[0] if wanted else next(iter(catalogue.data_centers))
    found = catalogue.place(order.gpu or "", order.count, order.cloud, wanted)
    if found is None:
        raise RefusedError(
            Why.NO_CAPACITY,
            "There are no longer any instances available with the requested specifications. "
            "Please refresh and try again.",
        )
    return found


def price(catalogue: Catalogue, order: Order) -> float:
    """What an order costs by the catalogue, in USD per hour; 0 for a type that it does not name."""
    if order.cpu is not None:
        cpu = catalogue.cpus.get(order.cpu)
        return cpu.price_per_vcpu * order.vcpus if cpu else 0.0
    gpu = catalogue.gpus.get(order.gpu or "")
    if gpu is None:
        return 0.0
    return (gpu.community_price if order.cloud == "COMMUNITY" else gpu.secure_price) * order.count


def check_money(price: float, *, balance: float | None, burning: float, limit: float | None) -> None:
    """`RefusedError` if the balance is below an hour's price, or the limit (USD per hour) would be passed."""
    if balance is not None and balance < price:
        raise RefusedError(
            Why.BALANCE,
            "Your balance is too low to rent an on-demand pod. "
            f"You need at least ${price:.2f} (current: ${balance:.2f}, deficit: ${price - balance:.2f}).",
        )
    if limit is not None and burning + price > limit:
        raise RefusedError(
            Why.SPENDING_LIMIT,
            f"Renting this pod would put you over your current spending limit (${limit:g}/hr)",
        )


def check_free_gpus(catalogue: Catalogue, order: Order, data_center: str) -> None:
    """`RefusedError` if a stopped pod cannot come back, for its machine's GPUs are taken."""
    kind = catalogue.gpus.get(order.gpu or "")
    if kind is not None and catalogue.stock(kind, data_center) == "NONE":
        raise RefusedError(
            Why.NO_CAPACITY, "There are not enough free GPUs on the host machine to start this pod."
        )
