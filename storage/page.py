"""Lists that somebody pages through: what was listed, and where they are."""

from dataclasses import asdict, dataclass
from datetime import datetime

from sqlmodel import Field, Session, SQLModel, col

from storage.columns import Instant, Json, JsonObject, Time
from storage.rows import put, read_one


class PageRow(SQLModel, table=True):
    """One shown list. Its buttons carry its id."""

    __tablename__ = "page"

    id: str = Field(primary_key=True)
    kind: str
    shown_to: str
    items: Json
    position: int = 0
    at: Time = Field(sa_type=Instant, index=True)


@dataclass(frozen=True, slots=True)
class Page:
    """A list as it was when it was shown, and the index of its first shown item."""

    id: str
    kind: str
    shown_to: str
    items: JsonObject
    position: int
    at: datetime


def put_page(session: Session, page: Page) -> None:
    """Keep a list, or where somebody is in it."""
    put(session, PageRow, asdict(page))


def page(session: Session, page_id: str) -> Page | None:
    return read_one(session, Page, PageRow, col(PageRow.id) == page_id)
