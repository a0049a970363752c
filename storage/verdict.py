"""The current verdict of each pod, kept so that a change is seen, recorded and said once."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlmodel import Field, Session, SQLModel, col, delete

from storage.columns import Time
from storage.rows import CHUNK, put_all, table_of


class VerdictRow(SQLModel, table=True):
    """`since`: when the verdict, its reason or what holds it last changed."""

    __tablename__ = "verdict"

    pod_id: str = Field(primary_key=True)
    verdict: str
    reason: str
    held: str | None = None
    since: Time


class CurrentVerdict(NamedTuple):
    """What was last said of a pod, as codes of the contract (`audit --json`).

    A named tuple, because a large pass reads a hundred thousand.
    """

    pod_id: str
    verdict: str
    reason: str
    held: str | None
    since: datetime


def current_verdicts(session: Session) -> dict[str, CurrentVerdict]:
    """By pod id."""
    columns = table_of(VerdictRow).c
    found = session.connection().execute(select(*(columns[name] for name in CurrentVerdict._fields))).all()
    return {row[0]: CurrentVerdict(*row) for row in found}


def put_verdicts(session: Session, changed: Iterable[CurrentVerdict]) -> None:
    """Write down the verdicts that changed."""
    put_all(session, VerdictRow, [current._asdict() for current in changed])


def forget_verdicts(session: Session, pod_ids: Iterable[str]) -> None:
    """These pods are gone and no longer listed."""
    gone = sorted(pod_ids)
    for start in range(0, len(gone), CHUNK):
        session.exec(delete(VerdictRow).where(col(VerdictRow.pod_id).in_(gone[start : start + CHUNK])))
