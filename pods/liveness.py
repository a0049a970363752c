"""Does somebody of the owner's side still look after the pod? Only `alive` makes a difference."""

from datetime import datetime
from enum import StrEnum

from pods.facts import PodFacts
from pods.policy import PROVISION_MARGIN, Policy


class Liveness(StrEnum):
    """`dead` and `unknown` do not stop the reaper."""

    ALIVE = "alive"
    DEAD = "dead"
    UNKNOWN = "unknown"


def liveness(pod: PodFacts, now: datetime, policy: Policy) -> Liveness:
    """Alive: its provision is under way, or its own agent gave a fresh sign of life."""
    if provision_under_way(pod, now) or agent_alive(pod, now, policy):
        return Liveness.ALIVE
    if pod.heartbeat_at is not None or pod.provision_deadline is not None:
        return Liveness.DEAD
    return Liveness.UNKNOWN


def provision_under_way(pod: PodFacts, now: datetime) -> bool:
    """Inside the provision's own deadlines, and two minutes after."""
    return pod.provision_deadline is not None and now <= pod.provision_deadline + PROVISION_MARGIN


def agent_alive(pod: PodFacts, now: datetime, policy: Policy) -> bool:
    """A heartbeat of the pod's own agent is fresh."""
    return pod.heartbeat_at is not None and now - pod.heartbeat_at < policy.heartbeat_ttl
