"""The audit trail: append-only, each row carrying the hash of the one before."""

import hashlib
import json
from contextlib import closing
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime

from sqlalchemy import func, insert
from sqlmodel import Field, Session, SQLModel, col, select

from storage.columns import JsonObject, Time, Words
from storage.rows import on_sqlite, table_of


class TrailRow(SQLModel, table=True):
    """One event. `data` is canonical JSON, as it was hashed."""

    __tablename__ = "trail"

    seq: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    at: Time
    actor: str
    kind: str
    subject: str = Field(index=True)
    data: Words
    prev_hash: str
    hash: str


GENESIS = "0" * 64
LOCK = 7_065_002
READ_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class Event:
    """Something that was done, decided, or decided not to be done."""

    at: datetime
    actor: str
    kind: str
    subject: str
    data: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Entry:
    """An event as the trail holds it."""

    seq: int
    at: datetime
    actor: str
    kind: str
    subject: str
    data: str


@dataclass(frozen=True, slots=True)
class Ok:
    """The chain is whole."""

    rows: int
    head: str


@dataclass(frozen=True, slots=True)
class Broken:
    """The first row that is not what was written, or that follows a missing one."""

    row: int


@dataclass(frozen=True, slots=True)
class BrokenHead:
    """The chain is whole in itself but is not the one that was expected: cut off, or made anew."""

    expected: str
    head: str


def record(session: Session, *events: Event) -> None:
    """Append events, in the transaction of the change that they tell of.

    Whoever records goes on alone until the transaction ends: two processes never follow the same row.
    """
    if not on_sqlite(session):
        session.exec(select(func.pg_advisory_xact_lock(LOCK)))
    seq, prev = _last(session)
    rows = []
    for event in events:
        seq += 1
        data = canonical(event.data)
        entry = Entry(seq, event.at, event.actor, event.kind, event.subject, data)
        rows.append({**asdict(entry), "prev_hash": prev, "hash": (prev := hash_of(entry, prev))})
    session.connection().execute(insert(table_of(TrailRow)), rows)


def head(session: Session) -> Ok:
    """How many rows there are and the hash of the last, unchecked: for the digest."""
    return Ok(*_last(session))


def is_recorded(session: Session, kind: str, subject: str) -> bool:
    """Whether something of this kind was ever recorded of the subject."""
    of_it = (col(TrailRow.subject) == subject) & (col(TrailRow.kind) == kind)
    return session.exec(select(TrailRow.seq).where(of_it).limit(1)).first() is not None


def verify(session: Session, expect: str | None = None) -> Ok | Broken | BrokenHead:
    """Recompute the whole chain. With `expect`, a hash that was once the head must be found in it."""
    columns = table_of(TrailRow).c
    wanted = [columns[name] for name in (*(part.name for part in fields(Entry)), "prev_hash", "hash")]
    in_order = select(*wanted).order_by(columns.seq)
    rows, prev, met = 0, GENESIS, expect is None
    with closing(session.exec(in_order, execution_options={"yield_per": READ_AT_ONCE})) as chain:
        for *values, stored_prev, stored in chain:
            rows += 1
            entry = Entry(*values)
            if entry.seq != rows or stored_prev != prev or stored != hash_of(entry, prev):
                return Broken(rows)
            prev = stored
            met = met or stored == expect
    # The genesis hash is the head of an empty trail only: it would pass over rows that were all replaced.
    met = met or prev == expect
    return Ok(rows, prev) if met else BrokenHead(str(expect), prev)


def hash_of(entry: Entry, prev: str) -> str:
    """SHA-256 over everything that the row says and the hash of the row before."""
    said = [entry.seq, _text(entry.at), entry.actor, entry.kind, entry.subject, entry.data, prev]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def canonical(data: JsonObject) -> str:
    """The one way to write this object as text. Raises ValueError for NaN and infinity."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _text(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(" ", "microseconds")


def _last(session: Session) -> tuple[int, str]:
    newest = select(TrailRow.seq, TrailRow.hash).order_by(col(TrailRow.seq).desc()).limit(1)
    found = session.exec(newest).first()
    return (found[0], found[1]) if found else (0, GENESIS)
