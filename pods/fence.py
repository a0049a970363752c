"""The fence: the time at which a pod ends by itself because its owner said so when ordering it.

It binds only a pod of our ledger on which claims do not conflict. A keep moves it later, never earlier.
"""

from datetime import datetime
from typing import Protocol

from pods.facts import PodFacts
from pods.ownership import Grade
from pods.policy import Policy

_IN_CONFLICT = Grade.CONFLICTING


class Fenced(Protocol):
    """What of a pod says when its fence ends it."""

    @property
    def fence_at(self) -> datetime | None: ...
    @property
    def in_ledger(self) -> bool: ...
    @property
    def grade(self) -> Grade: ...
    @property
    def keep_unreadable(self) -> bool: ...
    @property
    def kept_until(self) -> datetime | None: ...


def ends_by_itself_at(pod: Fenced) -> datetime | None:
    """When the fence ends the pod; None: it has none that binds, or a keep of unknown length covers it."""
    if pod.fence_at is None or not pod.in_ledger or pod.grade is _IN_CONFLICT or pod.keep_unreadable:
        return None
    return pod.fence_at if pod.kept_until is None else max(pod.fence_at, pod.kept_until)


def notice_over_at(pod: PodFacts, policy: Policy) -> datetime | None:
    """From when the notice of a fence, as Slack took it, holds it no more; None: no notice, no end.

    A notice that came before the fence lets it end on time, however near it was. One that came late, for
    instance after an outage of Slack, leaves its owner the whole notice time, unless the order itself asked
    for less: then there never was that much to leave.
    """
    notice_at, ends_at = pod.fence_notice_at, ends_by_itself_at(pod) or pod.fence_at
    if notice_at is None or ends_at is None:
        return None
    if notice_at <= ends_at or (ends_at == pod.fence_at and _was_always_near(pod, policy)):
        return notice_at
    return notice_at + policy.fence_notice


def _was_always_near(pod: PodFacts, policy: Policy) -> bool:
    born = pod.create_called_at or pod.created_at
    return born is not None and pod.fence_at is not None and pod.fence_at - born <= policy.fence_notice


def notice_due(pod: PodFacts, now: datetime, policy: Policy) -> bool:
    """Time to tell that it ends soon: `fence_notice` before, or at once if it is nearer."""
    ends_at = ends_by_itself_at(pod)
    return ends_at is not None and pod.fence_notice_at is None and now >= ends_at - policy.fence_notice
