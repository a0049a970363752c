"""What an order is held against: defaults, ceilings, and what may come of asking for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from pods.ceilings import Ceilings
from pods.gpus import GpuType
from pods.order import Order, OrderDefaults
from pods.provision.decision import Policy


class Because(StrEnum):
    """Why an order is refused before there is a provision; in the words of the agents' problem codes."""

    INVALID = "invalid"
    AMBIGUOUS = "ambiguous"
    NAME_IN_USE = "name_in_use"
    FORBIDDEN = "forbidden"
    OVER_LIMIT = "over_limit"
    PROVIDER_UNREACHABLE = "provider_unreachable"


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing was ordered. `matches`: what could have been meant; `option`: which one is wrong."""

    because: Because
    sentence: str
    matches: tuple[str, ...] = ()
    option: str | None = None


@dataclass(frozen=True, slots=True)
class Accepted:
    """There is a provision. `asked`: who has to press *Go on* before anything is rented, and why."""

    provision: str
    name: str
    asked: str | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Terms:
    """Plain values from the settings."""

    defaults: OrderDefaults
    ceilings: Ceilings
    waits: Policy
    approval_expires: timedelta


@dataclass(frozen=True, slots=True)
class Priced:
    """An order whose GPU types are in the catalogue. `usd_per_hour`: the dearest of them; `None`: unknown."""

    order: Order
    usd_per_hour: float | None
    types: Sequence[GpuType]
    """The catalogue that it was priced with."""
