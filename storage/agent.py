"""Coding agents. No secret is here: it is derived from the secret file, the name and the generation."""

from dataclasses import dataclass, fields
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, select
from sqlmodel import Field, Session, SQLModel, col

from storage.columns import MaybeTime, Time
from storage.rows import change, insert_new, read, table_of


class AgentRow(SQLModel, table=True):
    """An agent by its name. A name that was removed can be added again, with another secret."""

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


@dataclass(frozen=True, slots=True)
class Agent:
    """`generation` counts the secrets that were given out; the one before is valid for a while after
    `rotated_at`."""

    name: str
    owner: str
    added_by: str
    added_at: datetime
    generation: int
    rotated_at: datetime | None
    confirmed_at: datetime | None
    suspended_at: datetime | None
    last_seen_at: datetime | None


def add_agent(session: Session, name: str, owner: str, added_by: str, at: datetime) -> Agent | None:
    """Add an agent, unconfirmed. None if there is one of that name."""
    new = {"name": name, "owner": owner, "added_by": added_by, "added_at": at, "generation": 1}
    if not insert_new(session, AgentRow, new):
        generation = table_of(AgentRow).c.generation + 1
        nothing_yet = dict.fromkeys(
            ("rotated_at", "confirmed_at", "suspended_at", "removed_at", "last_seen_at")
        )
        removed = (col(AgentRow.name) == name) & col(AgentRow.removed_at).is_not(None)
        again = {**new, **nothing_yet, "generation": generation}
        if change(session, AgentRow, removed, **again) == 0:
            return None
    return agent(session, name)


def agent(session: Session, name: str) -> Agent | None:
    """The agent of that name, if it was not removed."""
    found = session.connection().execute(_by_name(), {"wanted": name}).first()
    return Agent(*found) if found else None


def agents(session: Session, owner: str | None = None) -> list[Agent]:
    """Every agent, or those of one owner, by name."""
    where: list[ColumnElement[bool]] = [col(AgentRow.removed_at).is_(None)]
    if owner is not None:
        where.append(col(AgentRow.owner) == owner)
    return read(session, Agent, AgentRow, *where, order_by=[col(AgentRow.name)])


def actor_of(name: str) -> str:
    """An agent, as the trail, the keeps and the deeds name it."""
    return f"agent:{name}"


def actors_of(session: Session, owner: str) -> list[str]:
    """Every agent that this person has, or had before it was removed."""
    columns = table_of(AgentRow).c
    named = session.connection().execute(select(columns.name).where(columns.owner == owner))
    return [actor_of(name) for name in named.scalars()]


def confirm_agent(session: Session, name: str, at: datetime) -> bool:
    """Its owner said yes. False if it is unknown or was confirmed before."""
    return (
        change(session, AgentRow, _present(name), col(AgentRow.confirmed_at).is_(None), confirmed_at=at) == 1
    )


def rotate_agent(session: Session, name: str, at: datetime) -> Agent | None:
    """Give it a new secret. None if it is unknown."""
    newer = table_of(AgentRow).c.generation + 1
    changed = change(session, AgentRow, _present(name), generation=newer, rotated_at=at)
    return agent(session, name) if changed else None


def remove_agent(session: Session, name: str, at: datetime) -> bool:
    """False if it is unknown."""
    return change(session, AgentRow, _present(name), removed_at=at) == 1


def suspend_agents(session: Session, owner: str, at: datetime | None) -> int:
    """Suspend every agent of an owner, or with None end that. Returns how many it changed."""
    other = col(AgentRow.suspended_at).is_(None) if at else col(AgentRow.suspended_at).is_not(None)
    return change(session, AgentRow, col(AgentRow.owner) == owner, other, suspended_at=at)


def agent_seen(session: Session, name: str, at: datetime) -> None:
    """A signed event of it came in."""
    change(session, AgentRow, col(AgentRow.name) == name, last_seen_at=at)


@cache
def _by_name() -> Select[*tuple[Any, ...]]:
    """Every event of an agent asks for it: built once, for building takes longer than running."""
    columns = table_of(AgentRow).c
    wanted = [columns[field.name] for field in fields(Agent)]
    return select(*wanted).where(columns.name == bindparam("wanted"), columns.removed_at.is_(None))


def _present(name: str) -> ColumnElement[bool]:
    return (col(AgentRow.name) == name) & col(AgentRow.removed_at).is_(None)
