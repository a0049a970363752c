"""The answer of one decision: the row to write, and the one thing to do after it is written."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from pods.provision.effects import Effect
from pods.provision.outcomes import Outcome
from pods.provision.stages import Stage
from pods.provision.value import Provision


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing to do now: look again at `until` by our clock, or after `pause` of real time if sooner."""

    until: datetime
    why: str
    pause: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Do:
    """Write the row, do this, and decide again with the answer."""

    effect: Effect


@dataclass(frozen=True, slots=True)
class Advance:
    """Write the row, which is in another stage now, and decide again."""

    stage: Stage


@dataclass(frozen=True, slots=True)
class Finish:
    """The provision has its outcome. Final but for a retry."""

    outcome: Outcome


Act = Wait | Do | Advance | Finish


@dataclass(frozen=True, slots=True)
class Decision:
    provision: Provision
    act: Act


@dataclass(frozen=True, slots=True)
class Policy:
    """The waits, taken from the settings."""

    ssh_wait: timedelta = timedelta(minutes=20)
    bootstrap_wait: timedelta = timedelta(minutes=50)
    preflight_wait: timedelta = timedelta(minutes=10)
    terminate_wait: timedelta = timedelta(minutes=2)
    create_settle: timedelta = timedelta(minutes=3)
    hard_cap: timedelta = timedelta(minutes=60)
    """Nothing extends the SSH wait beyond this age of the pod."""
    max_gap: timedelta = timedelta(minutes=5)
    """A longer pause between two looks is a gap."""
    poll: timedelta = timedelta(seconds=2)
