"""Switches that people set: armed, paused, and the like, each with who and when."""

from sqlmodel import Field, SQLModel

from storage.columns import Time


class SwitchRow(SQLModel, table=True):
    """A switch by name; one that was never set is off."""

    __tablename__ = "switch"

    key: str = Field(primary_key=True)
    value: str
    set_by: str
    set_at: Time
