"""What we have seen of each pod over time. Polls change a row; only changes of phase add one."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Field, Session, SQLModel, case, col, select

from pods.episodes import Episode, PodHistory
from pods.has_run import Sign
from pods.ids import PodId
from pods.phase import Phase
from storage.columns import Instant, MaybeTime, Time, moment
from storage.pod import PodRow, still_there
from storage.rows import change, insert_new, put_all, table_of


class HistoryRow(SQLModel, table=True):
    """A pod's history in short, with its open episode."""

    __tablename__ = "history"

    pod_id: str = Field(primary_key=True)
    first_seen_at: Time
    at_first_listing: bool
    last_seen_at: Time
    last_counting_at: MaybeTime = None
    gapless: bool
    counting: int
    has_run: str | None = None
    has_run_at: MaybeTime = None
    started_at: MaybeTime = None
    nulls: int
    nulls_since: MaybeTime = None
    last_unexited_at: MaybeTime = None
    exited_since: MaybeTime = None
    phase: str
    since: Time
    until: Time
    observations: int
    longest_gap_s: float
    episode_started_at: MaybeTime = None


class EpisodeRow(SQLModel, table=True):
    """A closed episode."""

    __tablename__ = "episode"

    pod_id: str = Field(primary_key=True)
    since: Time = Field(primary_key=True, sa_type=Instant)
    until: Time
    phase: str
    observations: int
    longest_gap_s: float
    started_at: MaybeTime = None


class SignOfLifeRow(SQLModel, table=True):
    """A sign of "has run" that no listing shows: a banner, a login, a line of the container's log."""

    __tablename__ = "sign_of_life"

    pod_id: str = Field(primary_key=True)
    sign: str = Field(primary_key=True)
    at: Time


@dataclass(frozen=True, slots=True)
class Step:
    """A history before and after one more observation."""

    before: PodHistory | None
    after: PodHistory


_OPEN = ("phase", "since", "until", "observations", "longest_gap_s", "episode_started_at")
_PLAIN = tuple(name for name in PodHistory._fields if name != "episode")
COLUMNS = (*_PLAIN, *_OPEN)
"""The columns in the order in which `history_of` takes them."""

_PHASES = {phase.value: phase for phase in Phase}
_SIGNS = {sign.value: sign for sign in Sign}
_HAS_RUN = _PLAIN.index("has_run")


def put_histories(session: Session, steps: Iterable[Step]) -> None:
    """Write down what observations made of histories; an episode that ended is written once and for all."""
    steps = list(steps)
    put_all(session, HistoryRow, [_history_columns(step.after) for step in steps])
    ended = [
        {"pod_id": step.after.pod_id, **_episode_columns(step.before.episode)}
        for step in steps
        if step.before and step.before.episode.since != step.after.episode.since
    ]
    put_all(session, EpisodeRow, ended)


def extend_histories(session: Session, last_at: datetime, at: datetime, but: Collection[PodId]) -> int:
    """Add a look at `at` to the history of every pod that was looked at, and counted, at `last_at`.

    All but those in `but` have to be `pods.episodes.steady` and to show what they showed then: this is what
    `pods.episodes.observe` makes of such a look. Returns how many there were.
    """
    row = table_of(HistoryRow).c
    gap_s = (at - last_at).total_seconds()
    grown = {
        "last_seen_at": at,
        "last_counting_at": at,
        "counting": row.counting + 1,
        "nulls": case((row.nulls_since.is_(None), row.nulls), else_=row.nulls + 1),
        "last_unexited_at": case((row.phase == Phase.EXITED, row.last_unexited_at), else_=moment(at)),
        "until": at,
        "observations": row.observations + 1,
        "longest_gap_s": case((row.longest_gap_s < gap_s, gap_s), else_=row.longest_gap_s),
    }
    seen_then = (row.last_seen_at == last_at) & (row.last_counting_at == last_at)
    return change(session, HistoryRow, seen_then & row.pod_id.not_in(but), **grown)


