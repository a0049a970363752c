"""The current verdict of each pod, kept so that a change is seen, recorded and said once."""

from sqlmodel import Field, SQLModel

from storage.columns import MaybeTime, Time


class VerdictRow(SQLModel, table=True):
    """`since`: when the verdict, its reason or what holds it last changed."""

    __tablename__ = "verdict"

    pod_id: str = Field(primary_key=True)
    verdict: str
    reason: str
    held: str | None = None
    since: Time
    changes_at: MaybeTime = None
