"""Every pod that was ever listed, as the last listing showed it, and what its absence means."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict
from datetime import datetime

from pydantic import TypeAdapter
from sqlalchemy import ColumnElement
from sqlmodel import Field, Session, SQLModel, col, or_, select

from pods.facts import Sight
from pods.ids import PodId
from pods.listings import Absence
from pods.phase import Phase, Status
from pods.snapshot import Listing, Mounts, Snapshot, SshEndpoint, Unreadable
from storage.columns import Instant, JsonList, MaybeJson, MaybeTime, MaybeWords, Time
from storage.rows import CHUNK, change, insert_new, put_all, table_of
from storage.whose_messages import redraw_gone

_MOUNTS = TypeAdapter(Mounts)
_PRESENT = dict.fromkeys(("first_404_at", "last_404_at", "gone_at", "gone_why"))
_LAST_KNOWN = frozenset({"usd_per_hour"})
"""What stays as it was last known: RunPod shows no price for a pod that is stopped."""
_SAME = (
    "created_at",
    "started_at",
    "gpu_type",
    "gpu_count",
    "usd_per_hour",
    "data_center",
    "cloud",
    "image",
    "container_disk_gb",
    "locked",
    "cluster_member",
    "provision_mark",
    "create_mark",
    "shows_life",
    "name",
)


class PodRow(SQLModel, table=True):
    """One pod id, for ever."""

    __tablename__ = "pod"

    pod_id: str = Field(primary_key=True)
    sight: str
    phase: str | None = None
    status: str | None = None
    shows_life: bool = False
    created_at: MaybeTime = None
    started_at: MaybeTime = None
    gpu_type: str | None = None
    gpu_count: int | None = None
    usd_per_hour: float | None = None
    data_center: str | None = None
    cloud: str | None = None
    mounts: MaybeJson = None
    container_disk_gb: int | None = None
    ssh_host: str | None = None
    ssh_port: int | None = None
    locked: bool = False
    cluster_member: bool = False
    provision_mark: str | None = None
    create_mark: str | None = None
    actions: JsonList
    name: MaybeWords = None
    image: MaybeWords = None
    unreadable: MaybeWords = None
    status_text: MaybeWords = None
    status_text_at: MaybeTime = None
    progress_at: MaybeTime = None
    listed_at: Time
    first_404_at: MaybeTime = None
    last_404_at: MaybeTime = None
    gone_at: MaybeTime = Field(default=None, sa_type=Instant, index=True)
    gone_why: str | None = None


def put_listing(
    session: Session, listing: Listing, phases: Mapping[PodId, Phase], but: Collection[PodId] = ()
) -> None:
    """Write down what a listing showed of all pods but these. One that is listed has no absence any more."""
    here: dict[str, object] = {"listed_at": listing.at, **_PRESENT}
    seen = []
    for pod_id, listed in listing.pods.items():
        if PodId(pod_id) in but:
            continue
        match listed:
            case Snapshot():
                seen.append({**here, **_columns(listed), "phase": phases[PodId(listed.pod_id)]})
            case Unreadable():
                _put_unreadable(session, listed, here)
    put_all(session, PodRow, seen, stays=_LAST_KNOWN)


def listed_again(session: Session, last_at: datetime, at: datetime, but: Collection[PodId]) -> int:
    """Write down that a listing showed every pod of the one at `last_at` again as it was, but these.

    Returns how many. Of what became something else in between, or was found to be gone, nothing is changed.
    """
    row = table_of(PodRow).c
    then = (row.listed_at == last_at) & row.gone_at.is_(None) & row.first_404_at.is_(None)
    return change(session, PodRow, then & (row.sight == Sight.SEEN) & row.pod_id.not_in(but), listed_at=at)


def mark_missing(session: Session, pod_ids: Iterable[PodId]) -> None:
    """A listing lacked these, and that is not explained."""
    for pod_id in pod_ids:
        change(session, PodRow, col(PodRow.pod_id) == pod_id, sight=Sight.MISSING)


def mark_gone(session: Session, pod_ids: Iterable[PodId], at: datetime, why: str) -> None:
    """These are gone, by the one definition that there is. The first time stands, and is told."""
    new = []
    for pod_id in pod_ids:
        first = (col(PodRow.pod_id) == pod_id) & col(PodRow.gone_at).is_(None)
        gone = {"sight": Sight.MISSING, "phase": Phase.GONE, "gone_at": at, "gone_why": why}
        new += [pod_id] if change(session, PodRow, first, **gone) else []
    redraw_gone(session, new, at)


def put_absence(session: Session, pod_id: PodId, absence: Absence) -> None:
    """What was learned of a missing pod by asking for it."""
    learned = {"first_404_at": absence.first_404_at, "last_404_at": absence.last_404_at}
    change(session, PodRow, col(PodRow.pod_id) == pod_id, **learned)


def absences_known(
    session: Session, missing: Iterable[str], ended_by_us: Collection[str] = ()
) -> dict[PodId, Absence]:
    """What is known of pods that a listing lacks, also of those that somebody has found to be gone meanwhile.

    `ended_by_us`: pods whose end by us was read back.
    """
    known: dict[PodId, Absence] = {}
    asked = sorted(missing)
    for start in range(0, len(asked), CHUNK):
        some = col(PodRow.pod_id).in_(asked[start : start + CHUNK])
        found = select(PodRow.pod_id, PodRow.first_404_at, PodRow.last_404_at).where(some)
        for pod_id, first, last in session.exec(found):
            if first is not None or pod_id in ended_by_us:
                known[PodId(pod_id)] = Absence(pod_id in ended_by_us, first, last)
    return known


def put_status_text(session: Session, pod_id: PodId, text: str | None, at: datetime) -> None:
    """RunPod's own words about a pod. Shown, and never more than a reason to ask."""
    change(session, PodRow, col(PodRow.pod_id) == pod_id, status_text=text, status_text_at=at)


