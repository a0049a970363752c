"""The executor's guards as data: a path that is not in this table cannot end a pod.

What holds for every path stands in `EVERYWHERE`; what each path needs beyond that, what a keep does to
it, whether it needs arming, what a pause does to it and which limit counts it, stands in its row.
`pods.permission` reads this table; there is no other place where a path is allowed anything.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Path(StrEnum):
    """The ways in which a pod can be ended or stopped, each with its own guards."""

    PROVISION_TEARDOWN = "provision_teardown"
    """A provision's own teardown, before the pod was reached."""
    PROVISION_CANCEL = "provision_cancel"
    """A provision called off before its pod was reached."""
    FENCE = "fence"
    OWNER = "owner"
    """The owner's `/pod terminate`, or the owner's yes on a card."""
    ADMIN = "admin"
    """An admin ends somebody else's pod."""
    AGENT = "agent"
    """An agent's `pod.terminate`."""
    NEVER_RAN = "never_ran"
    STALE = "stale"
    STOP = "stop"
    """`/pod stop` or *Stop*: it wipes the container disk."""


class Need(StrEnum):
    """A fact without which a path is closed."""

    NOT_LOCKED = "not_locked"
    NOT_IN_CLUSTER = "not_in_cluster"
    FINGERPRINT_UNCHANGED = "fingerprint_unchanged"
    """The pod, read again by its id, is in the state for which this was decided."""
    CLOCK_SOUND = "clock_sound"
    """Our clock agrees with RunPod's and has not jumped."""
    OPS_CHANNEL = "ops_channel"
    """The ops channel can be reached: nothing is ended by a clock where nobody hears of it."""
    BOUND_TO_PROVISION = "bound_to_provision"
    """The pod id is bound to this very provision."""
    NEVER_REACHED = "never_reached"
    PROVED = "proved"
    NO_CONFLICT = "no_conflict"
    """Claims on it do not conflict."""
    NOTICE_RIPE = "notice_ripe"
    """Its notice was delivered, and its time is over."""
    STILL_DUE = "still_due"
    """Judged again on fresh facts, it comes to the same end."""
    IN_PLAN = "in_plan"
    """This pass's plan, limits applied, lists it among its ends."""
    LAST_LOOK = "last_look"
    """The last look at the pod itself found no sign of life."""
    ONE_DEED = "one_deed"
    """The first deed of this path in this episode."""
    RIGHT_TO_END = "right_to_end"
    """Whoever says so is the pod's owner now, and has the right to end it."""
    ADMIN = "admin"
    SOMEBODY_ELSES = "somebody_elses"
    REASON = "reason"
    """A reason was given."""
    OWNER_WARNED = "owner_warned"
    """Slack took a warning to the owner 15 minutes ago, or the pod never ran."""
    OWN_PROVISION = "own_provision"
    """This agent provisioned it."""


class OnKeep(StrEnum):
    """What a keep does to a path."""

    NOTHING = "nothing"
    FLAG_STOPS = "flag_stops"
    """Only --keep-on-bootstrap-failure stops it."""
    KNOWING_STOPS = "knowing_stops"
    """Only that flag, or a keep given in the knowledge that the pod never ran, stops it."""
    STOPS = "stops"
    LIFTED = "lifted"
    """It is shown in the confirmation; confirming lifts it."""
    STAYS = "stays"
    """It is shown in the confirmation, and stays."""
    CARD = "card"
    """It becomes a question to the owner."""


class Job(StrEnum):
    """What an admin arms."""

    NEVER_RAN = "never-ran"
    STALE = "stale"


class OnPause(StrEnum):
    """What a pause does to a path."""

    STOPS = "stops"
    PUT_OFF = "put_off"
    """It is done first after the pause, if it is still allowed then."""


class Bound(StrEnum):
    """Which limit counts a path."""

    COUNTED = "counted"
    """None; but it is counted."""
    SHOWN = "shown"
    """Only pods that were shown to whoever decided."""
    ONE_AT_A_TIME = "one_at_a_time"
    AGENT_PER_DAY = "agent_per_day"
    """Above it, a question to the owner."""
    NEVER_RAN = "never_ran"
    STALE = "stale"


@dataclass(frozen=True, slots=True)
class Guard:
    """One row of the table."""

    needs: frozenset[Need]
    on_keep: OnKeep
    arming: Job | None
    on_pause: OnPause
    bound: Bound


EVERYWHERE = frozenset({Need.NOT_LOCKED, Need.NOT_IN_CLUSTER, Need.FINGERPRINT_UNCHANGED})
"""What every path needs."""

BY_CLOCK = frozenset({Need.CLOCK_SOUND, Need.OPS_CHANNEL})
"""What every path needs on which no person decides."""

_UNREACHED = frozenset({Need.BOUND_TO_PROVISION, Need.NEVER_REACHED})
_DECIDED_BY_A_JOB = BY_CLOCK | {Need.PROVED, Need.STILL_DUE, Need.IN_PLAN}

GUARDS: Mapping[Path, Guard] = MappingProxyType(
    {
        Path.PROVISION_TEARDOWN: Guard(
            _UNREACHED | BY_CLOCK, OnKeep.FLAG_STOPS, None, OnPause.PUT_OFF, Bound.COUNTED
        ),
        Path.PROVISION_CANCEL: Guard(_UNREACHED, OnKeep.NOTHING, None, OnPause.PUT_OFF, Bound.COUNTED),
        Path.FENCE: Guard(
            BY_CLOCK | {Need.PROVED, Need.NO_CONFLICT, Need.NOTICE_RIPE, Need.STILL_DUE},
            OnKeep.STOPS,
            None,
            OnPause.STOPS,
            Bound.COUNTED,
        ),
        Path.OWNER: Guard(frozenset({Need.RIGHT_TO_END}), OnKeep.LIFTED, None, OnPause.STOPS, Bound.SHOWN),
        Path.ADMIN: Guard(
            frozenset(
                {
                    Need.ADMIN,
                    Need.PROVED,
                    Need.NO_CONFLICT,
                    Need.SOMEBODY_ELSES,
                    Need.REASON,
                    Need.OWNER_WARNED,
                }
            ),
            OnKeep.STOPS,
            None,
            OnPause.STOPS,
            Bound.ONE_AT_A_TIME,
        ),
        Path.AGENT: Guard(
            frozenset({Need.PROVED, Need.NO_CONFLICT, Need.OWN_PROVISION}),
            OnKeep.CARD,
            None,
            OnPause.STOPS,
            Bound.AGENT_PER_DAY,
        ),
        Path.NEVER_RAN: Guard(
            _DECIDED_BY_A_JOB | {Need.LAST_LOOK, Need.ONE_DEED},
            OnKeep.KNOWING_STOPS,
            Job.NEVER_RAN,
            OnPause.STOPS,
            Bound.NEVER_RAN,
        ),
        Path.STALE: Guard(
            _DECIDED_BY_A_JOB | {Need.NO_CONFLICT, Need.NOTICE_RIPE},
            OnKeep.STOPS,
            Job.STALE,
            OnPause.STOPS,
            Bound.STALE,
        ),
        Path.STOP: Guard(frozenset({Need.RIGHT_TO_END}), OnKeep.STAYS, None, OnPause.STOPS, Bound.COUNTED),
    }
)
