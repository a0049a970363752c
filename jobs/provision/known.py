"""What our own rows say about a provision and its pod, read in one transaction before a pass decides."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from jobs.executor.words import SIGN_OF_LIFE, UNREACHABLE
from jobs.observe.folding import WITNESS
from pods.guards import Path
from pods.ids import PodId
from pods.ownership import Ownership, ownership
from pods.provision.seen import CleanUp, OwnerSays, Permit
from pods.provision.stages import Stage
from pods.provision.value import Provision
from pods.witness import Witness
from storage.claim import statements
from storage.deed import Deed, DeedState, deeds_of
from storage.ledger import ProvisionRecord, ledger_records
from storage.listing import recall
from storage.order_question import permit
from storage.person import may_rent
from storage.place import bad_places
from storage.pod import PodRow
from storage.provision_question import owner_says
from storage.switch import is_on

PAUSED = "paused"
_ENDING = (DeedState.ACTING, DeedState.CONFIRMING, DeedState.DONE)
_VETOES = (SIGN_OF_LIFE, UNREACHABLE)
OUR_TEARDOWNS = frozenset({Path.PROVISION_TEARDOWN, Path.PROVISION_CANCEL})


@dataclass(frozen=True, slots=True)
class Known:
    """Facts of one pass that come from our own memory."""

    permit: Permit
    cancel: bool
    retry: bool
    owner_says: OwnerSays | None
    clean_up: CleanUp | None
    witness_out: bool
    bad_places: frozenset[tuple[str, str]]
    ownership: Ownership | None
    """Of the provision's pod, if there is one."""
    observed: bool
    """Whether observation has seen the provision's pod, and so looks after it."""
    gone_at: datetime | None
    """When the provision's pod was explained to be gone."""
    status_text: str | None
    ended_by_fence: bool
    read_before: frozenset[str]
    """The pods whose marks a listing has shown before; looked up while a create call is unanswered."""


def known_of(
    session: Session, taken: ProvisionRecord, provision: Provision, now: datetime, claim_settle: timedelta
) -> Known:
    """The facts, as they stand now."""
    pod_id = provision.pod.pod_id if provision.pod else None
    deeds = deeds_of(session, pod_id) if pod_id else []
    row = session.get(PodRow, pod_id) if pod_id else None
    witness = recall(session, WITNESS, Witness)
    return Known(
        permit=_permit(session, taken, provision),
        cancel=taken.cancelled_at is not None,
        retry=taken.retry_at is not None,
        owner_says=owner_says(session, provision.id, provision.asked_owner_at, taken.go_on_at),
        clean_up=_clean_up(session, deeds, provision),
        witness_out=witness is not None and witness.out,
        bad_places=frozenset(bad_places(session, now)) if provision.pod is None else frozenset(),
        ownership=_ownership(session, pod_id, now, claim_settle) if pod_id else None,
        observed=row is not None,
        gone_at=row.gone_at if row else None,
        status_text=row.status_text if row else None,
        ended_by_fence=any(deed.path == Path.FENCE and deed.state in _ENDING for deed in deeds),
        read_before=frozenset(session.exec(select(PodRow.pod_id).where(col(PodRow.status).is_not(None))))
        if provision.unresolved
        else frozenset(),
    )


def _permit(session: Session, taken: ProvisionRecord, provision: Provision) -> Permit:
    """Whether it may go out: nobody has to be asked, or has said yes; and both people may rent here."""
    if provision.stage is not Stage.WISHED:
        return Permit.ALLOWED
    if not all(may_rent(session, user) for user in (taken.owner, taken.asker)):
        return Permit.NOT_ALLOWED
    return permit(session, taken.id)


def _clean_up(session: Session, deeds: list[Deed], provision: Provision) -> CleanUp | None:
    """How the executor stands with the teardown that this provision asked for."""
    asked = [deed for deed in deeds if deed.path in OUR_TEARDOWNS and deed.provision_id == provision.id]
    if not asked or provision.cleaning is None:
        return None
    return clean_up_of(asked[0], paused=is_on(session, PAUSED))


def clean_up_of(deed: Deed, *, paused: bool) -> CleanUp:
    """What has become of a teardown. One that a sign of life, or silence, has stopped was no refusal."""
    match deed.state:
        case DeedState.DUE:
            return CleanUp.HELD if paused else CleanUp.WORKING
        case DeedState.ACTING | DeedState.CONFIRMING:
            return CleanUp.WORKING
        case DeedState.DONE:
            return CleanUp.CONFIRMED
        case DeedState.REFUSED if any(veto in (deed.outcome or "") for veto in _VETOES):
            return CleanUp.VETOED
        case DeedState.REFUSED | DeedState.UNDONE | DeedState.FAILED:
            return CleanUp.REFUSED


def _ownership(session: Session, pod_id: str, now: datetime, claim_settle: timedelta) -> Ownership:
    pod = PodId(pod_id)
    ledger = ledger_records(session, pod_id).get(pod)
    return ownership(pod, ledger, statements(session, pod_id).get(pod, []), now, claim_settle)
