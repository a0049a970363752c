"""Deeds: destructive acts, from the intent to the proof that they took."""

from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import StrEnum

from sqlalchemy import Index, text
from sqlmodel import Field, Session, SQLModel, col, func, select

from storage.columns import Instant, Json, JsonObject, MaybeTime, MaybeWords, Time
from storage.rows import change, insert_new, read, read_one

OPEN = text("finished_at IS NULL")
STOP = "stop"
"""The path after which the pod is still there."""


class DeedState(StrEnum):
    """How far it has come. All but the first three are final."""

    DUE = "due"
    """Written down; not before `not_before`, and it can be undone."""
    ACTING = "acting"
    """An attempt was written down and made, or may have been."""
    CONFIRMING = "confirming"
    """Accepted by the provider; not yet read back as gone and missing from a complete listing."""
    DONE = "done"
    UNDONE = "undone"
    REFUSED = "refused"
    """A guard stopped it before any attempt."""
    FAILED = "failed"
    """The provider says that it cannot be done."""


class DeedRow(SQLModel, table=True):
    """One act on one pod. A pod has at most one that is not finished."""

    __tablename__ = "deed"
    __table_args__ = (Index("uq_deed_open", "pod_id", unique=True, sqlite_where=OPEN, postgresql_where=OPEN),)

    id: str = Field(primary_key=True)
    path: str
    pod_id: str = Field(index=True)
    fingerprint: str
    owner: str | None = None
    actor: str
    agent: str | None = None
    question_id: str | None = None
    provision_id: str | None = None
    episode: str | None = None
    reason: MaybeWords = None
    evidence: Json
    created_at: Time
    not_before: Time
    start_by: MaybeTime = None
    state: str
    attempts: int = 0
    due_at: MaybeTime = Field(default=None, sa_type=Instant, index=True)
    lease_until: MaybeTime = None
    fencing: int = 0
    attempted_at: MaybeTime = None
    answer_status: int | None = None
    answered_at: MaybeTime = None
    read_back_status: int | None = None
    read_back_at: MaybeTime = None
    absent_at: MaybeTime = None
    outcome: str | None = None
    finished_at: MaybeTime = Field(default=None, sa_type=Instant, index=True)
    usd_per_hour: float | None = None


@dataclass(frozen=True, slots=True)
class Deed:
    """One act. `path` is one of the guard table; `episode` names the state of the pod that it is about.

    `attempted_at` is written before the provider is called, `answer_status` after; None: no answer was seen.
    """

    id: str
    path: str
    pod_id: str
    fingerprint: str
    actor: str
    created_at: datetime
    not_before: datetime
    due_at: datetime | None
    owner: str | None = None
    agent: str | None = None
    question_id: str | None = None
    provision_id: str | None = None
    episode: str | None = None
    reason: str | None = None
    evidence: JsonObject = field(default_factory=dict)
    start_by: datetime | None = None
    state: DeedState = DeedState.DUE
    attempts: int = 0
    attempted_at: datetime | None = None
    answer_status: int | None = None
    answered_at: datetime | None = None
    read_back_status: int | None = None
    read_back_at: datetime | None = None
    absent_at: datetime | None = None
    outcome: str | None = None
    finished_at: datetime | None = None
    usd_per_hour: float | None = None
    fencing: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "state", DeedState(self.state))


def intend(session: Session, deed: Deed) -> bool:
    """Write down the intent. False if an act on this pod is under way, or this one was written before."""
    return insert_new(session, DeedRow, asdict(deed))


def undo(session: Session, deed_id: str, at: datetime, by: str) -> bool:
    """Call it off. False if it has begun, or is over."""
    untouched = (col(DeedRow.id) == deed_id) & (col(DeedRow.state) == DeedState.DUE)
    return (
        change(
            session,
            DeedRow,
            untouched,
            state=DeedState.UNDONE,
            outcome=f"undone by {by}",
            finished_at=at,
            due_at=None,
        )
        == 1
    )


def deed(session: Session, deed_id: str) -> Deed | None:
    return read_one(session, Deed, DeedRow, col(DeedRow.id) == deed_id)


def deeds_of(session: Session, pod_id: str) -> list[Deed]:
    """Every act on a pod, the newest first."""
    newest = col(DeedRow.created_at).desc()
    return read(session, Deed, DeedRow, col(DeedRow.pod_id) == pod_id, order_by=[newest])


def open_deeds(session: Session) -> dict[str, Deed]:
    """Every act that is not finished, by its pod."""
    unfinished = col(DeedRow.finished_at).is_(None)
    return {found.pod_id: found for found in read(session, Deed, DeedRow, unfinished)}


TAKEN = (204, 404)
"""What the provider answers to an end that it takes, or that has come about."""


def ended_and_read_back(session: Session) -> set[str]:
    """The pods whose end the provider took from us and that a later read confirmed with 404.

    One that was found gone before we said anything is not among them: we did not end it. Nor is one of whose
    end the provider said nothing, or an error: a 404 alone may be a key that has lost its scope.
    """
    ended = select(DeedRow.pod_id).where(
        col(DeedRow.path) != STOP,
        DeedRow.attempts > 0,
        col(DeedRow.answer_status).in_(TAKEN),
        DeedRow.read_back_status == 404,
        col(DeedRow.state).in_([DeedState.CONFIRMING, DeedState.DONE]),
    )
    return set(session.exec(ended))


def episodes_with_deed(session: Session, path: str) -> set[tuple[str, str | None]]:
    """The pods, and states of them, that have an act by this path, or had one that was attempted."""
    acted = select(DeedRow.pod_id, DeedRow.episode).where(
        DeedRow.path == path, col(DeedRow.state).not_in([DeedState.UNDONE, DeedState.REFUSED])
    )
    return {(pod_id, episode) for pod_id, episode in session.exec(acted)}


def count_since(
    session: Session, path: str, since: datetime, *, owner: str | None = None, agent: str | None = None
) -> int:
    """How many acts by this path were intended since then, without the undone and the refused: for limits."""
    counted = select(func.count()).where(
        DeedRow.path == path,
        DeedRow.created_at >= since,
        col(DeedRow.state).not_in([DeedState.UNDONE, DeedState.REFUSED]),
    )
    if owner is not None:
        counted = counted.where(DeedRow.owner == owner)
    if agent is not None:
        counted = counted.where(DeedRow.agent == agent)
    return session.exec(counted).one()
