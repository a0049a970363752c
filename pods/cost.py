"""What a pod costs: estimates in floating-point dollars, rounded to cents at the edge only.

Price and storage are facts from outside: `Pod.cost` of RunPod's REST v2 per hour, and RunPod's published
storage prices (a volume disk costs $0.10 per GB and month while the pod runs, $0.20 while it is stopped).
What is unknown stays None: no sum pretends to be whole.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from pods.episodes import Episode
from pods.phase import Phase
from pods.snapshot import Mounts

MONTH = timedelta(days=30)
USD_PER_GB_MONTH_RUNNING = 0.10
USD_PER_GB_MONTH_STOPPED = 0.20
_HOUR = timedelta(hours=1)


def usd_per_hour_now(phase: Phase | None, price: float | None, mounts: Mounts | None) -> float | None:
    """What the pod costs per hour in this phase; `price` is what it costs while it is rented."""
    if phase is None:
        return None
    if phase is Phase.GONE:
        return 0.0
    storage = _storage_per_hour(phase, mounts)
    if phase is Phase.EXITED:
        return storage
    return None if price is None else price + (storage or 0.0)


def usd_per_hour_saved(phase: Phase | None, price: float | None, mounts: Mounts | None) -> float | None:
    """What is not paid any more once the pod is ended: of one that is stopped, its storage only."""
    return _storage_per_hour(phase, mounts) if phase is Phase.EXITED else price


def usd_so_far(
    episodes: Sequence[Episode],
    created_at: datetime | None,
    price: float | None,
    mounts: Mounts | None,
    now: datetime,
) -> float | None:
    """What the pod has cost since its creation, or since we first saw it if that is unknown.

    Each episode, the oldest first, lasts until the next one begins, the last one until now, and the first
    one from the pod's creation: what a pod did while nobody looked is billed as what it did before. One that
    was stopped when it was first seen had run before that, and nobody knows for how long.
    """
    if not episodes or _ran_unseen(episodes[0], created_at):
        return None
    starts = [episode.since for episode in episodes]
    starts[0] = min(starts[0], created_at) if created_at else starts[0]
    total = 0.0
    for episode, start, end in zip(episodes, starts, [*starts[1:], now], strict=True):
        rate = usd_per_hour_now(episode.phase, price, mounts)
        if rate is None:
            return None
        total += rate * (max(end - start, timedelta(0)) / _HOUR)
    return total


def _ran_unseen(first: Episode, created_at: datetime | None) -> bool:
    return first.phase is Phase.EXITED and (created_at is None or created_at < first.since)


def _storage_per_hour(phase: Phase, mounts: Mounts | None) -> float | None:
    if mounts is None:
        return None
    per_month = USD_PER_GB_MONTH_STOPPED if phase is Phase.EXITED else USD_PER_GB_MONTH_RUNNING
    return (mounts.persistent_gb or 0) * per_month / (MONTH / _HOUR)


def usd_within(
    episodes: Sequence[Episode],
    created_at: datetime | None,
    price: float | None,
    mounts: Mounts | None,
    span: tuple[datetime, datetime],
    phases: frozenset[Phase] | None = None,
) -> float | None:
    """What the pod cost in a stretch of time; with `phases`, only while it was in one of them.

    None if that is unknown; 0 if it was not there then.
    """
    if not episodes:
        return None
    since, until = span
    starts = [episode.since for episode in episodes]
    starts[0] = min(starts[0], created_at) if created_at else starts[0]
    total = 0.0
    for episode, start, end in zip(episodes, starts, [*starts[1:], until], strict=True):
        within = min(end, until) - max(start, since)
        if within <= timedelta(0) or (phases is not None and episode.phase not in phases):
            continue
        rate = usd_per_hour_now(episode.phase, price, mounts)
        if rate is None:
            return None
        total += rate * (within / _HOUR)
    return total
