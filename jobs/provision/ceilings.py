"""The ceilings in dollars an hour, weighed again right before a create call goes out."""

from dataclasses import replace

from sqlmodel import Session

from jobs.catalogue import Catalogue
from jobs.house import House
from jobs.provision.spending import spending_beside
from pods.ceilings import over_ceiling
from pods.pricing import usd_per_hour
from pods.provision.value import Provision


async def over_a_ceiling(house: House, provision: Provision, gpu: str, owner: str) -> str | None:
    """Why this call must not go out; `None`: it may. Others may have rented since the order was placed.

    Raises the errors of `gateways.runpod.errors` if there is a ceiling and prices cannot be read.
    """
    ceilings = house.ceilings
    if ceilings.account is None and ceilings.per_owner is None:
        return None
    types = await Catalogue(house).types()
    usd = usd_per_hour(replace(provision.order, gpus=(gpu,)), types)

    def weighed(session: Session) -> str | None:
        over = over_ceiling(usd, ceilings, spending_beside(session, owner, types, provision.id))
        return over.why if over else None

    return await house.db.run(weighed)
