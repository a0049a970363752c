"""Whose pod it is, and how sure we are of that.

What can be said here is all there is: a record that we wrote when we created that very pod id, and
things that people and confirmed agents said in structured form about that very pod id. Names, notes,
reports and prose are no evidence, and there is no argument through which they could come in.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from pods.ids import PodId, ProvisionId, UserId


class Grade(StrEnum):
    """How sure we are of whose pod it is."""

    PROVED = "proved"
    CLAIMED = "claimed"
    UNKNOWN = "unknown"
    CONFLICTING = "conflicting"


@dataclass(frozen=True, slots=True)
class LedgerRecord:
    """We made this pod, by this provision, for this person. It never moves to another pod id."""

    pod_id: PodId
    provision: ProvisionId
    owner: UserId
    called_at: datetime
    """When the create call was started."""


class ClaimSource(StrEnum):
    """How a claim came about."""

    PERSON = "person"
    """`/pod claim` or *Mine*."""
    AGENT = "agent"
    """`run.launched` of a confirmed agent, for that agent's owner."""
    MARKS = "marks"
    """The pod carries the marks of a provision of ours that has another pod: moved or copied."""


@dataclass(frozen=True, slots=True)
class Claim:
    """ "This one is mine"."""

    pod_id: PodId
    owner: UserId
    at: datetime
    source: ClaimSource


@dataclass(frozen=True, slots=True)
class Objection:
    """ "Not theirs", said about the claim of `owner`."""

    pod_id: PodId
    owner: UserId
    by: UserId
    at: datetime


@dataclass(frozen=True, slots=True)
class Confirmation:
    """An admin confirms the claim of `owner`. Without effect if that admin is a party."""

    pod_id: PodId
    owner: UserId
    by: UserId
    at: datetime


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """`/pod unclaim` or *Not mine*, by `owner`."""

    pod_id: PodId
    owner: UserId
    at: datetime


@dataclass(frozen=True, slots=True)
class Give:
    """`giver` handed the pod to `receiver`, who accepted; by an admin only for a deactivated giver."""

    pod_id: PodId
    giver: UserId
    receiver: UserId
    at: datetime


@dataclass(frozen=True, slots=True)
class Ruling:
    """An admin decides a conflict for `owner`. Without effect if that admin is a party."""

    pod_id: PodId
    owner: UserId
    by: UserId
    at: datetime


Statement = Claim | Objection | Confirmation | Withdrawal | Give | Ruling


@dataclass(frozen=True, slots=True)
class Ownership:
    """Whose pod it is, by the evidence up to now."""

    grade: Grade
    owner: UserId | None
    """None if unknown, or while claims on a pod that is not in our ledger conflict."""
    in_ledger: bool
    created_for: UserId | None
    """Whom the provision was for; a hand-over does not change it."""
    provision: ProvisionId | None
    claimants: tuple[UserId, ...]
    """Everybody who says that it is theirs, the first first."""
    may_end: bool
    """The owner has the right to end it now."""
    may_end_from: datetime | None
    """When the owner's claim settles, if that is all that is missing."""
