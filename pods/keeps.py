"""Keeps: time-boxed protections of a pod. One that cannot be read counts as one."""

from dataclasses import dataclass
from datetime import datetime

from pods.ids import PodId, UserId


@dataclass(frozen=True, slots=True)
class KeepTag:
    """One keep as somebody gave it."""

    pod_id: PodId
    by: UserId
    given_at: datetime
    until: datetime | None
    """None: it could not be read."""
    told_never_ran_at: datetime | None
    """When the giver was told that this pod never ran, if he was; None also for agents' keeps and for
    givers who are neither owner nor admin."""
    lifted_at: datetime | None = None
    """When it was taken away before its time."""


@dataclass(frozen=True, slots=True)
class Protection:
    """All keeps of a pod together."""

    kept_until: datetime | None
    unreadable: bool
    knowing_until: datetime | None
