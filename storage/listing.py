"""The last listings, and what is remembered from one to the next."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, TypeVar

from pydantic import TypeAdapter
from sqlmodel import Field, Session, SQLModel, col, delete, func, select

from storage.columns import Instant, Json, MaybeTime, MaybeWords, Time
from storage.rows import insert_new, put, read, table_of

T = TypeVar("T")

KEPT = 20
_ADAPTERS: dict[object, TypeAdapter[Any]] = {}


class ListingPassRow(SQLModel, table=True):
    """One listing. Only the last few are kept, and the last complete one."""

    __tablename__ = "listing_pass"

    at: Time = Field(primary_key=True, sa_type=Instant)
    provider_at: MaybeTime = None
    whole: bool
    complete: bool
    pods: int
    sentence: MaybeWords = None


class RememberedRow(SQLModel, table=True):
    """A small state by name, such as what we think of the provider's word just now."""

    __tablename__ = "remembered"

    name: str = Field(primary_key=True)
    state: Json
    at: Time


@dataclass(frozen=True, slots=True)
class ListingPass:
    """One listing, as it was judged. `sentence`: why it is not complete."""

    at: datetime
    provider_at: datetime | None
    whole: bool
    complete: bool
    pods: int
    sentence: str | None = None


def record_listing(session: Session, listing: ListingPass) -> bool:
    """Write down a listing and forget the oldest. False if this very one was written before: whoever wrote it
    has dealt with it."""
    is_new = insert_new(session, ListingPassRow, asdict(listing))
    at = table_of(ListingPassRow).c.at
    oldest_kept = select(at).order_by(at.desc()).limit(1).offset(KEPT - 1).scalar_subquery()
    whole = select(func.max(at)).where(col(ListingPassRow.complete)).scalar_subquery()
    session.exec(delete(ListingPassRow).where(at < oldest_kept, whole.is_(None) | (at != whole)))
    return is_new


def last_listings(session: Session, limit: int = KEPT) -> list[ListingPass]:
    """The newest first."""
    return read(session, ListingPass, ListingPassRow, order_by=[col(ListingPassRow.at).desc()], limit=limit)


def last_complete(session: Session) -> datetime | None:
    """When the account was last seen whole, however many listings ago; None: never."""
    whole = select(func.max(ListingPassRow.at, type_=Instant)).where(col(ListingPassRow.complete))
    return session.exec(whole).one()


def remember(session: Session, name: str, state: object, at: datetime) -> None:
    """Keep a small state: anything that pydantic can write as a JSON object."""
    written = _adapter(type(state)).dump_python(state, mode="json")
    put(session, RememberedRow, {"name": name, "state": written, "at": at})


def recall(session: Session, name: str, kind: type[T]) -> T | None:
    """The state of that name. None if there is none.

    Raises `pydantic.ValidationError` if it is damaged.
    """
    state = session.exec(select(RememberedRow.state).where(RememberedRow.name == name)).first()
    return None if state is None else _adapter(kind).validate_python(state, strict=False)


def _adapter(kind: type[T]) -> TypeAdapter[T]:
    """Every look and every pass asks for the same few, and making one takes longer than a query."""
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]