def histories(
    session: Session, only: Collection[PodId] | None = None, gone_since: datetime | None = None
) -> dict[PodId, PodHistory]:
    """The history of every pod that is not gone, or went since then; with `only`, of those of a few."""
    table = table_of(HistoryRow)
    present = select(*(table.c[name] for name in COLUMNS)).join(PodRow, PodRow.pod_id == table.c.pod_id)
    if only is not None:
        present = present.where(table.c.pod_id.in_(only))
    found = session.exec(present.where(still_there(gone_since)))
    return {columns[0]: history_of(columns) for columns in found}


def history(session: Session, pod_id: str) -> PodHistory | None:
    table = table_of(HistoryRow)
    this = select(*(table.c[name] for name in COLUMNS)).where(table.c.pod_id == pod_id)
    columns = session.exec(this).first()
    return history_of(columns) if columns else None


def silent_since(session: Session, pod_id: str) -> datetime | None:
    """Since when it shows nothing that runs, gaps included. None: it shows something, or was never seen."""
    silent = select(HistoryRow.since).where(
        col(HistoryRow.pod_id) == pod_id, col(HistoryRow.phase) == Phase.NO_RUNTIME
    )
    return session.exec(silent).first()


def episodes_of(session: Session, pod_id: str) -> tuple[Episode, ...]:
    """Every episode of a pod, the first first, the open one last."""
    closed = select(EpisodeRow).where(EpisodeRow.pod_id == pod_id).order_by(col(EpisodeRow.since))
    ended = tuple(
        _episode(row.phase, row.since, row.until, row.observations, row.longest_gap_s, row.started_at)
        for row in session.exec(closed)
    )
    now = history(session, pod_id)
    return (*ended, now.episode) if now else ended


def all_episodes(session: Session, gone_since: datetime | None = None) -> dict[PodId, list[Episode]]:
    """Every episode of every pod that is not gone, or went since then, the first first, the open one last."""
    closed = select(EpisodeRow).join(PodRow, col(PodRow.pod_id) == col(EpisodeRow.pod_id))
    found: dict[PodId, list[Episode]] = defaultdict(list)
    for row in session.exec(closed.where(still_there(gone_since)).order_by(col(EpisodeRow.since))):
        found[PodId(row.pod_id)].append(
            _episode(row.phase, row.since, row.until, row.observations, row.longest_gap_s, row.started_at)
        )
    for pod_id, past in histories(session, gone_since=gone_since).items():
        found[pod_id].append(past.episode)
    return dict(found)


def saw_life(session: Session, pod_id: str, sign: Sign, at: datetime) -> bool:
    """A sign of "has run" that no listing shows. It never expires. False if it was seen before."""
    return insert_new(session, SignOfLifeRow, {"pod_id": pod_id, "sign": sign, "at": at})


def signs_of_life(session: Session) -> dict[PodId, dict[Sign, datetime]]:
    """Every such sign, by pod, with its first time."""
    signs: dict[PodId, dict[Sign, datetime]] = defaultdict(dict)
    for pod_id, sign, at in session.exec(select(SignOfLifeRow.pod_id, SignOfLifeRow.sign, SignOfLifeRow.at)):
        signs[PodId(pod_id)][Sign(sign)] = at
    return dict(signs)


def history_of(columns: Sequence[Any]) -> PodHistory:
    """A history from its columns; called once for every pod of a pass."""
    values = list(columns[: len(_PLAIN)])
    if values[_HAS_RUN] is not None:
        values[_HAS_RUN] = _SIGNS[values[_HAS_RUN]]
    values.append(_episode(*columns[len(_PLAIN) :]))
    return PodHistory(*values)


def _episode(
    phase: str,
    since: datetime,
    until: datetime,
    observations: int,
    longest_gap_s: float,
    started_at: datetime | None,
) -> Episode:
    return Episode(_PHASES[phase], since, until, observations, timedelta(seconds=longest_gap_s), started_at)


def _history_columns(history: PodHistory) -> dict[str, object]:
    episode = _episode_columns(history.episode)
    episode["episode_started_at"] = episode.pop("started_at")
    return {**{name: getattr(history, name) for name in _PLAIN}, **episode}


def _episode_columns(episode: Episode) -> dict[str, object]:
    return {
        "phase": episode.phase,
        "since": episode.since,
        "until": episode.until,
        "observations": episode.observations,
        "longest_gap_s": episode.longest_gap.total_seconds(),
        "started_at": episode.started_at,
    }
