"""The clocks' memory: slots that were won, the last pass of each job."""

from sqlmodel import Field, SQLModel

from storage.columns import Instant, MaybeTime, MaybeWords, Time


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
