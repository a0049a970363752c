"""The current verdict of each pod, kept so that a change is seen, recorded and said once."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import select
from sqlmodel import Field, Session, SQLModel, col, delete

from storage.columns import Time
from storage.rows import CHUNK, put_all, read, table_of


class VerdictRow(SQLModel, table=True):
    """`since`: when the verdict, its reason or what holds it last changed."""

    __tablename__ = "verdict"

    pod_id: str = Field(primary_key=True)
    verdict: str
    reason: str
    held: str | None = None
    since: Time


@dataclass(frozen=True, slots=True)
class CurrentVerdict:
    """What was last said of a pod, as codes of the contract (`audit --json`)."""

    pod_id: str
    verdict: str
    reason: str
    held: str | None
    since: datetime


Codes = tuple[str, str, str | None]
"""A verdict, its reason and what holds it."""


def current_verdicts(session: Session) -> dict[str, CurrentVerdict]:
    """By pod id."""
    return {current.pod_id: current for current in read(session, CurrentVerdict, VerdictRow)}


def last_said(session: Session) -> dict[str, Codes]:
    """By pod id, and nothing but the codes: a large pass compares a hundred thousand."""
    said = table_of(VerdictRow).c
    found = session.connection().execute(select(said.pod_id, said.verdict, said.reason, said.held))
    return {pod_id: (verdict, reason, held) for pod_id, verdict, reason, held in found.all()}


def put_verdicts(session: Session, changed: Iterable[CurrentVerdict]) -> None:
    """Write down the verdicts that changed."""
    put_all(session, VerdictRow, [asdict(current) for current in changed])


def forget_verdicts(session: Session, pod_ids: Iterable[str]) -> None:
    """These pods are gone and no longer listed."""
    gone = sorted(pod_ids)
    for start in range(0, len(gone), CHUNK):
        session.exec(delete(VerdictRow).where(col(VerdictRow.pod_id).in_(gone[start : start + CHUNK])))
