"""What we ourselves did: wishes, create calls, the pods that came of them. The only source of `proved`."""

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from pydantic import ValidationError
from sqlalchemy import case
from sqlmodel import Session, col, func, select

from pods.ids import PodId, ProvisionId, UserId
from pods.ownership import LedgerRecord
from pods.provision.outcomes import ENDINGS
from pods.provision.stages import UNDER_WAY
from pods.provision.value import CreateCall, Provision, from_json, to_json
from storage.columns import moment
from storage.leases import Lease, apply, claim, claim_due, release
from storage.pod import PodRow
from storage.provision import CreateCallRow, ProvisionLineRow, ProvisionRow
from storage.rows import change, insert_new, put_all, read, read_one, table_of

REFUSED = "refused"
"""A create call that the provider refused: no pod came of it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asked for a provision, for whom, and through which door.

    `channel`: where its thread is to be; `notify`: who is mentioned at the end beside the asker.
    """

    owner: str
    asker: str
    door: str
    agent: str | None = None
    notify: str | None = None
    channel: str | None = None


@dataclass(frozen=True, slots=True)
class ProvisionRecord:
    """A provision as the ledger holds it. `run` is for `provision_of`."""

    id: str
    name: str
    owner: str
    asker: str
    agent: str | None
    door: str
    notify: str | None
    channel: str | None
    head_message: str | None
    created_at: datetime
    run: str
    stage: str
    stage_since: datetime
    deadline_at: datetime | None
    pod_id: str | None
    gpu: str | None
    usd_per_hour: float | None
    reached_at: datetime | None
    logged_in_at: datetime | None
    fence_at: datetime | None
    outcome: str | None
    exit_code: int | None
    finished_at: datetime | None
    cancelled_by: str | None
    cancelled_at: datetime | None
    retry_by: str | None
    retry_at: datetime | None
    go_on_by: str | None
    go_on_at: datetime | None
    decided_by: str | None
    decided_at: datetime | None
    name_freed_at: datetime | None
    asks: int
    updated_at: datetime
    fencing: int


def provision_of(record: ProvisionRecord) -> Provision:
    """The value that the state machine decides on. Raises `pydantic.ValidationError` for a damaged row."""
    return from_json(record.run)


def readable(record: ProvisionRecord) -> Provision | None:
    """The same; None for a damaged row, which must not keep whoever reads many from the others."""
    try:
        return provision_of(record)
    except ValidationError:
        return None


def wish(session: Session, provision: Provision, asked: Asked, now: datetime) -> bool:
    """Write down a wish, to be looked at now. False if its name is in use, or it was written before."""
    new = {"id": provision.id, "name": provision.order.name, **asdict(asked), "created_at": now}
    state = {**_projected(provision), "due_at": now, "updated_at": now, "asks": 0, "fencing": 0}
    return insert_new(session, ProvisionRow, {**new, **state})


def take(session: Session, provision_id: str, lease_for: timedelta) -> ProvisionRecord | None:
    """Take this provision in hand. None if somebody else has it, or it does not exist."""
    lease = claim(session, ProvisionRow, provision_id, lease_for)
    return record(session, provision_id) if lease else None


def take_due(session: Session, now: datetime, lease_for: timedelta, limit: int) -> list[ProvisionRecord]:
    """Take in hand what is due and nobody has, the longest due first."""
    leases = claim_due(session, ProvisionRow, now, lease_for, limit)
    order = {lease.id: place for place, lease in enumerate(leases)}
    mine = read(session, ProvisionRecord, ProvisionRow, col(ProvisionRow.id).in_(order))
    return sorted(mine, key=lambda taken: order[taken.id])


def write(
    session: Session,
    taken: ProvisionRecord,
    provision: Provision,
    now: datetime,
    due_at: datetime | None,
    *,
    stored: Provision | None = None,
    let_go: bool = False,
) -> bool:
    """Write what the state machine made of it: the row, its create calls, its new lines.

    False, and nothing is written, if another has taken it in hand since. `due_at` None: nothing is left to
    do. If somebody asked for something since it was taken, to call it off for instance, it is due at once.
    `stored`: how it was written last, so that what has not changed need not be written again.
    """
    columns = table_of(ProvisionRow).c
    changes = {**_projected(provision), "updated_at": now}
    changes["due_at"] = case((columns.asks > taken.asks, moment(now)), else_=moment(due_at))
    changes["reached_at"] = func.coalesce(columns.reached_at, moment(now if provision.reach.banner else None))
    logged_in_at = moment(now if provision.reach.logged_in else None)
    changes["logged_in_at"] = func.coalesce(columns.logged_in_at, logged_in_at)
    changes["finished_at"] = now if provision.stage not in UNDER_WAY else None
    changes |= {"lease_until": None} if let_go else {}
    if not apply(session, ProvisionRow, Lease(taken.id, taken.fencing), **changes):
        return False
    if stored is None or stored.calls != provision.calls:
        _write_calls(session, provision, now)
    if stored is None or stored.lines != provision.lines:
        _write_lines(session, provision)
    return True


def put_off(session: Session, taken: ProvisionRecord, due_at: datetime | None) -> bool:
    """Let go of it as it is, to be looked at again then. False if another has taken it in hand since.

    `due_at` None: nothing is left to do, unless somebody asked for something since it was taken.
    """
    columns = table_of(ProvisionRow).c
    due = case((columns.asks > taken.asks, columns.due_at), else_=moment(due_at))
    return release(session, ProvisionRow, Lease(taken.id, taken.fencing), due_at=due)


