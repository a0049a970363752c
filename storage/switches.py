"""The names of the switches, and what they come to together."""

from dataclasses import dataclass

from sqlmodel import Session

from storage.switch import is_on

ARMED_NEVER_RAN = "armed.never-ran"
ARMED_STALE = "armed.stale"
PAUSED = "paused"
OPS_CHANNEL_LOST = "ops_channel_lost"
"""While it is on, no clock ends anything."""


@dataclass(frozen=True, slots=True)
class Arming:
    """What the clocks may do by themselves now."""

    never_ran: bool
    stale: bool
    paused: bool


def arming(session: Session) -> Arming:
    """How the switches stand."""
    return Arming(
        never_ran=is_on(session, ARMED_NEVER_RAN),
        stale=is_on(session, ARMED_STALE),
        paused=is_on(session, PAUSED),
    )
