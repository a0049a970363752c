"""News for the ops channel and for owners that come once: the first day, limits, ends by a clock."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlmodel import Session, col

from jobs.house import House
from jobs.judgement.judging import Judgement
from jobs.observe.folding import FLEET
from pods.guards import Path
from pods.listings import Fleet
from storage.columns import JsonObject
from storage.deed import Deed, DeedRow, DeedState
from storage.listing import recall, remember
from storage.outbox import Letter, send
from storage.rows import read

FIRST_DAY = "first day"
DAY = timedelta(days=1)
NEWS_FOR = timedelta(days=2)
"""An end by a clock that nobody was told of by then, for instance because nothing ran, is no news."""
BY_CLOCK = (Path.NEVER_RAN, Path.STALE, Path.FENCE)
"""The ends of which their owner hears afterwards. A provision's own teardown is told in its thread."""


@dataclass(frozen=True, slots=True)
class FirstDay:
    """When the account was first seen whole."""

    at: datetime


def first_day(session: Session, house: House, judgement: Judgement) -> FirstDay | None:
    """The first day on this account; it is announced in one message if others have pods there.

    None until the account was seen whole.
    """
    known = recall(session, FIRST_DAY, FirstDay)
    fleet = recall(session, FLEET, Fleet)
    if known is not None or fleet is None or not fleet.confirmed:
        return known
    began = FirstDay(judgement.plan.at)
    remember(session, FIRST_DAY, began, began.at)
    if any(one.facts.owner is None for one in judgement.plan.judged):
        send(session, Letter("first day", house.ops_channel, "first_day"), began.at)
    return began


def tell_limits(session: Session, house: House, judgement: Judgement) -> None:
    """Each limit that holds something now, once a day."""
    now = judgement.plan.at
    today = now.astimezone(ZoneInfo(house.schedules.zone)).date()
    for exceeded in judgement.plan.exceeded:
        name = f"limit {exceeded.limit} {exceeded.owner or ''} {today}"
        refs: JsonObject = {
            "limit": exceeded.limit,
            "wanted": exceeded.wanted,
            "allowed": exceeded.allowed,
            "owner": exceeded.owner,
        }
        send(session, Letter(name, house.ops_channel, "limit_exceeded", refs, urgent=True), now)


def tell_ends(session: Session, house: House, now: datetime) -> None:
    """Each end by a clock, to the pod's owner; where there is none any more, to the ops channel."""
    ended = (col(DeedRow.state) == DeedState.DONE) & (col(DeedRow.finished_at) >= now - NEWS_FOR)
    by_us = ended & (col(DeedRow.attempts) > 0)
    for deed in read(session, Deed, DeedRow, by_us, col(DeedRow.path).in_(BY_CLOCK)):
        target = deed.owner or house.ops_channel
        send(session, Letter(f"ended {deed.id}", target, "ended_by_clock", {"deed": deed.id}), now)
