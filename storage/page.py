"""Lists that somebody pages through: what was listed, and where they are."""

from sqlmodel import Field, SQLModel

from storage.columns import Instant, Json, Time


class PageRow(SQLModel, table=True):
    """One shown list. Its buttons carry its id."""

    __tablename__ = "page"

    id: str = Field(primary_key=True)
    kind: str
    shown_to: str
    items: Json
    position: int = 0
    at: Time = Field(sa_type=Instant, index=True)
