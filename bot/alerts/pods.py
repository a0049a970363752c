"""How one pod is spoken of: its name and id, and what it costs."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from bot.text import code, money, per_hour
from pods import cost
from storage.history import episodes_of
from storage.pod import PodRow, snapshot
from storage.prices import disks_of, price_of

MOST_LISTED = 20


def called(session: Session, pod_id: str) -> str:
    """Its name at RunPod and its id, which nobody can mistake."""
    seen = snapshot(session, pod_id)
    return f"{code(seen.name)} ({code(pod_id)})" if seen and seen.name else code(pod_id)


def listed(session: Session, pod_ids: Sequence[str]) -> str:
    """Some pods in one line, and how many more there are."""
    shown = ", ".join(called(session, pod_id) for pod_id in pod_ids[:MOST_LISTED])
    more = len(pod_ids) - MOST_LISTED
    return f"{shown} and {more} more" if more > 0 else shown


def is_gone(session: Session, pod_id: str) -> bool:
    """Whether it is gone, by the one definition that there is."""
    gone = select(PodRow.pod_id).where(PodRow.pod_id == pod_id, col(PodRow.gone_at).is_not(None))
    return session.exec(gone).first() is not None


def costs(session: Session, pod_id: str, now: datetime) -> str:
    """A sentence about its money: now, and so far."""
    seen, episodes = snapshot(session, pod_id), episodes_of(session, pod_id)
    if seen is None or not episodes:
        return "What it costs is unknown."
    price = price_of(session, pod_id, seen)
    rate = cost.usd_per_hour_now(episodes[-1].phase, price, disks_of(session, pod_id, seen))
    spent = has_cost(session, pod_id, now)
    so_far = f"; so far that makes about {money(spent)}" if spent is not None else ""
    return f"It costs {per_hour(rate)}{so_far}." if rate is not None else "What it costs is unknown."


def has_cost(session: Session, pod_id: str, until: datetime) -> float | None:
    """US dollars since it was rented, an estimate; None if unknown."""
    seen = snapshot(session, pod_id)
    if seen is None:
        return None
    episodes, price = episodes_of(session, pod_id), price_of(session, pod_id, seen)
    return cost.usd_so_far(episodes, seen.created_at, price, disks_of(session, pod_id, seen), until)


def had_cost(session: Session, pod_id: str, until: datetime) -> str:
    """A sentence about what a pod that ended had cost, with a space before it; nothing if that is unknown."""
    spent = has_cost(session, pod_id, until)
    return "" if spent is None else f" It had cost about {money(spent)}."
