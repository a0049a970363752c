"""The facts of all pods for one pass of the judgement, in one query: columns in, frozen values out.

No name, no note, no words of anybody are selected here; a test holds that against the types of the columns.
"""

from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, Table, case, select
from sqlmodel import Session

from pods.facts import Sight
from pods.ids import PodId, ProvisionId, UserId
from pods.ownership import LedgerRecord
from pods.phase import Phase
from storage.history import HistoryRow
from storage.pod import PodRow
from storage.provision import CreateCallRow, ProvisionRow
from storage.rows import table_of

Column = ColumnElement[Any]


class FleetPod(NamedTuple):
    """One pod as the last listing, our history of it and our ledger show it.

    Flat, in the order of the columns: a large pass makes a hundred thousand, and one within the other would
    take it longer than to judge them. Codes are as they are stored.
    """

    pod_id: PodId
    sight: str
    phase: str | None
    created_at: datetime | None
    cluster_member: bool
    locked: bool
    progress_at: datetime | None
    gone_at: datetime | None

    first_seen_at: datetime | None
    """None, as everything up to `error_since`: no listing ever showed it."""
    at_first_listing: bool | None
    last_counting_at: datetime | None
    gapless: bool | None
    counting: int | None
    has_run: str | None
    started_at: datetime | None
    nulls: int | None
    nulls_since: datetime | None
    last_unexited_at: datetime | None
    exited_since: datetime | None
    open_phase: str | None
    """The phase of the open episode."""
    error_since: datetime | None

    provision_id: ProvisionId | None
    """None, as everything after it: none of our create calls made it."""
    called_at: datetime | None
    made_for: UserId | None
    agent: str | None
    stage: str | None
    deadline_at: datetime | None
    outcome: str | None
    keep_on_failure: bool | None
    fence_at: datetime | None
    decided_at: datetime | None

    @property
    def ledger(self) -> LedgerRecord | None:
        """What our ledger says of it."""
        if self.provision_id is None or self.made_for is None or self.called_at is None:
            return None
        return LedgerRecord(self.pod_id, self.provision_id, self.made_for, self.called_at)


def facts_of_all(gone_since: datetime) -> Select[*tuple[Any, ...]]:
    """The query: every pod that is not gone, or went since then. Its columns are the fields of `FleetPod`."""
    pod, history = table_of(PodRow), table_of(HistoryRow)
    call, provision = table_of(CreateCallRow), table_of(ProvisionRow)
    return (
        select(*_as_listed(pod), *_as_watched(history), *_as_made(call, provision))
        .join_from(pod, history, history.c.pod_id == pod.c.pod_id, isouter=True)
        .join(call, call.c.pod_id == pod.c.pod_id, isouter=True)
        .join(provision, provision.c.id == call.c.provision_id, isouter=True)
        .where(pod.c.gone_at.is_(None) | (pod.c.gone_at >= gone_since))
    )


def fleet(session: Session, gone_since: datetime) -> list[FleetPod]:
    """Every pod that is not gone, or went since then, in no order."""
    return list(map(FleetPod._make, session.connection().execute(facts_of_all(gone_since)).all()))


def fleet_pod(session: Session, pod_id: str) -> FleetPod | None:
    """One pod, gone or not. None: never listed."""
    this = facts_of_all(datetime.min.replace(tzinfo=UTC)).where(table_of(PodRow).c.pod_id == pod_id)
    columns = session.connection().execute(this).first()
    return FleetPod._make(columns) if columns else None


def never_listed(session: Session, pod_id: str) -> FleetPod:
    """A pod that no listing has shown yet, with what our ledger says of it."""
    call, provision = table_of(CreateCallRow), table_of(ProvisionRow)
    made = _as_made(call, provision)
    ours = select(*made).join_from(call, provision, provision.c.id == call.c.provision_id)
    columns = session.connection().execute(ours.where(call.c.pod_id == pod_id)).first()
    unlisted = (PodId(pod_id), Sight.MISSING, None, None, False, False, None, None)
    unwatched = (None,) * len(_as_watched(table_of(HistoryRow)))
    return FleetPod._make((*unlisted, *unwatched, *(columns or (None,) * len(made))))


def _as_listed(pod: Table) -> tuple[Column, ...]:
    listed = pod.c
    return (
        *(listed.pod_id, listed.sight, listed.phase, listed.created_at),
        *(listed.cluster_member, listed.locked, listed.progress_at, listed.gone_at),
    )


def _as_watched(history: Table) -> tuple[Column, ...]:
    past = history.c
    return (
        *(past.first_seen_at, past.at_first_listing, past.last_counting_at, past.gapless, past.counting),
        *(past.has_run, past.started_at, past.nulls, past.nulls_since, past.last_unexited_at),
        *(past.exited_since, past.phase.label("open_phase")),
        case((past.phase == Phase.ERROR, past.since)).label("error_since"),
    )


def _as_made(call: Table, provision: Table) -> tuple[Column, ...]:
    made = provision.c
    return (
        *(call.c.provision_id, call.c.started_at.label("called_at")),
        *(made.owner.label("made_for"), made.agent, made.stage, made.deadline_at, made.outcome),
        *(made.keep_on_failure, made.fence_at, made.decided_at),
    )
