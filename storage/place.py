"""Places where a pod of ours did not come up, avoided for a while."""

from datetime import datetime

from sqlmodel import Field, Session, SQLModel, select

from storage.columns import Time
from storage.rows import put


class BadPlaceRow(SQLModel, table=True):
    """A GPU type in a data centre, to be avoided until then."""

    __tablename__ = "bad_place"

    gpu: str = Field(primary_key=True)
    data_center: str = Field(primary_key=True)
    until: Time
    provision_id: str


def avoid(session: Session, gpu: str, data_center: str, until: datetime, provision_id: str) -> None:
    """A pod of this provision did not come up there."""
    bad = {"gpu": gpu, "data_center": data_center, "until": until, "provision_id": provision_id}
    put(session, BadPlaceRow, bad)


def bad_places(session: Session, now: datetime) -> set[tuple[str, str]]:
    """The pairs of GPU type and data centre to be avoided now."""
    avoided = select(BadPlaceRow.gpu, BadPlaceRow.data_center).where(BadPlaceRow.until > now)
    return set(session.exec(avoided).all())
