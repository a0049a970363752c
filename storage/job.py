"""The clocks' memory: slots that were won, the last pass of each job."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Field, Session, SQLModel, col, func, select

from storage.columns import Instant, MaybeTime, MaybeWords, Time
from storage.rows import change, insert_new, put, read


class SlotRow(SQLModel, table=True):
    """One scheduled instant of a job, won by whoever wrote this row first."""

    __tablename__ = "slot"

    job: str = Field(primary_key=True)
    slot: Time = Field(primary_key=True, sa_type=Instant)
    won_at: Time


class JobPassRow(SQLModel, table=True):
    """The last pass of a job."""

    __tablename__ = "job_pass"

    job: str = Field(primary_key=True)
    started_at: Time
    ended_at: MaybeTime = None
    complete: bool | None = None
    sentence: MaybeWords = None


@dataclass(frozen=True, slots=True)
class JobPass:
    """The last pass of a job: still going on if `ended_at` is None; `sentence` says what it saw and did."""

    job: str
    started_at: datetime
    ended_at: datetime | None
    complete: bool | None
    sentence: str | None


def win_slot(session: Session, job: str, slot: datetime, now: datetime) -> bool:
    """Be the one who does a job for this scheduled instant. False if somebody else is."""
    return insert_new(session, SlotRow, {"job": job, "slot": slot, "won_at": now})


def last_slot(session: Session, job: str) -> datetime | None:
    """The latest scheduled instant of a job that was won."""
    return session.exec(select(func.max(SlotRow.slot, type_=Instant)).where(SlotRow.job == job)).one()


def pass_started(session: Session, job: str, at: datetime) -> None:
    begun = {"job": job, "started_at": at, "ended_at": None, "complete": None, "sentence": None}
    put(session, JobPassRow, begun)


def pass_ended(session: Session, job: str, at: datetime, *, complete: bool, sentence: str | None) -> None:
    this = col(JobPassRow.job) == job
    change(session, JobPassRow, this, ended_at=at, complete=complete, sentence=sentence)


def passes(session: Session) -> dict[str, JobPass]:
    """The last pass of every job, by its name."""
    return {last.job: last for last in read(session, JobPass, JobPassRow)}
