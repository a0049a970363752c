"""People of the Slack workspace, as they were when last asked for."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlmodel import Field, Session, SQLModel, col

from storage.columns import MaybeWords, Time
from storage.rows import put_all, read, read_one


class PersonRow(SQLModel, table=True):
    """Slack's `user` object, as far as it matters here. None means unknown."""

    __tablename__ = "person"

    user_id: str = Field(primary_key=True)
    name: MaybeWords = None
    team_id: str | None = None
    timezone: str | None = None
    deleted: bool | None = None
    bot: bool | None = None
    guest: bool | None = None
    stranger: bool | None = None
    fetched_at: Time


@dataclass(frozen=True, slots=True)
class Person:
    """`guest`: single- or multi-channel; `stranger`: of another workspace; `timezone`: an IANA name."""

    user_id: str
    name: str | None
    team_id: str | None
    timezone: str | None
    deleted: bool | None
    bot: bool | None
    guest: bool | None
    stranger: bool | None
    fetched_at: datetime


def put_people(session: Session, people: Iterable[Person]) -> None:
    """Write down what Slack said of these people."""
    put_all(session, PersonRow, [asdict(person) for person in people])


def person(session: Session, user_id: str) -> Person | None:
    return read_one(session, Person, PersonRow, col(PersonRow.user_id) == user_id)


def may_rent(session: Session, user_id: str) -> bool:
    """Whether nothing is known that speaks against it. Who is unknown is asked about before a create."""
    known = person(session, user_id)
    return known is None or not (known.deleted or known.bot or known.guest or known.stranger)


def people(session: Session) -> dict[str, Person]:
    """Everybody we ever asked about, by user id."""
    return {one.user_id: one for one in read(session, Person, PersonRow)}
