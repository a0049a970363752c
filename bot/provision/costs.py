"""What a provision costs: now, so far, and at most until its pod ends by itself."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session

from bot.provision.since import NOTHING_ANY_MORE
from bot.standing import standing
from bot.text import money, per_hour, when
from pods.durations import format_duration
from pods.fence import ends_by_itself_at
from pods.ids import PodId
from pods.keeps import protection
from pods.order import Order
from pods.ownership import Grade
from pods.provision.outcomes import ENDINGS, PodFate
from pods.provision.value import Pod, Provision
from storage.keep import keep_tags
from storage.ledger import ProvisionRecord
from storage.pod import PodRow

_ANY = timedelta(0)
"""How long a claim settles decides who may end a pod, not whether claims on it conflict."""


@dataclass(frozen=True, slots=True)
class _Fence:
    """What says when the fence ends the pod (`pods.fence.Fenced`)."""

    fence_at: datetime
    in_ledger: bool
    grade: Grade
    keep_unreadable: bool
    kept_until: datetime | None


def costs(session: Session, found: ProvisionRecord, provision: Provision, now: datetime) -> str:
    """The money of it as it is now, and as it will be."""
    pod = provision.pod
    fate = ENDINGS[provision.outcome].pod if provision.outcome is not None else None
    row = session.get(PodRow, pod.pod_id) if pod else None
    if fate in (PodFate.NONE, PodFate.TORN_DOWN) or (row is not None and row.gone_at is not None):
        return NOTHING_ANY_MORE if pod else "It cost nothing."
    if fate is PodFate.NOT_OURS_ANY_MORE:
        return "Nothing runs on it any more; what is left of its disks may still cost a little."
    if pod is None:
        return _as_ordered(provision.order)
    usd = found.usd_per_hour
    so_far = f", about {money(usd * _hours(pod.created_at, now))} so far" if usd is not None else ""
    return f"{per_hour(usd)}{so_far}. {_will_end(session, found, provision.order, pod, now)}"


def _as_ordered(order: Order) -> str:
    if order.lifetime:
        return f"Ends by itself {format_duration(order.lifetime)} after its creation."
    return "It will not end by itself (`--for` would say when)."


def _will_end(session: Session, found: ProvisionRecord, order: Order, pod: Pod, now: datetime) -> str:
    usd = found.usd_per_hour
    if found.fence_at is None:
        each_day = f" ({money(usd * 24)} a day)" if usd is not None else ""
        return f"It does not end by itself: it costs that until somebody ends it{each_day}."
    fence = _fence(session, pod.pod_id, found.fence_at, now)
    ends_at = ends_by_itself_at(fence)
    if ends_at is None:
        return f"It was to end by itself {when(fence.fence_at)}; it does not, {_held_by(fence)}."
    worst = f": {money(usd * _hours(pod.created_at, ends_at))} at most" if usd is not None else ""
    return f"Ends by itself {when(ends_at)}{worst}. {_lost_then(order)}"


def _fence(session: Session, pod_id: str, fence_at: datetime, now: datetime) -> _Fence:
    whose = standing(session, pod_id, now, _ANY)
    keeps = protection(keep_tags(session, pod_id).get(PodId(pod_id), ()))
    return _Fence(fence_at, whose.in_ledger, whose.grade, keeps.unreadable, keeps.kept_until)


def _held_by(fence: _Fence) -> str:
    if fence.grade is Grade.CONFLICTING:
        return "while more than one person says that it is theirs"
    return "for it is kept, and I cannot read until when"


def _hours(since: datetime, until: datetime) -> float:
    return max(until - since, timedelta(0)) / timedelta(hours=1)


def _lost_then(order: Order) -> str:
    """What the end of the pod destroys."""
    if order.network_volume is not None:
        return "Lost then: all on the container's disk; the network volume stays."
    if order.volume_gb is not None:
        return f"Lost then: all on the container's disk and on the {order.volume_gb} GB volume disk."
    return "Lost then: all that is on the pod."
