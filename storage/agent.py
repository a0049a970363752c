"""Coding agents, what they asked for and were first answered, and their notes."""

from sqlmodel import Field, SQLModel

from storage.columns import Json, MaybeTime, MaybeWords, Time, Words


class AgentRow(SQLModel, table=True):
    """An agent. Its secret is derived from the secret file, the name and the generation; none is stored."""

    __tablename__ = "agent"

    name: str = Field(primary_key=True)
    owner: str = Field(index=True)
    added_by: str
    added_at: Time
    generation: int = 1
    rotated_at: MaybeTime = None
    confirmed_at: MaybeTime = None
    suspended_at: MaybeTime = None
    removed_at: MaybeTime = None
    last_seen_at: MaybeTime = None


class AgentRequestRow(SQLModel, table=True):
    """An accepted event, by its webhook-id, with the first answer as it was given and what came of it."""

    __tablename__ = "agent_request"

    agent: str = Field(primary_key=True)
    id: str = Field(primary_key=True)
    type: str
    state: str
    exit_code: int | None = None
    text: MaybeWords = None
    pod_id: str | None = None
    provision_id: str | None = None
    asked: str | None = None
    answer: Json
    at: Time
    updated_at: Time


class NoteRow(SQLModel, table=True):
    """What an agent wrote. Evidence of nothing."""

    __tablename__ = "note"

    id: str = Field(primary_key=True)
    agent: str = Field(index=True)
    at: Time
    task: MaybeWords = None
    text: Words
