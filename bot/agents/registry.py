"""Adding, confirming, rotating and removing agents. Every admin hears of it; no secret is stored."""

from datetime import datetime

from sqlmodel import Session

from storage import agent as agents
from storage.agent import Agent
from storage.columns import JsonObject
from storage.outbox import Letter, redraw, send
from storage.trail import Event, record

BY_COMMAND = "command line"
"""The actor of what is done by whoever may use the service's machine."""


class AgentError(Exception):
    """It was not done; the message says why."""


def add(session: Session, name: str, owner: str, admins: frozenset[str], now: datetime) -> Agent:
    """Add an agent. It can do nothing until its owner has pressed *Yes, mine*. Raises AgentError."""
    added = agents.add_agent(session, name, owner, BY_COMMAND, now)
    if added is None:
        raise AgentError(f"There is an agent {name} already. `agent rotate {name}` gives it a new secret.")
    _tell(session, "agent_added", added, admins, now)
    send(session, _question(added), now)
    return added


def confirm(session: Session, name: str, by: str, now: datetime) -> None:
    """*Yes, mine*, pressed by somebody: only the owner's counts. Raises AgentError."""
    known = agents.agent(session, name)
    if known is None:
        raise AgentError(f"The agent {name} has been removed.")
    if known.owner != by:
        raise AgentError(f"Only <@{known.owner}> can say that {name} is theirs.")
    if agents.confirm_agent(session, name, now):
        record(session, Event(now, by, "agent.confirmed", name, {"owner": by}))
        redraw(session, send(session, _question(known), now), now)


def rotate(session: Session, name: str, admins: frozenset[str], now: datetime) -> Agent:
    """Give it a new secret; the old one is good for another day. Raises AgentError."""
    rotated = agents.rotate_agent(session, name, now)
    if rotated is None:
        raise _unknown(name)
    _tell(session, "agent_rotated", rotated, admins, now)
    return rotated


def remove(session: Session, name: str, admins: frozenset[str], now: datetime) -> None:
    """Its secrets are worth nothing from now on; its pods stay as they are. Raises AgentError."""
    known = agents.agent(session, name)
    if known is None:
        raise _unknown(name)
    agents.remove_agent(session, name, now)
    _tell(session, "agent_removed", known, admins, now)


def state_of(known: Agent) -> str:
    """In a word, whether it can do anything."""
    if known.suspended_at is not None:
        return "suspended"
    return "unconfirmed" if known.confirmed_at is None else "confirmed"


def _tell(session: Session, kind: str, about: Agent, admins: frozenset[str], now: datetime) -> None:
    """Record it and tell every admin, in the transaction of the change."""
    facts: JsonObject = {"agent": about.name, "owner": about.owner, "generation": about.generation}
    record(session, Event(now, BY_COMMAND, kind.replace("_", "."), about.name, facts))
    for admin in sorted(admins):
        send(session, Letter(f"{kind}/{_key(about)}/{admin}", admin, kind, facts), now)


def _question(about: Agent) -> Letter:
    return Letter(f"agent-confirm/{_key(about)}", about.owner, "agent_confirm", {"agent": about.name})


def _key(about: Agent) -> str:
    return f"{about.name}/{about.generation}"


def _unknown(name: str) -> AgentError:
    return AgentError(f"There is no agent {name}. `agent list` shows those there are.")
