"""Claims and hand-overs, said where all see them, with what can be said against them."""

from datetime import datetime

from sqlmodel import Session

from jobs.house import House
from storage.columns import JsonObject
from storage.outbox import Letter, send
from storage.whose_messages import announcement_name


def announce_claim(
    session: Session, house: House, claim_id: str, pod_id: str, owner: str, now: datetime
) -> None:
    """In the ops channel, with *Not theirs* and *Confirm*."""
    facts: JsonObject = {"claim": claim_id, "pod": pod_id, "owner": owner}
    send(session, Letter(announcement_name(claim_id), house.ops_channel, "claim_announced", facts), now)


def announce(session: Session, house: House, name: str, kind: str, facts: JsonObject, now: datetime) -> None:
    """Something about a hand-over, in the ops channel."""
    send(session, Letter(name, house.ops_channel, kind, facts), now)
