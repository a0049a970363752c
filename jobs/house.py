"""What every job and every door is given: the real things, built once by the composition root."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Protocol

from gateways.runpod.protocol import RunPod
from gateways.runpod.shared import SharedCatalogue, SharedListing
from gateways.runpod.status_text import Lost, StatusTexts
from gateways.slack.protocol import Slack
from gateways.ssh.client import Ssh
from gateways.wall import Wall
from jobs.wakes import Wakes
from pods.ceilings import Ceilings
from pods.order import OrderDefaults
from pods.policy import Policy
from pods.provision.decision import Policy as Waits
from storage.database import Database


class SecondWitness(Protocol):
    """RunPod's status texts, as far as they can be had."""

    async def texts(self, known: frozenset[str]) -> StatusTexts | Lost:
        """Pod id → text, to the letter, or why there is none."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedules:
    """When the clocks run. Cron expressions are read in `zone`, an IANA name."""

    zone: str = "UTC"
    quiet_hours: str = "21:00-08:00"
    observe_every: timedelta = timedelta(seconds=60)
    stale_audit: str = "37 9 * * *"
    digest: str = "0 9 * * mon-fri"
    unowned: str = "0 10 * * mon"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """How long questions, yeses and keeps hold."""

    expires: timedelta = timedelta(days=7)
    execute_by: timedelta = timedelta(hours=1)
    undo: timedelta = timedelta(seconds=10)
    keep_max: timedelta = timedelta(days=14)
    terminate_wait: timedelta = timedelta(minutes=2)


@dataclass(frozen=True, slots=True, kw_only=True)
class OnPod:
    """What runs on the pods that we rent."""

    bootstrap_script: Path | None = None
    preflight_script: Path | None = None
    preflight_imports: tuple[str, ...] = ()
    git_token_file: Path | None = None
    account_keys: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """The outside world, the memory, the clock and the settings, as plain values."""

    clock: Wall
    monotonic: Callable[[], float] = time.monotonic
    """Seconds that nobody can set: a clock that moved otherwise has jumped."""
    db: Database
    runpod: RunPod
    listing: SharedListing
    witness: SecondWitness
    ssh: Ssh
    public_key: str
    """The service's own SSH public key, one line."""
    slack: Slack
    ops_channel: str
    admins: frozenset[str]
    policy: Policy = field(default_factory=Policy)
    waits: Waits = field(default_factory=Waits)
    defaults: OrderDefaults
    schedules: Schedules = field(default_factory=Schedules)
    answers: Answers = field(default_factory=Answers)
    ceilings: Ceilings = field(default_factory=Ceilings)
    on_pod: OnPod = field(default_factory=OnPod)
    agent_events_per_minute: int = 600
    faults_here: Callable[[], tuple[str, ...]] = tuple
    """What is wrong on the service's own machine, a sentence each; it blocks while it looks."""
    wakes: Wakes = field(default_factory=Wakes)
    catalogue: SharedCatalogue = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "catalogue", SharedCatalogue(self.runpod, self.clock))
