"""Keeps: time-boxed protections of a pod. One that cannot be read counts as one.

A keep is given *knowingly* if its giver, the owner or an admin, had been told before that this pod never
ran. Only such a keep is not set aside by the never-ran rule; when it lapses the pod is asked about.
"""

from collections.abc import Iterable
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
    """When the giver was told that this pod never ran, if he was; None also for the keep of an agent, or
    of somebody who is neither owner nor admin."""
    lifted_at: datetime | None = None
    """When it was taken away before its time."""


def cover(kept_until: datetime | None, unreadable: bool, now: datetime) -> str | None:
    """What protects a pod now, to be held against what somebody was shown. None: nothing."""
    if unreadable:
        return "without an end that can be read"
    return kept_until.isoformat() if kept_until is not None and now < kept_until else None


@dataclass(frozen=True, slots=True)
class Protection:
    """All keeps of a pod together."""

    kept_until: datetime | None
    """The end of the longest readable keep, passed or not."""
    unreadable: bool
    knowing_until: datetime | None
    """The end of the last keep that was given knowingly, passed or not."""

    def covers(self, now: datetime) -> bool:
        """Whether the pod is protected now. A keep until noon protects up to, not at, noon."""
        return self.cover(now) is not None

    def cover(self, now: datetime) -> str | None:
        """What protects it now, as `cover` has it."""
        return cover(self.kept_until, self.unreadable, now)


def protection(tags: Iterable[KeepTag]) -> Protection:
    """What the keeps of one pod come to. A keep that was lifted ended when it was."""
    ends: list[datetime] = []
    knowing_ends: list[datetime] = []
    unreadable = False
    for tag in tags:
        end = _end(tag)
        if end is None:
            unreadable = True
            continue
        ends.append(end)
        if is_knowing(tag):
            knowing_ends.append(end)
    return Protection(
        kept_until=max(ends, default=None),
        unreadable=unreadable,
        knowing_until=max(knowing_ends, default=None),
    )


def is_knowing(tag: KeepTag) -> bool:
    """Given after its giver was told that the pod never ran."""
    return tag.told_never_ran_at is not None and tag.told_never_ran_at <= tag.given_at


def _end(tag: KeepTag) -> datetime | None:
    if tag.lifted_at is None or tag.until is None:
        return tag.lifted_at or tag.until
    return min(tag.until, tag.lifted_at)
