"""What a day has cost, pod by pod: from the episodes that were seen, an estimate."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, select

from pods.cost import usd_within
from pods.episodes import Episode
from pods.ids import UserId
from pods.ownership import ownership
from pods.phase import Phase
from pods.snapshot import Mounts
from storage.claim import statements
from storage.history import episodes_of, history, signs_of_life
from storage.ledger import ledger_records
from storage.pod import PodRow, snapshot
from storage.prices import disks_of, price_of

STOPPED = frozenset({Phase.EXITED})


@dataclass(frozen=True, slots=True)
class PodCost:
    """One pod on one day. `usd` is None if unknown. `idle`: the part of it for which nothing ran."""

    pod_id: str
    name: str
    owner: UserId | None
    usd: float | None
    idle: float
    never_ran: bool


@dataclass(frozen=True, slots=True)
class Day:
    """All pods on one day."""

    day: date
    pods: tuple[PodCost, ...]

    @property
    def usd(self) -> float:
        return sum(pod.usd or 0.0 for pod in self.pods)

    @property
    def idle(self) -> float:
        return sum(pod.idle for pod in self.pods)

    @property
    def unknown(self) -> int:
        """How many pods there were whose price nobody knows."""
        return sum(pod.usd is None for pod in self.pods)


def span_of(day: date, zone: str) -> tuple[datetime, datetime]:
    """From midnight to midnight on the wall there: 23, 24 or 25 hours."""
    wall = ZoneInfo(zone)
    return datetime.combine(day, time(), wall), datetime.combine(day + timedelta(days=1), time(), wall)


def days(
    session: Session, wanted: Sequence[date], zone: str, now: datetime, claim_settle: timedelta
) -> list[Day]:
    """Each of these days. Pods that were not there on a day are not on it."""
    spans = [span_of(day, zone) for day in wanted]
    first = min((since for since, _ in spans), default=now)
    owners, life = _owners(session, now, claim_settle), signs_of_life(session)
    pods = [pod for row in _there(session, first) if (pod := _past(session, row, owners, now, life.keys()))]
    return [
        Day(day, tuple(cost for pod in pods if (cost := _cost(pod, since, min(until, now)))))
        for day, (since, until) in zip(wanted, spans, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Past:
    """What is known of one pod's life."""

    pod_id: str
    name: str
    owner: UserId | None
    episodes: tuple[Episode, ...]
    begun: datetime
    over: datetime
    price: float | None
    mounts: Mounts | None
    ran: bool


def _there(session: Session, since: datetime) -> Sequence[PodRow]:
    """Pods that are not gone, or went after that."""
    there = col(PodRow.gone_at).is_(None) | (col(PodRow.gone_at) > since)
    return session.exec(select(PodRow).where(there)).all()


def _past(
    session: Session,
    row: PodRow,
    owners: Mapping[str, UserId | None],
    now: datetime,
    life: Collection[str],
) -> _Past | None:
    episodes, past = episodes_of(session, row.pod_id), history(session, row.pod_id)
    if not episodes or past is None:
        return None
    seen = snapshot(session, row.pod_id)
    first = episodes[0].since
    return _Past(
        pod_id=row.pod_id,
        name=row.name or row.pod_id,
        owner=owners.get(row.pod_id),
        episodes=episodes,
        begun=min(first, row.created_at) if row.created_at else first,
        over=row.gone_at or now,
        price=price_of(session, row.pod_id, seen),
        mounts=disks_of(session, row.pod_id, seen),
        ran=past.has_run is not None or row.pod_id in life,
    )


def _cost(pod: _Past, since: datetime, until: datetime) -> PodCost | None:
    """None: it was not there."""
    end = min(until, pod.over)
    if end <= since or pod.begun >= end:
        return None
    usd = usd_within(pod.episodes, pod.begun, pod.price, pod.mounts, (since, end))
    stopped = usd_within(pod.episodes, pod.begun, pod.price, pod.mounts, (since, end), STOPPED) or 0.0
    idle = stopped if pod.ran else usd or 0.0
    return PodCost(pod.pod_id, pod.name, pod.owner, usd, idle, not pod.ran)


def _owners(session: Session, now: datetime, claim_settle: timedelta) -> dict[str, UserId | None]:
    ledger, said = ledger_records(session), statements(session)
    return {
        pod_id: ownership(pod_id, ledger.get(pod_id), said.get(pod_id, ()), now, claim_settle).owner
        for pod_id in {*ledger, *said}
    }
