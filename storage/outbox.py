"""Messages on their way out: a row first, then Slack.

One row is one message in Slack, for as long as it is redrawn. It says what the message is about (a kind and
ids, never its text). `wanted` counts how often it was asked to be drawn and `drawn` up to which of these it
was: a change that comes while it is being sent is sent after it, and ten changes in a row are one edit.
"""

from collections.abc import Collection
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import case, func
from sqlmodel import Field, Session, SQLModel, col, select

from storage.columns import Instant, Json, JsonObject, MaybeTime, MaybeWords, Time, moment
from storage.keys import new_key
from storage.leases import Lease, claim_due, release, renew
from storage.rows import change, insert_new, read, read_one, table_of

MOST_AT_ONCE = 200


class OutboxRow(SQLModel, table=True):
    """One message: where it goes, whether it got there, and where it is now."""

    __tablename__ = "outbox"

    id: str = Field(primary_key=True)
    dedupe: str = Field(unique=True)
    target: str
    thread_of: str | None = None
    kind: str
    refs: Json
    urgent: bool = False
    created_at: Time
    due_at: MaybeTime = Field(default=None, sa_type=Instant, index=True)
    lease_until: MaybeTime = None
    fencing: int = 0
    attempts: int = 0
    refused: int = 0
    wanted: int = 1
    drawn: int = 0
    error: MaybeWords = None
    channel: str | None = None
    ts: str | None = None
    delivered_at: MaybeTime = Field(default=None, sa_type=Instant, index=True)
    gave_up_at: MaybeTime = None


@dataclass(frozen=True, slots=True)
class Letter:
    """A message to be sent.

    `dedupe` names it for ever: the same again is not sent. `target` is a channel or a user id. `thread_of` is
    the id of the message in whose thread it goes.
    """

    dedupe: str
    target: str
    kind: str
    refs: JsonObject = field(default_factory=dict)
    thread_of: str | None = None
    urgent: bool = False


@dataclass(frozen=True, slots=True)
class Sending:
    """A message in a sender's hands. With `ts` it is in Slack already and is to be redrawn.

    `attempts`: this one included. `refused`: how many of them certainly did not reach Slack.
    """

    id: str
    target: str
    thread_of: str | None
    kind: str
    refs: JsonObject
    urgent: bool
    created_at: datetime
    attempts: int
    refused: int
    wanted: int
    fencing: int
    channel: str | None
    ts: str | None

    @property
    def in_doubt(self) -> bool:
        """An earlier attempt may have reached Slack: its answer was lost, or its sender was."""
        return self.attempts - 1 > self.refused


@dataclass(frozen=True, slots=True)
class Delivered:
    """Where a message is in Slack, and when Slack took it first. All None: not yet."""

    id: str
    channel: str | None
    ts: str | None
    delivered_at: datetime | None
    gave_up_at: datetime | None


def send(session: Session, letter: Letter, now: datetime, not_before: datetime | None = None) -> str:
    """Have a message sent, once. Returns the id of its row, also if it was there before."""
    values = {"id": new_key(), **asdict(letter), "created_at": now, "due_at": not_before or now}
    counts = {"fencing": 0, "attempts": 0, "refused": 0, "wanted": 1, "drawn": 0}
    insert_new(session, OutboxRow, {**values, **counts})
    return session.exec(select(OutboxRow.id).where(OutboxRow.dedupe == letter.dedupe)).one()


def is_known(session: Session, dedupe: str) -> bool:
    """Whether there was such a message before."""
    return session.exec(select(OutboxRow.id).where(OutboxRow.dedupe == dedupe)).first() is not None


def redraw(session: Session, message_id: str, now: datetime) -> bool:
    """Have a message drawn anew from the present facts. False if there is none, or it was given up.

    One that is not in Slack yet leaves when it is due, drawn from the facts of then: not before.
    """
    columns = table_of(OutboxRow).c
    this = (columns.id == message_id) & columns.gave_up_at.is_(None)
    keeps_its_time = columns.delivered_at.is_(None) | (columns.due_at < now)
    due = case((keeps_its_time, columns.due_at), else_=moment(now))
    return change(session, OutboxRow, this, wanted=columns.wanted + 1, due_at=due) == 1


