"""What the agents' door needs to do its work; the composition root fills it in."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlmodel import Session

from bot.agents.events import Event
from bot.agents.rates import Rates
from bot.provision.pricing import Catalogue
from bot.provision.terms import Terms
from pods.clock import Clock
from storage.agent import Agent, actor_of
from storage.columns import JsonObject
from storage.database import Database

Wake = Callable[[str], None]
"""A hint that a job has something to look at: `provisions`, `executor`, `outbox` or `observe`."""

Audit = Callable[[str | None], Awaitable[JsonObject]]
"""The audit of the whole fleet, or of the one pod with this id; the shape of `audit --json`."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What holds for agents. Plain values from the settings."""

    keep_max: timedelta
    claim_settle: timedelta
    approval_expires: timedelta
    terminate_wait: timedelta
    ends_per_day: int
    ops_channel: str


@dataclass(frozen=True, slots=True)
class Door:
    """Everything that answers an agent."""

    database: Database
    clock: Clock
    master_key: bytes
    rates: Rates
    rules: Rules
    terms: Terms
    catalogue: Catalogue
    audit: Audit
    wake: Wake
    remembered: dict[str, Agent] = field(default_factory=dict)
    """Agents as they were read last, so that a signature can be checked before the database is asked."""


@dataclass(frozen=True, slots=True)
class Call:
    """One event of one confirmed agent, inside the transaction that takes it down."""

    session: Session
    agent: Agent
    id: str
    """The webhook-id."""
    event: Event
    now: datetime
    rules: Rules
    terms: Terms

    @property
    def actor(self) -> str:
        """The agent, as the trail and the deeds name it."""
        return actor_of(self.agent.name)


@dataclass(frozen=True, slots=True)
class Done:
    """What an event has come to, as `GET …/requests/{id}` tells it; `wakes`: what is to be looked at now."""

    state: str = "done"
    exit_code: int | None = 0
    text: str = "Noted."
    pod_id: str | None = None
    provision_id: str | None = None
    deed_id: str | None = None
    asked: str | None = None
    wakes: tuple[str, ...] = ()
