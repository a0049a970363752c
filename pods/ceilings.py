"""May this order go out? What it costs against the ceilings, and how the last ones of its asker went."""

from dataclasses import dataclass
from datetime import timedelta

NEVER_REACHED_LIMIT = 3
NEVER_REACHED_WITHIN = timedelta(hours=6)
"""After so many provisions of one owner or agent that nobody ever reached, the next one needs a person."""


@dataclass(frozen=True, slots=True)
class Ceilings:
    """US dollars an hour. `None`: no ceiling; `0`: none allowed."""

    account: float | None = None
    per_owner: float | None = None
    confirm_above: float = 20.0
    """An agent's order above this needs its owner's click."""


@dataclass(frozen=True, slots=True)
class Spending:
    """What bills now, in US dollars an hour, orders under way included. Pods of unknown price count nothing:
    one odd pod of somebody's must not keep everybody from renting."""

    account_usd: float = 0.0
    owner_usd: float = 0.0


@dataclass(frozen=True, slots=True)
class GoAhead:
    """Nothing stands in its way."""


@dataclass(frozen=True, slots=True)
class AskPerson:
    """It goes out once a person has said so."""

    why: str


@dataclass(frozen=True, slots=True)
class OverCeiling:
    """It does not go out."""

    why: str


def over_ceiling(usd: float | None, ceilings: Ceilings, spending: Spending) -> OverCeiling | None:
    """The first ceiling that this many dollars an hour more would break. An unknown amount breaks each."""
    for whose, ceiling, billing in (
        ("the account", ceilings.account, spending.account_usd),
        ("its owner", ceilings.per_owner, spending.owner_usd),
    ):
        if ceiling is None:
            continue
        if usd is None:
            return OverCeiling(f"what it would cost is unknown, and there is a ceiling for {whose}")
        if billing + usd > ceiling:
            return OverCeiling(
                f"with it {whose} would spend ${billing + usd:.2f} an hour; the ceiling is ${ceiling:.2f}"
            )
    return None


def weigh(
    usd: float | None, ceilings: Ceilings, spending: Spending, *, by_agent: bool, never_reached: int
) -> GoAhead | AskPerson | OverCeiling:
    """`usd`: the dearest that the order can become. An unknown amount keeps no ceiling and needs a person."""
    if over := over_ceiling(usd, ceilings, spending):
        return over
    if never_reached >= NEVER_REACHED_LIMIT:
        return AskPerson(f"the last {never_reached} pods were never reached; look into that first")
    if by_agent and usd is None:
        return AskPerson("an agent ordered it and its price is unknown")
    if by_agent and usd is not None and usd > ceilings.confirm_above:
        return AskPerson(
            f"an agent ordered it for ${usd:.2f} an hour; "
            f"above ${ceilings.confirm_above:.2f} its owner decides"
        )
    return GoAhead()
