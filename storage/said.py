"""What was said of which state, and when: so that everything is said at its time and nothing twice."""

from dataclasses import asdict, dataclass
from datetime import datetime

from sqlmodel import Field, Session, SQLModel, delete

from storage.columns import Instant, Time
from storage.rows import insert_new, read, table_of


class SaidRow(SQLModel, table=True):
    """That a state of something, counted from `since`, was said for the n-th time."""

    __tablename__ = "said"

    subject: str = Field(primary_key=True)
    state: str = Field(primary_key=True)
    since: Time = Field(primary_key=True, sa_type=Instant)
    n: int = Field(primary_key=True)
    at: Time


@dataclass(frozen=True, slots=True)
class Said:
    """`subject` is a pod, provision or deed; `state` a row of the table of who hears; n counts from 1."""

    subject: str
    state: str
    since: datetime
    n: int
    at: datetime


def note_said(session: Session, said: Said) -> bool:
    """Be the one who says it. False if it was said before."""
    return insert_new(session, SaidRow, asdict(said))


def said(session: Session) -> dict[tuple[str, str], list[Said]]:
    """What was said of every state of every subject, the first first."""
    columns = table_of(SaidRow).c
    by_state: dict[tuple[str, str], list[Said]] = {}
    for one in read(session, Said, SaidRow, order_by=[columns.since, columns.n]):
        by_state.setdefault((one.subject, one.state), []).append(one)
    return by_state


def forget_said(session: Session, subject: str) -> None:
    """The subject is gone for good: nothing will be said of it again."""
    session.exec(delete(SaidRow).where(table_of(SaidRow).c.subject == subject))
