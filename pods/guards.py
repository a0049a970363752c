"""The executor's guards as data: a path that is not in this table cannot end a pod."""

from enum import StrEnum


class Path(StrEnum):
    """The ways in which a pod can be ended or stopped, each with its own guards."""

    PROVISION_TEARDOWN = "provision_teardown"
    """A provision's own teardown, or a cancel before the pod was reached."""
    FENCE = "fence"
    OWNER = "owner"
    """The owner's `/pod terminate`, or the owner's yes on a card."""
    ADMIN = "admin"
    """An admin ends somebody else's pod."""
    AGENT = "agent"
    NEVER_RAN = "never_ran"
    STALE = "stale"
    STOP = "stop"
