"""The column types that every table uses: instants, free text, JSON."""

import re
from datetime import UTC, datetime
from functools import lru_cache
from typing import Annotated, Any

from pydantic import JsonValue
from sqlalchemy import JSON, ColumnElement, DateTime, Dialect, String, Text, TypeDecorator, literal
from sqlalchemy.types import TypeEngine
from sqlmodel import Field, SQLModel

JsonObject = dict[str, JsonValue]

SQLModel.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
"""NUL, which PostgreSQL does not take, and halves of surrogate pairs, which are no UTF-8."""


class NaiveTimeError(ValueError):
    """A time without a zone was about to be stored. Nothing was written."""


class Instant(TypeDecorator[datetime]):
    """An instant, aware and in UTC on both sides.

    PostgreSQL keeps it as `timestamptz`. SQLite keeps it as text of a fixed width, which sorts as time does,
    can be read by a person and is parsed in C. Raises NaiveTimeError for a time without a zone.
    """

    impl = DateTime(timezone=True)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return String(32) if dialect.name == "sqlite" else DateTime(timezone=True)

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        if value is None:
            return None
        if value.tzinfo is None:
            raise NaiveTimeError(f"{value!r} has no time zone; times are stored aware, in UTC.")
        instant = value.astimezone(UTC)
        return instant.isoformat(" ", "microseconds") if dialect.name == "sqlite" else instant

    def result_processor(self, dialect: Dialect, coltype: object) -> Any:  # noqa: ARG002
        """The driver of PostgreSQL gives aware UTC by itself, so only SQLite's text is parsed."""
        return _instant_of if dialect.name == "sqlite" else None


def moment(at: datetime | None) -> ColumnElement[datetime]:
    """A time as part of an expression. Written bare, it would lose its zone on SQLite."""
    return literal(at, Instant)


@lru_cache(4096)
def _instant_of(text: str | None) -> datetime | None:
    """Most times of a fleet are the few moments at which somebody looked."""
    return None if text is None else datetime.fromisoformat(text)


class FreeText(TypeDecorator[str]):
    """Words of people, agents or the provider. Never evidence: what judges ownership reads no such column."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Somebody's words are never a reason to lose them: what a database cannot hold is marked."""
        return None if value is None else _UNSTORABLE.sub("\ufffd", value)


JSON_TYPE = JSON(none_as_null=True)

Time = Annotated[datetime, Field(sa_type=Instant)]
MaybeTime = Annotated[datetime | None, Field(sa_type=Instant)]
Words = Annotated[str, Field(sa_type=FreeText)]
MaybeWords = Annotated[str | None, Field(sa_type=FreeText)]
Json = Annotated[JsonObject, Field(sa_type=JSON_TYPE)]
MaybeJson = Annotated[JsonObject | None, Field(sa_type=JSON_TYPE)]
JsonList = Annotated[list[JsonValue], Field(sa_type=JSON_TYPE)]
