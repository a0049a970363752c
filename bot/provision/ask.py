"""Ask for a pod: one function for everybody, whether they come from Slack or are agents."""

from collections.abc import Callable
from datetime import datetime

from sqlmodel import Session

from bot.provision.pricing import Catalogue, price
from bot.provision.terms import Accepted, Because, Priced, Refused, Terms
from jobs.provision.spending import never_reached, spending
from pods.ceilings import AskPerson, GoAhead, OverCeiling, weigh
from pods.order import Order
from pods.provision.entering import begin
from pods.wish import Wish
from storage.columns import JsonObject
from storage.database import Database
from storage.keys import new_key
from storage.ledger import Asked, named
from storage.ledger import record as provision_record
from storage.ledger import wish as write_wish
from storage.order_question import ask_about_order
from storage.person import may_rent
from storage.trail import Event, record


async def order(
    database: Database,
    wish: Wish,
    asked: Asked,
    terms: Terms,
    catalogue: Catalogue,
    now: datetime,
    wake: Callable[[str], None],
    provision_id: str | None = None,
) -> Accepted | Refused:
    """Ask for a pod. Once it is accepted it belongs to the service, not to whoever asked.

    `provision_id`: its key, where whoever asks may ask twice for the same; then the first answer holds.
    """
    priced = await price(wish, terms.defaults, catalogue)
    if isinstance(priced, Refused):
        return priced
    answer = await database.run(lambda session: place(session, priced, asked, terms, now, provision_id))
    if isinstance(answer, Accepted):
        wake("provisions")
    return answer


def place(
    session: Session,
    priced: Priced,
    asked: Asked,
    terms: Terms,
    now: datetime,
    provision_id: str | None = None,
) -> Accepted | Refused:
    """Write the wish down, in the transaction of whatever belongs to it. A refusal has written nothing."""
    if provision_id is not None and (known := provision_record(session, provision_id)):
        return Accepted(known.id, known.name)
    refused = _not_allowed(session, asked) or _name_taken(session, priced.order.name)
    if refused:
        return refused
    weighed = weigh(
        priced.usd_per_hour,
        terms.ceilings,
        spending(session, asked.owner, priced.types),
        by_agent=asked.agent is not None,
        never_reached=never_reached(session, asked.owner, asked.agent, now),
    )
    match weighed:
        case OverCeiling(why):
            return Refused(Because.OVER_LIMIT, f"This would be over a ceiling: {why}.")
        case AskPerson(why):
            return _write(session, priced.order, asked, terms, now, why, provision_id)
        case GoAhead():
            return _write(session, priced.order, asked, terms, now, None, provision_id)


def _write(
    session: Session,
    order: Order,
    asked: Asked,
    terms: Terms,
    now: datetime,
    why: str | None,
    provision_id: str | None,
) -> Accepted | Refused:
    provision = begin(provision_id or new_key(), order, now, terms.waits)
    if not write_wish(session, provision, asked, now):
        return _name_taken(session, order.name) or Refused(
            Because.NAME_IN_USE, f"The name `{order.name}` is in use.", (), "name"
        )
    told: JsonObject = {"name": order.name, "owner": asked.owner, "agent": asked.agent, "door": asked.door}
    record(session, Event(now, asked.asker, "provision.asked", provision.id, told))
    if why is None:
        return Accepted(provision.id, order.name)
    until = now + terms.approval_expires
    ask_about_order(session, provision.id, asked.owner, asked.asker, why, now, until)
    return Accepted(provision.id, order.name, asked.owner, why)


def _not_allowed(session: Session, asked: Asked) -> Refused | None:
    if all(may_rent(session, user) for user in (asked.owner, asked.asker)):
        return None
    return Refused(
        Because.FORBIDDEN,
        "Only active full members of this workspace may rent pods: no guests, bots or people from elsewhere.",
    )


def _name_taken(session: Session, name: str) -> Refused | None:
    holder = named(session, name)
    if holder is None:
        return None
    return Refused(
        Because.NAME_IN_USE,
        f"The name `{name}` is in use by <@{holder.owner}>; it is free again when that pod is gone.",
        option="name",
    )
