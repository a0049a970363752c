"""What bills now, and how the last provisions of somebody went."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, func, select

from pods.ceilings import NEVER_REACHED_WITHIN, Spending
from pods.gpus import GpuType
from pods.phase import Phase
from pods.pricing import usd_per_hour
from pods.provision.outcomes import Outcome
from pods.provision.stages import WITHOUT_POD
from storage.ledger import REFUSED, ProvisionRecord, readable, records
from storage.pod import PodRow
from storage.provision import CreateCallRow, ProvisionRow
from storage.rows import read

NEVER_REACHED = frozenset({Outcome.NEVER_REACHED, Outcome.NEVER_REACHED_KEPT, Outcome.NOT_TERMINATED})
BILLING = tuple(phase for phase in Phase if phase.bills)


def spending(session: Session, owner: str, types: Sequence[GpuType]) -> Spending:
    """What all pods, and those of this owner, cost an hour now. Orders on their way are priced anew."""
    return _together(session, owner, types, _on_their_way(session))


def spending_beside(session: Session, owner: str, types: Sequence[GpuType], provision_id: str) -> Spending:
    """The same for one that is about to be rented: without itself, and without those that have not gone out.

    Whoever weighs has written its create call down before, so of two at the same moment at least one sees the
    other.
    """
    gone_out = select(CreateCallRow.provision_id).where(CreateCallRow.state != REFUSED)
    others = [
        other
        for other in _on_their_way(session, col(ProvisionRow.id).in_(gone_out))
        if other.id != provision_id
    ]
    return _together(session, owner, types, others)


def _together(
    session: Session, owner: str, types: Sequence[GpuType], on_their_way: Sequence[ProvisionRecord]
) -> Spending:
    bills = (col(PodRow.gone_at).is_(None), col(PodRow.phase).in_(BILLING))
    account = select(func.sum(PodRow.usd_per_hour)).where(*bills)
    owners = account.join(ProvisionRow, col(ProvisionRow.pod_id) == PodRow.pod_id).where(
        ProvisionRow.owner == owner
    )
    unseen = [(one.owner, _price(one, types)) for one in (*on_their_way, *_not_yet_observed(session))]
    return Spending(
        (session.exec(account).one() or 0.0) + sum(usd for _, usd in unseen),
        (session.exec(owners).one() or 0.0) + sum(usd for whose, usd in unseen if whose == owner),
    )


def _price(one: ProvisionRecord, types: Sequence[GpuType]) -> float:
    wished = readable(one)
    return one.usd_per_hour or (usd_per_hour(wished.order, types) if wished else None) or 0.0


def _on_their_way(session: Session, *where: ColumnElement[bool]) -> list[ProvisionRecord]:
    no_pod = (col(ProvisionRow.stage).in_(WITHOUT_POD), col(ProvisionRow.pod_id).is_(None))
    return read(session, ProvisionRecord, ProvisionRow, *no_pod, *where)


def _not_yet_observed(session: Session) -> list[ProvisionRecord]:
    """Provisions whose pod is so new that no observation has seen it."""
    observed = select(PodRow.pod_id).where(PodRow.pod_id == ProvisionRow.pod_id).exists()
    new = (col(ProvisionRow.pod_id).is_not(None), col(ProvisionRow.name_freed_at).is_(None), ~observed)
    return read(session, ProvisionRecord, ProvisionRow, *new)


def never_reached(session: Session, owner: str, agent: str | None, now: datetime) -> int:
    """How many of the last provisions of this owner, or of this agent, nobody ever reached; a *Go on* since
    then starts the count anew."""
    since = now - NEVER_REACHED_WITHIN
    mine = records(session, owner=owner, since=since)
    if agent is not None:
        mine += [each for each in records(session, agent=agent, since=since) if each.owner != owner]
    pardoned = max((each.go_on_at for each in mine if each.go_on_at), default=since)
    return sum(each.outcome in NEVER_REACHED and each.created_at > pardoned for each in mine)
