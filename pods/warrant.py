"""The leave to end or stop one pod, once. Only the executor issues it; only the gateway spends it."""

from dataclasses import dataclass
from enum import StrEnum

_SEAL = object()


class Act(StrEnum):
    """What a warrant allows. Both destroy something: a stop wipes the container disk."""

    TERMINATE = "terminate"
    STOP = "stop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Warrant:
    """Leave for one act on one pod, for one attempt of one deed.

    `fencing`: the number under which the deed's row is held. It grows with every attempt, and a number
    that was spent, or a smaller one, is refused.
    """

    act: Act
    pod_id: str
    deed_id: str
    fencing: int
    seal: object

    def __post_init__(self) -> None:
        if self.seal is not _SEAL:
            raise TypeError("a warrant is issued by the executor; nobody else can make one")

    def __repr__(self) -> str:
        return f"Warrant({self.act} {self.pod_id}, deed {self.deed_id}, fencing {self.fencing})"


def issue_warrant(act: Act, *, pod_id: str, deed_id: str, fencing: int) -> Warrant:
    """A warrant for one attempt. Called by the executor alone, after its guards have said yes."""
    return Warrant(act=act, pod_id=pod_id, deed_id=deed_id, fencing=fencing, seal=_SEAL)
