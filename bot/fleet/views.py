"""A pod as people see it in lists: whose, what it does, since when, what it costs."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from pods.cost import usd_per_hour_now
from pods.ids import PodId
from pods.keeps import Protection, protection
from pods.ownership import Grade, Ownership, ownership
from pods.phase import Phase
from pods.snapshot import Mounts, SshEndpoint
from storage.claim import statements
from storage.deed import Deed, open_deeds
from storage.history import histories
from storage.keep import keep_tags
from storage.ledger import ProvisionRecord, ledger_records, records
from storage.pod import PodRow, snapshot_in
from storage.prices import ordered_disks


@dataclass(frozen=True, slots=True, kw_only=True)
class PodView:
    """One pod of the account. `name` is its NAME if a provision of ours made it, else its name at RunPod."""

    pod_id: str
    name: str
    runpod_name: str
    whose: Ownership
    phase: Phase | None
    since: datetime | None
    """Since when it has been in this phase, as far as we saw."""
    created_at: datetime | None
    gpu: str | None
    usd_per_hour: float | None
    mounts: Mounts | None
    ssh: SshEndpoint | None
    keeps: Protection
    fence_at: datetime | None
    ending: Deed | None
    locked: bool
    cluster_member: bool
    gone_at: datetime | None

    @property
    def owner(self) -> str | None:
        return self.whose.owner

    # With `fence_at`, what says when it ends by itself (`pods.fence.Fenced`).

    @property
    def in_ledger(self) -> bool:
        return self.whose.in_ledger

    @property
    def grade(self) -> Grade:
        return self.whose.grade

    @property
    def keep_unreadable(self) -> bool:
        return self.keeps.unreadable

    @property
    def kept_until(self) -> datetime | None:
        return self.keeps.kept_until

    def is_mine(self, user: str) -> bool:
        """This person's, or said by this person to be."""
        return user == self.whose.owner or user in self.whose.claimants


def views(session: Session, now: datetime, claim_settle: timedelta) -> list[PodView]:
    """Every pod that is not gone."""
    present = select(PodRow).where(col(PodRow.gone_at).is_(None)).order_by(PodRow.pod_id)
    rows = session.exec(present, execution_options={"populate_existing": True}).all()
    return _views(session, rows, now, claim_settle)


def view(session: Session, pod_id: str, now: datetime, claim_settle: timedelta) -> PodView | None:
    """One pod, also one that is gone. None: never heard of."""
    row = session.get(PodRow, pod_id, populate_existing=True)
    return _views(session, [row], now, claim_settle)[0] if row else None


def _views(session: Session, rows: Sequence[PodRow], now: datetime, claim_settle: timedelta) -> list[PodView]:
    ledger, said, keeps = ledger_records(session), statements(session), keep_tags(session)
    seen, deeds = histories(session), open_deeds(session)
    made = {found.pod_id: found for found in records(session) if found.pod_id}

    def of(row: PodRow) -> PodView:
        pod = PodId(row.pod_id)
        history = seen.get(pod)
        return _view(
            row,
            ownership(pod, ledger.get(pod), said.get(pod, []), now, claim_settle),
            protection(keeps.get(pod, [])),
            made.get(pod),
            history.episode.since if history else None,
            deeds.get(pod),
        )

    return [of(row) for row in rows]


def _view(
    row: PodRow,
    whose: Ownership,
    keeps: Protection,
    made_by: ProvisionRecord | None,
    since: datetime | None,
    ending: Deed | None,
) -> PodView:
    shown = snapshot_in(row)
    phase = Phase(row.phase) if row.phase else None
    mounts = shown.mounts if shown else None
    if mounts is None and made_by is not None:
        mounts = ordered_disks(made_by)
    runpod_name = row.name or row.pod_id
    price = row.usd_per_hour or (made_by.usd_per_hour if made_by else None)
    return PodView(
        pod_id=row.pod_id,
        name=made_by.name if made_by else runpod_name,
        runpod_name=runpod_name,
        whose=whose,
        phase=phase,
        since=since,
        created_at=row.created_at,
        gpu=f"{row.gpu_count or 1}x {row.gpu_type}" if row.gpu_type else None,
        usd_per_hour=usd_per_hour_now(phase, price, mounts),
        mounts=mounts,
        ssh=shown.ssh if shown else None,
        keeps=keeps,
        fence_at=made_by.fence_at if made_by else None,
        ending=ending,
        locked=row.locked,
        cluster_member=row.cluster_member,
        gone_at=row.gone_at,
    )