def take_due(
    session: Session, now: datetime, lease_for: timedelta, a_target: int, but: Collection[str] = ()
) -> list[Sending]:
    """Take messages that are due: so many of each target, and none of those in `but`. What is urgent goes
    first, unless it is in a thread, which has its order; then what has been due the longest."""
    columns = table_of(OutboxRow).c
    jumps = columns.urgent & columns.thread_of.is_(None)
    first = case((jumps, 0), else_=1)
    place = func.row_number().over(partition_by=columns.target, order_by=(first, columns.due_at, columns.id))
    due = (columns.due_at <= now) & columns.target.not_in(but)
    queued = select(columns.id, place.label("place")).where(due).subquery()
    next_ones = columns.id.in_(select(queued.c.id).where(queued.c.place <= a_target))
    leases = claim_due(session, OutboxRow, now, lease_for, MOST_AT_ONCE, next_ones)
    order = {lease.id: at for at, lease in enumerate(leases)}
    mine = col(OutboxRow.id).in_(order)
    change(session, OutboxRow, mine, attempts=columns.attempts + 1)
    taken = read(session, Sending, OutboxRow, mine)
    return sorted(taken, key=lambda one: (not one.urgent or one.thread_of is not None, order[one.id]))


def hold(session: Session, sending: Sending, lease_for: timedelta) -> bool:
    """Keep it in hand for so long from now. False: another has taken it since."""
    return renew(session, OutboxRow, Lease(sending.id, sending.fencing), lease_for)


def delivered(session: Session, sent: Sending, channel: str, ts: str, at: datetime) -> bool:
    """Slack took it. It is due again at once if it was asked to be redrawn meanwhile.

    False if another has taken it since: then it may be in Slack twice, and the caller knows this one's place.
    """
    columns = table_of(OutboxRow).c
    return release(
        session,
        OutboxRow,
        Lease(sent.id, sent.fencing),
        channel=channel,
        ts=ts,
        delivered_at=func.coalesce(columns.delivered_at, moment(at)),
        drawn=sent.wanted,
        attempts=0,
        refused=0,
        error=None,
        due_at=case((columns.wanted > sent.wanted, moment(at)), else_=moment(None)),
    )


def put_off(session: Session, sent: Sending, due_at: datetime, error: str, *, lost: bool = False) -> bool:
    """Slack did not take it, or nobody knows (`lost`); again at that time. False if another has it since."""
    refused = sent.refused if lost else sent.refused + 1
    lease = Lease(sent.id, sent.fencing)
    return release(session, OutboxRow, lease, due_at=due_at, error=error, refused=refused)


def give_up(session: Session, sent: Sending, at: datetime, error: str) -> bool:
    """Slack will never take it. False if another has taken it since."""
    lease = Lease(sent.id, sent.fencing)
    return release(session, OutboxRow, lease, due_at=None, gave_up_at=at, error=error)


def place_of(session: Session, message_id: str) -> Delivered | None:
    """Where a message is now."""
    return read_one(session, Delivered, OutboxRow, col(OutboxRow.id) == message_id)


def sent_to(session: Session, channel: str, ts: str) -> str | None:
    """Whom or where the message was addressed to that is now there. None: it is none of ours."""
    is_there = (OutboxRow.channel == channel, OutboxRow.ts == ts)
    return session.exec(select(OutboxRow.target).where(*is_there)).first()


def waits_behind(session: Session, sending: Sending) -> bool:
    """An earlier message of the same thread is not in Slack yet: this one must not overtake it."""
    columns = table_of(OutboxRow).c
    earlier = select(OutboxRow.id).where(
        columns.thread_of == sending.thread_of,
        columns.created_at < moment(sending.created_at),
        columns.delivered_at.is_(None),
        columns.gave_up_at.is_(None),
    )
    return sending.thread_of is not None and session.exec(earlier.limit(1)).first() is not None


def oldest_waiting(session: Session) -> datetime | None:
    """Since when the message has been due that waits longest; None: nothing waits."""
    return session.exec(select(func.min(OutboxRow.due_at, type_=Instant))).one()


def waiting(session: Session, kind: str) -> int:
    """How many messages of a kind are not in Slack as they are to be, and were not given up."""
    columns = table_of(OutboxRow).c
    due = select(func.count()).where(columns.kind == kind, columns.due_at.is_not(None))
    return session.exec(due).one()


def message_called(session: Session, dedupe: str) -> str | None:
    """The id of the message with this name, if it was ever to be sent."""
    return session.exec(select(OutboxRow.id).where(OutboxRow.dedupe == dedupe)).first()
