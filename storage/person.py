"""People of the Slack workspace, as they were when last asked for."""

from sqlmodel import Field, SQLModel

from storage.columns import MaybeWords, Time


class PersonRow(SQLModel, table=True):
    """Slack's `user` object, as far as it matters here. None means unknown."""

    __tablename__ = "person"

    user_id: str = Field(primary_key=True)
    name: MaybeWords = None
    team_id: str | None = None
    timezone: str | None = None
    deleted: bool | None = None
    bot: bool | None = None
    guest: bool | None = None
    stranger: bool | None = None
    fetched_at: Time
