"""Leases: who works on a row, and whose result counts.

A row with `due_at`, `lease_until` and `fencing` is worked on by claiming it for a short while, working
outside any transaction, and writing the result back guarded by the fencing number that the claim gave out. A
lease that ran out may be claimed by another; the number is then another one, and the late result of the
first is dropped. Safety comes from the number alone. The time of a lease is that of the database on
PostgreSQL and of the machine on SQLite, never the clock that the product's deadlines follow.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Interval, func, literal, or_, select, update
from sqlmodel import Session, SQLModel

from storage.columns import Instant
from storage.rows import Where, on_sqlite, table_of


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write one result to one row."""

    id: str
    fencing: int


def claim_due(
    session: Session,
    row: type[SQLModel],
    now: datetime,
    lease_for: timedelta,
    limit: int,
    *where: Where,
) -> list[Lease]:
    """Claim rows that are due and that nobody works on, the longest due first."""
    columns = table_of(row).c
    due = (
        select(columns.id)
        .where(columns.due_at <= now, _free(session, columns.lease_until), *where)
        .order_by(columns.due_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
        .cte("due")
    )
    return _claim(session, row, columns.id.in_(select(due.c.id)), lease_for)


def claim(session: Session, row: type[SQLModel], row_id: str, lease_for: timedelta) -> Lease | None:
    """Claim this row, due or not. None if somebody works on it or it does not exist."""
    columns = table_of(row).c
    mine = _claim(session, row, (columns.id == row_id) & _free(session, columns.lease_until), lease_for)
    return mine[0] if mine else None


def apply(session: Session, row: type[SQLModel], lease: Lease, **changes: object) -> bool:
    """Write a result. False, and nothing is written, if another has claimed the row since."""
    columns = table_of(row).c
    mine = (columns.id == lease.id) & (columns.fencing == lease.fencing)
    changes = changes or {"fencing": lease.fencing}
    return session.exec(update(table_of(row)).where(mine).values(changes)).rowcount == 1


def renew(session: Session, row: type[SQLModel], lease: Lease, lease_for: timedelta) -> bool:
    """Keep a row for so long from now. False as in `apply`."""
    columns = table_of(row).c
    mine = (columns.id == lease.id) & (columns.fencing == lease.fencing)
    values = {"lease_until": _clock(session, lease_for)}
    return session.exec(update(table_of(row)).where(mine).values(values)).rowcount == 1


def release(session: Session, row: type[SQLModel], lease: Lease, **changes: object) -> bool:
    """Write a result and let go of the row. False as in `apply`."""
    return apply(session, row, lease, lease_until=None, **changes)


def let_go_of_all(session: Session, row: type[SQLModel]) -> int:
    """Whoever held rows of this table is surely gone: nothing waits for their leases to run out.

    Their late results are dropped all the same, for the next claim has another number.
    """
    columns = table_of(row).c
    held = update(table_of(row)).where(columns.lease_until.is_not(None))
    return session.exec(held.values(lease_until=None)).rowcount


def _claim(
    session: Session, row: type[SQLModel], which: ColumnElement[bool], lease_for: timedelta
) -> list[Lease]:
    table = table_of(row)
    statement = (
        update(table)
        .where(which)
        .values(fencing=table.c.fencing + 1, lease_until=_clock(session, lease_for))
        .returning(table.c.due_at, table.c.id, table.c.fencing)
    )
    claimed = session.exec(statement).all()
    return [Lease(*mine) for _, *mine in sorted(claimed, key=lambda found: (found[0] is None, *found[:2]))]


def _free(session: Session, lease_until: ColumnElement[datetime]) -> ColumnElement[bool]:
    return or_(lease_until.is_(None), lease_until <= _clock(session, timedelta(0)))


def _clock(session: Session, ahead: timedelta) -> ColumnElement[datetime]:
    """The database's own time, and a little more."""
    if on_sqlite(session):
        later = f"{ahead.total_seconds():+.3f} seconds"
        return func.strftime("%Y-%m-%d %H:%M:%f000+00:00", "now", later, type_=Instant)
    return func.clock_timestamp(type_=Instant) + literal(ahead, Interval)
