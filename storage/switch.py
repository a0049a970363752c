"""Switches that people set: armed, paused, and the like, each with who and when."""

from dataclasses import asdict, dataclass
from datetime import datetime

from sqlmodel import Field, Session, SQLModel, select

from storage.columns import Time
from storage.rows import put, read


class SwitchRow(SQLModel, table=True):
    """A switch by name; one that was never set is off."""

    __tablename__ = "switch"

    key: str = Field(primary_key=True)
    value: str
    set_by: str
    set_at: Time


@dataclass(frozen=True, slots=True)
class Switch:
    """What it is set to, by whom and since when."""

    key: str
    value: str
    set_by: str
    set_at: datetime


def set_switch(session: Session, switch: Switch) -> None:
    put(session, SwitchRow, asdict(switch))


def switches(session: Session) -> dict[str, Switch]:
    """Every switch that was ever set, by its key."""
    return {switch.key: switch for switch in read(session, Switch, SwitchRow)}


def is_on(session: Session, key: str) -> bool:
    """Whether a switch is `on`; one that was never set is off."""
    return session.exec(select(SwitchRow.value).where(SwitchRow.key == key)).first() == "on"
