"""What came in: one row before the acknowledgement, handled once after it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Field, Session, SQLModel, col

from storage.columns import Instant, Json, JsonObject, MaybeTime, Time
from storage.leases import Lease, claim, claim_due, release
from storage.rows import change, insert_all_new, insert_new, read, table_of


class InboxRow(SQLModel, table=True):
    """One thing that came in. Its id is the sender's own key for it, so that a second delivery is known."""

    __tablename__ = "inbox"

    id: str = Field(primary_key=True)
    kind: str
    payload: Json
    received_at: Time
    due_at: MaybeTime = Field(default=None, sa_type=Instant, index=True)
    lease_until: MaybeTime = None
    fencing: int = 0
    attempts: int = 0
    done_at: MaybeTime = Field(default=None, sa_type=Instant, index=True)
    outcome: str | None = None


@dataclass(frozen=True, slots=True)
class Incoming:
    """What came in, and how often it was taken up."""

    id: str
    kind: str
    payload: JsonObject
    received_at: datetime
    attempts: int
    fencing: int


def receive(session: Session, key: str, kind: str, payload: JsonObject, at: datetime) -> bool:
    """Take it down, before the acknowledgement. False if it came before: then it is in good hands."""
    values = {"id": key, "kind": kind, "payload": payload, "received_at": at, "due_at": at}
    return insert_new(session, InboxRow, {**values, "fencing": 0, "attempts": 0})


@dataclass(frozen=True, slots=True)
class Arrival:
    """Something that has just come in. `key`: the sender's own, the same for a second delivery."""

    key: str
    kind: str
    payload: JsonObject
    at: datetime


def receive_all(session: Session, arrivals: Sequence[Arrival]) -> None:
    """`receive` for everything that has come in at the same moment."""
    rows = [
        {
            "id": arrival.key,
            "kind": arrival.kind,
            "payload": arrival.payload,
            "received_at": arrival.at,
            "due_at": arrival.at,
            "fencing": 0,
            "attempts": 0,
        }
        for arrival in arrivals
    ]
    insert_all_new(session, InboxRow, rows)


def take(session: Session, key: str, lease_for: timedelta) -> Incoming | None:
    """Take up this one. None if it is done, or in somebody's hands."""
    lease = claim(session, InboxRow, key, lease_for)
    return next(iter(_taken(session, [lease])), None) if lease else None


def take_due(session: Session, now: datetime, lease_for: timedelta, limit: int) -> list[Incoming]:
    """Take up what nobody works on: what a restart left over."""
    return _taken(session, claim_due(session, InboxRow, now, lease_for, limit))


def done(session: Session, taken: Incoming, at: datetime, outcome: str = "done") -> bool:
    """It is handled, or parked for good with that outcome. False if another has taken it up since."""
    lease = Lease(taken.id, taken.fencing)
    return release(session, InboxRow, lease, done_at=at, due_at=None, outcome=outcome)


def put_back(session: Session, taken: Incoming, due_at: datetime) -> bool:
    """It could not be handled now; again at that time. False if another has taken it up since."""
    return release(session, InboxRow, Lease(taken.id, taken.fencing), due_at=due_at)


def _taken(session: Session, leases: list[Lease]) -> list[Incoming]:
    mine = col(InboxRow.id).in_([lease.id for lease in leases]) & col(InboxRow.done_at).is_(None)
    change(session, InboxRow, mine, attempts=table_of(InboxRow).c.attempts + 1)
    return read(session, Incoming, InboxRow, mine, order_by=[col(InboxRow.received_at)])
