"""The facts of all pods for one pass of the judgement, in one query: columns in, frozen values out.

No name, no note, no words of anybody are selected here; a test holds that against the types of the columns.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import Select, select
from sqlmodel import Session

from pods.episodes import PodHistory
from pods.facts import Sight
from pods.ids import PodId, UserId
from pods.ownership import LedgerRecord
from pods.phase import Phase
from storage.history import COLUMNS, HistoryRow, history_of
from storage.pod import PodRow
from storage.provision import CreateCallRow, ProvisionRow
from storage.rows import table_of

_POD = (
    "pod_id",
    "sight",
    "phase",
    "created_at",
    "cluster_member",
    "locked",
    "provision_mark",
    "progress_at",
    "gone_at",
)
_CALL = ("provision_id", "started_at")
_LAUNCH = ("owner", "agent", "stage", "deadline_at", "outcome", "keep_on_failure", "fence_at", "decided_at")


class Launch(NamedTuple):
    """The provision that made a pod, as far as the judgement looks at it."""

    owner: UserId
    agent: str | None
    stage: str
    deadline_at: datetime | None
    outcome: str | None
    keep_on_failure: bool
    fence_at: datetime | None
    decided_at: datetime | None


class FleetPod(NamedTuple):
    """One pod as the last listing, our history of it and our ledger show it."""

    pod_id: PodId
    sight: Sight
    phase: Phase | None
    created_at: datetime | None
    cluster_member: bool
    locked: bool
    provision_mark: str | None
    progress_at: datetime | None
    gone_at: datetime | None
    history: PodHistory | None
    ledger: LedgerRecord | None
    launch: Launch | None


_SIGHTS = {sight.value: sight for sight in Sight}
_PHASES = {phase.value: phase for phase in Phase} | {None: None}
_HISTORY_AT = len(_POD)
_CALL_AT = _HISTORY_AT + len(COLUMNS)
_LAUNCH_AT = _CALL_AT + len(_CALL)


def facts_of_all(gone_since: datetime) -> Select[*tuple[Any, ...]]:
    """The query: every pod that is not gone, or went since then."""
    pod, history = table_of(PodRow), table_of(HistoryRow)
    call, provision = table_of(CreateCallRow), table_of(ProvisionRow)
    wanted = [
        *(pod.c[name] for name in _POD),
        *(history.c[name] for name in COLUMNS),
        *(call.c[name] for name in _CALL),
        *(provision.c[name] for name in _LAUNCH),
    ]
    return (
        select(*wanted)
        .join_from(pod, history, history.c.pod_id == pod.c.pod_id, isouter=True)
        .join(call, call.c.pod_id == pod.c.pod_id, isouter=True)
        .join(provision, provision.c.id == call.c.provision_id, isouter=True)
        .where(pod.c.gone_at.is_(None) | (pod.c.gone_at >= gone_since))
    )


def fleet(session: Session, gone_since: datetime) -> list[FleetPod]:
    """Every pod that is not gone, or went since then, in no order.

    Named tuples, because a pass makes hundreds of thousands of them.
    """
    return [_pod(columns) for columns in session.connection().execute(facts_of_all(gone_since)).all()]


def fleet_pod(session: Session, pod_id: str) -> FleetPod | None:
    """One pod, gone or not. None: never listed."""
    this = facts_of_all(datetime.min.replace(tzinfo=UTC)).where(table_of(PodRow).c.pod_id == pod_id)
    columns = session.connection().execute(this).first()
    return _pod(columns) if columns else None


def never_listed(session: Session, pod_id: str) -> FleetPod:
    """A pod that no listing has shown yet, with what our ledger says of it."""
    call, provision = table_of(CreateCallRow), table_of(ProvisionRow)
    wanted = [*(call.c[name] for name in _CALL), *(provision.c[name] for name in _LAUNCH)]
    made = select(*wanted).join_from(call, provision, provision.c.id == call.c.provision_id)
    columns = session.connection().execute(made.where(call.c.pod_id == pod_id)).first()
    launch = Launch(*columns[len(_CALL) :]) if columns else None
    ledger = LedgerRecord(PodId(pod_id), columns[0], launch.owner, columns[1]) if columns and launch else None
    nothing = (None, None, False, False, None, None, None, None)
    return FleetPod(PodId(pod_id), Sight.MISSING, *nothing, ledger, launch)


def _pod(columns: Sequence[Any]) -> FleetPod:
    pod_id, sight, phase, created_at, cluster_member, locked, mark, progress_at, gone_at = columns[
        :_HISTORY_AT
    ]
    seen = columns[_HISTORY_AT] is not None
    provision_id, called_at = columns[_CALL_AT:_LAUNCH_AT]
    launch = Launch(*columns[_LAUNCH_AT:]) if provision_id is not None else None
    return FleetPod(
        pod_id,
        _SIGHTS[sight],
        _PHASES[phase],
        created_at,
        cluster_member,
        locked,
        mark,
        progress_at,
        gone_at,
        history_of(columns[_HISTORY_AT:_CALL_AT]) if seen else None,
        LedgerRecord(pod_id, provision_id, launch.owner, called_at) if launch else None,
        launch,
    )
