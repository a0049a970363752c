"""Rows as plain values: columns in, frozen values out, no objects that remember a session."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import ColumnElement, Table, and_, func
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, SQLModel, select, update

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

V = TypeVar("V", bound="DataclassInstance")
Where = ColumnElement[bool]
Values = Mapping[str, object]
Insert = sqlite.Insert | postgresql.Insert

CHUNK = 500


def table_of(row: type[SQLModel]) -> Table:
    """The table behind a row class."""
    return SQLModel.metadata.tables[str(row.__tablename__)]


def read(
    session: Session,
    value: type[V],
    row: type[SQLModel],
    *where: Where,
    order_by: Sequence[object] = (),
    limit: int | None = None,
) -> list[V]:
    """The rows as frozen values, whose fields are named as the columns they are read from."""
    columns = table_of(row).c
    found = select(*(columns[field.name] for field in fields(value))).where(*where)
    ordered = found.order_by(*order_by).limit(limit)
    return [value(*columns) for columns in session.exec(ordered)]


def read_one(session: Session, value: type[V], row: type[SQLModel], *where: Where) -> V | None:
    """The first such row as a frozen value."""
    return next(iter(read(session, value, row, *where, limit=1)), None)


def insert_new(session: Session, row: type[SQLModel], values: Values) -> bool:
    """Insert a row unless one is there that it must be unique against. Says whether it did."""
    statement = _insert_or_nothing(row, on_sqlite(session))
    return session.connection().execute(statement, dict(values)).rowcount == 1


def insert_all_new(session: Session, row: type[SQLModel], many: Iterable[Values]) -> None:
    """`insert_new` for many rows with the same columns, without saying which were there."""
    rows = [dict(values) for values in many]
    if rows:
        session.connection().execute(_insert_or_nothing(row, on_sqlite(session)), rows)


def put(session: Session, row: type[SQLModel], values: Values) -> None:
    """Insert a row, or overwrite these columns of the one with the same primary key."""
    put_all(session, row, [values])


def put_all(
    session: Session, row: type[SQLModel], many: Iterable[Values], stays: frozenset[str] = frozenset()
) -> None:
    """`put` for many rows with the same columns. In the columns of `stays`, None overwrites nothing."""
    rows = [dict(values) for values in many]
    if rows:
        statement = _insert_or_overwrite(row, tuple(rows[0]), on_sqlite(session), stays)
        session.connection().execute(statement, rows)


def change(session: Session, row: type[SQLModel], *where: Where, **values: object) -> int:
    """Overwrite columns of the rows that fit: compare and set. Returns how many there were."""
    return session.exec(update(table_of(row)).where(and_(*where)).values(values)).rowcount


# Building a statement takes longer than running it, so each is built once.


@cache
def _insert_or_nothing(row: type[SQLModel], sqlite_is_meant: bool) -> Insert:
    statement = _insert(row, sqlite_is_meant).on_conflict_do_nothing()
    return statement.execution_options(preserve_rowcount=True)


@cache
def _insert_or_overwrite(
    row: type[SQLModel], names: tuple[str, ...], sqlite_is_meant: bool, stays: frozenset[str] = frozenset()
) -> Insert:
    keys = [column.name for column in table_of(row).primary_key]
    statement = _insert(row, sqlite_is_meant)
    new, old = statement.excluded, table_of(row).c
    overwritten = {
        name: func.coalesce(new[name], old[name]) if name in stays else new[name]
        for name in names
        if name not in keys
    }
    if not overwritten:
        return statement.on_conflict_do_nothing()
    return statement.on_conflict_do_update(index_elements=keys, set_=overwritten)


def _insert(row: type[SQLModel], sqlite_is_meant: bool) -> Insert:
    return sqlite.insert(table_of(row)) if sqlite_is_meant else postgresql.insert(table_of(row))


def on_sqlite(session: Session) -> bool:
    return session.get_bind().dialect.name == "sqlite"
