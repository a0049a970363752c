"""What people and confirmed agents have said about whose a pod is, in structured form, never in words."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

from sqlmodel import Field, Session, SQLModel, col, select

from pods.ids import PodId, UserId
from pods.ownership import (
    Claim,
    ClaimSource,
    Confirmation,
    Give,
    Objection,
    Ruling,
    Statement,
    Withdrawal,
)
from storage.columns import MaybeTime, Time
from storage.keys import new_key
from storage.outbox import OutboxRow
from storage.rows import CHUNK, change, insert_new, read_one
from storage.switch import Switch, switches
from storage.switches import OPS_CHANNEL_LOST
from storage.whose_messages import announcement_name, redraw_whose


class StatementRow(SQLModel, table=True):
    """One statement about one pod id. Nothing is ever overwritten: the next statement changes the picture."""

    __tablename__ = "statement"

    id: str = Field(primary_key=True)
    pod_id: str = Field(index=True)
    kind: str
    owner: str = Field(index=True)
    """Whose claim it is about; of a gift: the giver."""
    said_by: str | None = None
    receiver: str | None = None
    source: str | None = None
    at: Time


class HandOverRow(SQLModel, table=True):
    """An owner's offer of a pod to somebody else. It becomes a statement once it is accepted."""

    __tablename__ = "hand_over"

    id: str = Field(primary_key=True)
    pod_id: str = Field(index=True)
    giver: str
    receiver: str
    offered_by: str
    at: Time
    accepted_at: MaybeTime = None


@dataclass(frozen=True, slots=True)
class HandOver:
    """An offer, open until it is accepted."""

    id: str
    pod_id: str
    giver: str
    receiver: str
    offered_by: str
    at: datetime
    accepted_at: datetime | None = None


def say(session: Session, statement: Statement) -> str:
    """Write down a statement, and have what shows whose the pod is tell the present picture. Returns its id,
    which buttons carry."""
    statement_id = new_key()
    values = {"id": statement_id, "pod_id": statement.pod_id, "at": statement.at, **_columns(statement)}
    session.add(StatementRow.model_validate(values))
    session.flush()
    redraw_whose(session, statement.pod_id, claims_about(session, statement.pod_id), statement.at)
    return statement_id


def statement(session: Session, statement_id: str) -> Statement | None:
    row = session.get(StatementRow, statement_id)
    return _statement(row) if row else None


def statements(session: Session, pod_id: str | None = None) -> dict[PodId, list[Statement]]:
    """Everything that was said, by pod, the first first; of one pod or of all that are not gone."""
    rows = select(StatementRow).order_by(col(StatementRow.at), col(StatementRow.id))
    if pod_id is not None:
        rows = rows.where(StatementRow.pod_id == pod_id)
    found = session.exec(rows).all()
    announced = _announced(session, [row.id for row in found if row.kind == "claim"])
    lost = switches(session).get(OPS_CHANNEL_LOST)
    said: dict[PodId, list[Statement]] = defaultdict(list)
    for row in found:
        said[PodId(row.pod_id)].append(_heard(_statement(row), announced.get(row.id, row.at), lost))
    return dict(said)


def _announced(session: Session, claim_ids: Sequence[str]) -> dict[str, datetime | None]:
    """When the announcements of these claims reached the ops channel; None: not yet. Some have none."""
    names = {announcement_name(claim_id): claim_id for claim_id in claim_ids}
    sent = select(OutboxRow.dedupe, OutboxRow.delivered_at)
    return {
        names[name]: at
        for start in range(0, len(claim_ids), CHUNK)
        for name, at in session.exec(sent.where(col(OutboxRow.dedupe).in_([*names][start : start + CHUNK])))
    }


def _heard(said: Statement, announced_at: datetime | None, lost: Switch | None) -> Statement:
    """A claim as all could hear of it: it waited, if the ops channel was lost when it was made."""
    if not isinstance(said, Claim):
        return said
    if announced_at is None:
        return replace(said, unheard=True)
    waited = lost is not None and said.at < lost.set_at <= announced_at
    return replace(said, heard_at=announced_at) if waited else said


def offer(session: Session, hand_over: HandOver) -> bool:
    """Write down an offer. False if there is one with this id."""
    values = {name: getattr(hand_over, name) for name in HandOver.__slots__}
    return insert_new(session, HandOverRow, values)


def hand_over(session: Session, hand_over_id: str) -> HandOver | None:
    return read_one(session, HandOver, HandOverRow, col(HandOverRow.id) == hand_over_id)


def accept(session: Session, offered: HandOver, at: datetime) -> bool:
    """The receiver takes the pod. False if it was accepted before."""
    open_offer = (col(HandOverRow.id) == offered.id) & col(HandOverRow.accepted_at).is_(None)
    if change(session, HandOverRow, open_offer, accepted_at=at) == 0:
        return False
    say(session, Give(PodId(offered.pod_id), UserId(offered.giver), UserId(offered.receiver), at))
    return True


def _columns(statement: Statement) -> dict[str, str]:
    match statement:
        case Claim(owner=owner, source=source):
            return {"kind": "claim", "owner": owner, "source": source}
        case Objection(owner=owner, by=by):
            return {"kind": "objection", "owner": owner, "said_by": by}
        case Confirmation(owner=owner, by=by):
            return {"kind": "confirmation", "owner": owner, "said_by": by}
        case Withdrawal(owner=owner):
            return {"kind": "withdrawal", "owner": owner}
        case Give(giver=giver, receiver=receiver):
            return {"kind": "give", "owner": giver, "receiver": receiver}
        case Ruling(owner=owner, by=by):
            return {"kind": "ruling", "owner": owner, "said_by": by}
        case _:
            assert_never(statement)


def _statement(row: StatementRow) -> Statement:
    pod_id, owner, by = PodId(row.pod_id), UserId(row.owner), UserId(str(row.said_by))
    match row.kind:
        case "claim":
            return Claim(pod_id, owner, row.at, ClaimSource(str(row.source)))
        case "objection":
            return Objection(pod_id, owner, by, row.at)
        case "confirmation":
            return Confirmation(pod_id, owner, by, row.at)
        case "withdrawal":
            return Withdrawal(pod_id, owner, row.at)
        case "give":
            return Give(pod_id, owner, UserId(str(row.receiver)), row.at)
        case "ruling":
            return Ruling(pod_id, owner, by, row.at)
        case unknown:
            raise ValueError(f"a statement of the unknown kind {unknown!r} about pod {row.pod_id}")


def claims_about(session: Session, pod_id: str) -> dict[str, Claim]:
    """Every claim on a pod, by its id, the first first."""
    rows = select(StatementRow).where(StatementRow.pod_id == pod_id, StatementRow.kind == "claim")
    found = {row.id: _statement(row) for row in session.exec(rows.order_by(col(StatementRow.at)))}
    return {each: said for each, said in found.items() if isinstance(said, Claim)}
