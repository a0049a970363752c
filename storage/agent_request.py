"""What agents asked for, what they were first answered, what came of it; and their notes."""

from dataclasses import asdict, dataclass
from datetime import datetime

from sqlmodel import Field, Session, SQLModel, col

from storage.columns import Json, JsonObject, MaybeWords, Time, Words
from storage.rows import Values, change, insert_new, read_one


class AgentRequestRow(SQLModel, table=True):
    """An accepted event, by its webhook-id."""

    __tablename__ = "agent_request"

    agent: str = Field(primary_key=True)
    id: str = Field(primary_key=True)
    type: str
    state: str
    exit_code: int | None = None
    text: MaybeWords = None
    pod_id: str | None = Field(default=None, index=True)
    provision_id: str | None = Field(default=None, index=True)
    deed_id: str | None = Field(default=None, index=True)
    asked: str | None = None
    answer: Json
    at: Time
    updated_at: Time


class NoteRow(SQLModel, table=True):
    """What an agent wrote. Evidence of nothing."""

    __tablename__ = "note"

    agent: str = Field(primary_key=True)
    id: str = Field(primary_key=True)
    at: Time
    task: MaybeWords = None
    text: Words


@dataclass(frozen=True, slots=True)
class AgentRequest:
    """`id` is the webhook-id. `answer` is the first answer as it was given; `state` as in the contract."""

    agent: str
    id: str
    type: str
    state: str
    exit_code: int | None
    text: str | None
    pod_id: str | None
    provision_id: str | None
    deed_id: str | None
    asked: str | None
    answer: JsonObject
    at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Note:
    """`id` is the webhook-id that it came with."""

    agent: str
    id: str
    at: datetime
    task: str | None
    text: str


def accept(session: Session, request: Values) -> bool:
    """Write down an event with its answer, column by column. False if this webhook-id came before."""
    return insert_new(session, AgentRequestRow, request)


def request_of(session: Session, agent: str, request_id: str) -> AgentRequest | None:
    this = (col(AgentRequestRow.agent) == agent) & (col(AgentRequestRow.id) == request_id)
    return read_one(session, AgentRequest, AgentRequestRow, this)


def update_request(session: Session, agent: str, request_id: str, at: datetime, **changes: object) -> None:
    """What came of a request: any of state, exit_code, text, pod_id, provision_id, deed_id, asked."""
    this = (col(AgentRequestRow.agent) == agent) & (col(AgentRequestRow.id) == request_id)
    change(session, AgentRequestRow, this, updated_at=at, **changes)


def write_note(session: Session, note: Note) -> bool:
    """False if it was written before."""
    return insert_new(session, NoteRow, asdict(note))


def note(session: Session, agent: str, note_id: str) -> Note | None:
    return read_one(session, Note, NoteRow, (col(NoteRow.agent) == agent) & (col(NoteRow.id) == note_id))