def record(session: Session, provision_id: str) -> ProvisionRecord | None:
    return read_one(session, ProvisionRecord, ProvisionRow, col(ProvisionRow.id) == provision_id)


def record_of_pod(session: Session, pod_id: str) -> ProvisionRecord | None:
    """The provision whose create call made this pod."""
    made = select(CreateCallRow.provision_id).where(CreateCallRow.pod_id == pod_id)
    provision_id = session.exec(made).first()
    return record(session, provision_id) if provision_id else None


def made_since(session: Session, at: datetime) -> bool:
    """Whether a create call was answered with a pod after that."""
    answered = (col(CreateCallRow.ended_at) > at) & col(CreateCallRow.pod_id).is_not(None)
    return session.exec(select(CreateCallRow.pod_id).where(answered).limit(1)).first() is not None


def finish_times(session: Session) -> dict[PodId, datetime | None]:
    """When the provision of each pod that is ours and not gone was over; None: it is under way."""
    made = (
        select(CreateCallRow.pod_id, ProvisionRow.finished_at)
        .join(ProvisionRow, col(CreateCallRow.provision_id) == col(ProvisionRow.id))
        .join(PodRow, col(PodRow.pod_id) == col(CreateCallRow.pod_id))
        .where(col(PodRow.gone_at).is_(None))
    )
    return {PodId(str(pod_id)): finished_at for pod_id, finished_at in session.exec(made)}


def named(session: Session, name: str) -> ProvisionRecord | None:
    """The provision that has this NAME now."""
    live = col(ProvisionRow.name_freed_at).is_(None)
    return read_one(session, ProvisionRecord, ProvisionRow, col(ProvisionRow.name) == name, live)


def live_names(session: Session) -> dict[str, ProvisionId]:
    """Every NAME that is in use."""
    names = select(ProvisionRow.name, ProvisionRow.id).where(col(ProvisionRow.name_freed_at).is_(None))
    return {name: ProvisionId(provision_id) for name, provision_id in session.exec(names)}


def records(
    session: Session, *, owner: str | None = None, agent: str | None = None, since: datetime | None = None
) -> list[ProvisionRecord]:
    """Provisions, the newest first."""
    where = []
    if owner is not None:
        where.append(col(ProvisionRow.owner) == owner)
    if agent is not None:
        where.append(col(ProvisionRow.agent) == agent)
    if since is not None:
        where.append(col(ProvisionRow.created_at) >= since)
    newest = col(ProvisionRow.created_at).desc()
    return read(session, ProvisionRecord, ProvisionRow, *where, order_by=[newest])


def lines(session: Session, provision_id: str) -> list[tuple[datetime, str]]:
    """Every line that was told of it, in order."""
    told = select(ProvisionLineRow.at, ProvisionLineRow.line).where(
        ProvisionLineRow.provision_id == provision_id
    )
    return list(session.exec(told.order_by(col(ProvisionLineRow.n))))


def ledger_records(session: Session, pod_id: str | None = None) -> dict[PodId, LedgerRecord]:
    """Which pods our create calls made, for whom; of one pod or of all."""
    made = select(CreateCallRow.pod_id, ProvisionRow.id, ProvisionRow.owner, CreateCallRow.started_at).join(
        ProvisionRow, col(CreateCallRow.provision_id) == col(ProvisionRow.id)
    )
    which = col(CreateCallRow.pod_id).is_not(None) if pod_id is None else col(CreateCallRow.pod_id) == pod_id
    return {
        PodId(str(pod)): LedgerRecord(PodId(str(pod)), ProvisionId(provision), UserId(owner), called_at)
        for pod, provision, owner, called_at in session.exec(made.where(which))
    }


def _projected(provision: Provision) -> dict[str, object]:
    ending = ENDINGS[provision.outcome] if provision.outcome else None
    pod = provision.pod
    return {
        "run": to_json(provision),
        "stage": provision.stage,
        "stage_since": provision.stage_since,
        "deadline_at": provision.deadline,
        "keep_on_failure": provision.order.keep_on_bootstrap_failure,
        "pod_id": pod.pod_id if pod else None,
        "gpu": pod.gpu if pod else None,
        "usd_per_hour": pod.usd_per_hour if pod else None,
        "outcome": provision.outcome,
        "exit_code": ending.exit_code if ending else None,
    }


def _write_calls(session: Session, provision: Provision, now: datetime) -> None:
    put_all(session, CreateCallRow, [_call_columns(provision.id, call) for call in provision.calls])
    columns = table_of(CreateCallRow).c
    forgotten = (
        (columns.provision_id == provision.id)
        & columns.n.not_in([call.number for call in provision.calls])
        & columns.pod_id.is_(None)
        & (columns.state != REFUSED)
    )
    change(session, CreateCallRow, forgotten, state=REFUSED, ended_at=now)


def _call_columns(provision_id: str, call: CreateCall) -> dict[str, object]:
    return {
        "provision_id": provision_id,
        "n": call.number,
        "token": call.token,
        "started_at": call.asked_at,
        "ended_at": call.ended_at,
        "state": call.state,
        "pod_id": call.pod_id,
    }


def _write_lines(session: Session, provision: Provision) -> None:
    counted = select(func.count()).where(ProvisionLineRow.provision_id == provision.id)
    told = session.exec(counted).one()
    new = [
        {"provision_id": provision.id, "n": n, "at": said.at, "line": said.line}
        for n, said in enumerate(provision.lines[told:], told + 1)
    ]
    put_all(session, ProvisionLineRow, new)
