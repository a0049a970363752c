"""What bills now, and how the last provisions of somebody went."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, col, func, select

from bot.provision.pricing import usd_per_hour
from pods.ceilings import NEVER_REACHED_WITHIN, Spending
from pods.gpus import GpuType
from pods.phase import Phase
from pods.provision.outcomes import Outcome
from pods.provision.stages import WITHOUT_POD
from storage.ledger import ProvisionRecord, provision_of, records
from storage.pod import PodRow
from storage.provision import ProvisionRow
from storage.rows import read

NEVER_REACHED = frozenset({Outcome.NEVER_REACHED, Outcome.NEVER_REACHED_KEPT, Outcome.NOT_TERMINATED})
BILLING = tuple(phase for phase in Phase if phase.bills)


def spending(session: Session, owner: str, types: Sequence[GpuType]) -> Spending:
    """What all pods, and those of this owner, cost an hour now. Orders on their way are priced anew."""
    bills = (col(PodRow.gone_at).is_(None), col(PodRow.phase).in_(BILLING))
    account = select(func.sum(PodRow.usd_per_hour)).where(*bills)
    owners = account.join(ProvisionRow, col(ProvisionRow.pod_id) == PodRow.pod_id).where(
        ProvisionRow.owner == owner
    )
    on_their_way = [
        (under_way.owner, usd_per_hour(provision_of(under_way).order, types) or 0.0)
        for under_way in read(
            session,
            ProvisionRecord,
            ProvisionRow,
            col(ProvisionRow.stage).in_(WITHOUT_POD),
            col(ProvisionRow.pod_id).is_(None),
        )
    ]
    return Spending(
        (session.exec(account).one() or 0.0) + sum(usd for _, usd in on_their_way),
        (session.exec(owners).one() or 0.0) + sum(usd for whose, usd in on_their_way if whose == owner),
    )


def never_reached(session: Session, owner: str, agent: str | None, now: datetime) -> int:
    """How many of the last provisions of this owner, or of this agent, nobody ever reached; a *Go on* since
    then starts the count anew."""
    since = now - NEVER_REACHED_WITHIN
    mine = records(session, owner=owner, since=since)
    if agent is not None:
        mine += [each for each in records(session, agent=agent, since=since) if each.owner != owner]
    pardoned = max((each.go_on_at for each in mine if each.go_on_at), default=since)
    return sum(each.outcome in NEVER_REACHED and each.created_at > pardoned for each in mine)
