"""Giving a keep: the row, the fence that moves later, and the event, in one transaction."""

from datetime import datetime, timedelta

from sqlmodel import Session

from bot.fleet.views import PodView
from pods.durations import format_duration
from pods.lines import moment
from storage.columns import JsonObject
from storage.keep import Keep, give_keep
from storage.provision_asks import move_fence
from storage.question import questions_about
from storage.trail import Event, record

NEVER_RAN = frozenset({"never_ran", "never_ran_kept", "never_ran_unproved", "never_ran_unwatched"})


def keep_pod(
    session: Session,
    pod: PodView,
    keep_id: str,
    by: str,
    until: datetime,
    reason: str | None,
    now: datetime,
    *,
    is_admin: bool,
) -> None:
    """Protect the pod until then. The same id gives one keep, however often it is asked for.

    Only its owner or an admin can keep it knowing that it never ran.
    """
    may_know = is_admin or by == pod.owner
    told = told_never_ran(session, pod.pod_id, now) if may_know else None
    keep = Keep(keep_id, pod.pod_id, by, "person", now, until, told_never_ran_at=told, reason=reason)
    if not give_keep(session, keep):
        return
    if pod.whose.provision is not None:
        move_fence(session, pod.whose.provision, until)
    facts: JsonObject = {"keep": keep_id, "until": moment(until), "knowing": told is not None}
    record(session, Event(now, by, "pod.kept", pod.pod_id, facts))


def too_long(longest: timedelta) -> str:
    """What is said to whoever wants to keep a pod for longer than is allowed."""
    return f"A keep may last {format_duration(longest)} at most; nothing was kept."


def told_never_ran(session: Session, pod_id: str, now: datetime) -> datetime | None:
    """When its people were told that it never ran, if they were."""
    told = (
        each.delivered_at
        for each in questions_about(session, pod_id)
        if each.reason in NEVER_RAN and each.delivered_at is not None and each.delivered_at <= now
    )
    return next(told, None)