def status_texts(session: Session) -> dict[PodId, str]:
    """RunPod's own words about every pod that has exited."""
    exited = col(PodRow.phase).in_([Phase.EXITED, Phase.GONE]) & col(PodRow.status_text).is_not(None)
    words = select(PodRow.pod_id, PodRow.status_text).where(exited, col(PodRow.gone_at).is_(None))
    return {PodId(pod_id): str(text) for pod_id, text in session.exec(words)}


def note_progress(session: Session, pod_id: PodId, at: datetime) -> None:
    """Its system log had a new line then."""
    change(session, PodRow, col(PodRow.pod_id) == pod_id, progress_at=at)


def snapshot(session: Session, pod_id: str) -> Snapshot | None:
    """The pod as the last listing that had it showed it. None: never listed, or never readable."""
    row = session.get(PodRow, pod_id, populate_existing=True)
    return snapshot_in(row) if row else None


def snapshot_in(row: PodRow) -> Snapshot | None:
    """The same, of a row that was read already."""
    return _snapshot(row) if row.status is not None else None


def snapshots(session: Session, gone_since: datetime | None = None) -> dict[PodId, Snapshot]:
    """Every pod that is not gone, or that went since then, as the last listing that had it showed it."""
    present = select(PodRow).where(still_there(gone_since), col(PodRow.status).is_not(None))
    return {PodId(row.pod_id): _snapshot(row) for row in session.exec(present)}


def still_there(gone_since: datetime | None = None) -> ColumnElement[bool]:
    """The condition: not gone, or gone since then."""
    there = col(PodRow.gone_at).is_(None)
    return there if gone_since is None else there | (col(PodRow.gone_at) >= gone_since)


def gone_times(session: Session, since: datetime) -> dict[PodId, datetime]:
    """When each pod went that is gone, and went since then."""
    gone = select(PodRow.pod_id, PodRow.gone_at).where(col(PodRow.gone_at) >= since)
    return {PodId(pod_id): at for pod_id, at in session.exec(gone) if at is not None}


def pods_called(session: Session, text: str) -> list[PodId]:
    """The pods that are not gone with this id, or with this name at RunPod."""
    found = select(PodRow.pod_id).where(
        or_(PodRow.pod_id == text, PodRow.name == text), col(PodRow.gone_at).is_(None)
    )
    return [PodId(pod_id) for pod_id in session.exec(found.order_by(PodRow.pod_id))]


def is_known(session: Session, pod_id: str) -> bool:
    """Whether this pod id was ever listed."""
    return session.exec(select(PodRow.pod_id).where(PodRow.pod_id == pod_id)).first() is not None


def _put_unreadable(session: Session, entry: Unreadable, here: dict[str, object]) -> None:
    """What an earlier listing showed of it stays."""
    is_there = {**here, "sight": Sight.UNREADABLE, "unreadable": entry.why}
    blank = {"shows_life": False, "locked": False, "cluster_member": False, "actions": []}
    if not insert_new(session, PodRow, {"pod_id": entry.pod_id, **is_there, **blank}):
        change(session, PodRow, col(PodRow.pod_id) == entry.pod_id, **is_there)


def _columns(seen: Snapshot) -> dict[str, object]:
    return {
        "pod_id": seen.pod_id,
        "sight": Sight.SEEN,
        "status": seen.status,
        "mounts": asdict(seen.mounts) if seen.mounts else None,
        "ssh_host": seen.ssh.host if seen.ssh else None,
        "ssh_port": seen.ssh.port if seen.ssh else None,
        "actions": list(seen.actions),
        "unreadable": None,
        **{name: getattr(seen, name) for name in _SAME},
    }


def _snapshot(row: PodRow) -> Snapshot:
    endpoint = row.ssh_host is not None and row.ssh_port is not None
    return Snapshot(
        pod_id=row.pod_id,
        status=Status(str(row.status)),
        mounts=_MOUNTS.validate_python(row.mounts) if row.mounts else None,
        ssh=SshEndpoint(str(row.ssh_host), int(row.ssh_port or 0)) if endpoint else None,
        actions=tuple(str(action) for action in row.actions),
        **{name: getattr(row, name) for name in _SAME},
    )
