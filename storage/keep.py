"""Keeps: time-boxed protections of a pod; and the heartbeats of agents."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from sqlalchemy import ColumnElement
from sqlmodel import Field, Session, SQLModel, col, select

from pods.ids import PodId, UserId
from pods.keeps import KeepTag
from storage.columns import MaybeTime, MaybeWords, Time
from storage.heads import redraw_heads
from storage.rows import change, insert_new, put, read


class KeepRow(SQLModel, table=True):
    """A keep without a readable `until` counts as a keep."""

    __tablename__ = "keep"

    id: str = Field(primary_key=True)
    pod_id: str = Field(index=True)
    given_by: str
    kind: str
    given_at: Time
    until: MaybeTime = None
    told_never_ran_at: MaybeTime = None
    reason: MaybeWords = None
    lifted_by: str | None = None
    lifted_at: MaybeTime = None


class HeartbeatRow(SQLModel, table=True):
    """The last sign of life of an agent about a pod. It says nothing about the pod."""

    __tablename__ = "heartbeat"

    pod_id: str = Field(primary_key=True)
    agent: str = Field(primary_key=True)
    at: Time
    finished_at: MaybeTime = None


@dataclass(frozen=True, slots=True)
class Keep:
    """A keep as it is shown. `kind`: person, agent or flag (`--keep-on-bootstrap-failure`)."""

    id: str
    pod_id: str
    given_by: str
    kind: str
    given_at: datetime
    until: datetime | None
    told_never_ran_at: datetime | None = None
    reason: str | None = None
    lifted_by: str | None = None
    lifted_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """An agent was alive then; and says that it has finished, or not."""

    pod_id: str
    agent: str
    at: datetime
    finished_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class _Tag:
    pod_id: str
    given_by: str
    given_at: datetime
    until: datetime | None
    told_never_ran_at: datetime | None
    lifted_at: datetime | None


_DAMAGED = datetime.min.replace(tzinfo=UTC)
"""In the place of a time that cannot be read."""


def give_keep(session: Session, keep: Keep) -> bool:
    """Protect a pod, which its thread tells. False if this keep was given before."""
    is_new = insert_new(session, KeepRow, asdict(keep))
    if is_new:
        redraw_heads(session, [keep.pod_id], keep.given_at)
    return is_new


def lift_keeps(session: Session, pod_id: str, by: str, at: datetime, *, given_by: str | None = None) -> int:
    """Take away every standing keep of a pod, or those of one giver. Returns how many there were."""
    standing = (col(KeepRow.pod_id) == pod_id) & col(KeepRow.lifted_at).is_(None)
    still = standing & (col(KeepRow.until).is_(None) | (col(KeepRow.until) > at))
    these = still if given_by is None else still & (col(KeepRow.given_by) == given_by)
    lifted = change(session, KeepRow, these, lifted_by=by, lifted_at=at)
    if lifted:
        redraw_heads(session, [pod_id], at)
    return lifted


def shorten_keeps(session: Session, givers: Sequence[str], ends: datetime, at: datetime) -> int:
    """Have what these have given end by then. Returns how many keeps would have lasted longer."""
    longer = col(KeepRow.until).is_(None) | (col(KeepRow.until) > ends)
    these = col(KeepRow.given_by).in_(givers) & col(KeepRow.lifted_at).is_(None) & longer
    pods = session.exec(select(KeepRow.pod_id).where(these).distinct()).all()
    if pods:
        redraw_heads(session, sorted(pods), at)
    return change(session, KeepRow, these, until=ends)


def keeps_of(session: Session, pod_id: str) -> list[Keep]:
    """Every keep that a pod ever had, the newest first, with its reason."""
    return _each(session, col(KeepRow.pod_id) == pod_id)


def keep_tags(session: Session, pod_id: str | None = None) -> dict[PodId, list[KeepTag]]:
    """All keeps by pod, as the judgement takes them, without a word of anybody; of one pod or of all."""
    tags: dict[PodId, list[KeepTag]] = defaultdict(list)
    which = [] if pod_id is None else [col(KeepRow.pod_id) == pod_id]
    for tag in _tags(session, *which):
        pod = PodId(tag.pod_id)
        given = KeepTag(
            pod, UserId(tag.given_by), tag.given_at, tag.until, tag.told_never_ran_at, tag.lifted_at
        )
        tags[pod].append(given)
    return dict(tags)


def _tags(session: Session, *where: ColumnElement[bool]) -> list[_Tag] | list[Keep]:
    try:
        return read(session, _Tag, KeepRow, *where)
    except ValueError:
        return _each(session, *where)


def _each(session: Session, *where: ColumnElement[bool]) -> list[Keep]:
    """The newest first. One in which a time cannot be read is a keep whose end is not known."""
    newest = col(KeepRow.given_at).desc()
    try:
        return read(session, Keep, KeepRow, *where, order_by=[newest])
    except ValueError:
        named = session.exec(select(KeepRow.id).where(*where).order_by(newest)).all()
        return [_one(session, keep_id) for keep_id in named]


def _one(session: Session, keep_id: str) -> Keep:
    this = col(KeepRow.id) == keep_id
    try:
        [found] = read(session, Keep, KeepRow, this)
    except ValueError:
        names = select(KeepRow.pod_id, KeepRow.given_by, KeepRow.kind).where(this)
        pod_id, given_by, kind = session.exec(names).one()
        return Keep(keep_id, pod_id, given_by, kind, _DAMAGED, None)
    return found


def beat(session: Session, heartbeat: Heartbeat) -> None:
    """Write down the last sign of life of an agent about a pod."""
    columns = {name: getattr(heartbeat, name) for name in Heartbeat.__slots__}
    put(session, HeartbeatRow, columns)


def heartbeats(session: Session) -> dict[PodId, list[Heartbeat]]:
    """The last sign of life of every agent about every pod."""
    beats: dict[PodId, list[Heartbeat]] = defaultdict(list)
    for heartbeat in read(session, Heartbeat, HeartbeatRow):
        beats[PodId(heartbeat.pod_id)].append(heartbeat)
    return dict(beats)
