"""What one pass sees before it decides: our own rows, and the account's shared listing."""

import secrets
from dataclasses import dataclass

from pydantic import ValidationError
from sqlmodel import Session

from gateways.runpod.errors import RunPodError
from gateways.runpod.status_text import StatusTexts
from jobs.house import House
from jobs.provision import missing as asking
from jobs.provision.damaged import DamagedRowError
from jobs.provision.known import Known, known_of
from jobs.provision.people import know_people
from pods.adoption import Candidate
from pods.fingerprint import Fingerprint, fingerprint
from pods.ids import PodId, UserId
from pods.ownership import Grade
from pods.phase import Status, phase_of
from pods.policy import CLOCK_TOLERANCE
from pods.provision.events import can_retry
from pods.provision.seen import Ended, EndedBy, Missing, Permit, Present, Seen
from pods.provision.stages import UNDER_WAY, WITHOUT_POD, Stage
from pods.provision.value import Provision
from pods.snapshot import Listing, Snapshot, Unreadable
from pods.status_text import Verb, Who, status_text
from storage.ledger import ProvisionRecord, provision_of

Look = Present | Missing | Ended | None


@dataclass(frozen=True, slots=True)
class Sight:
    """The provision as its row has it, and what is seen of it now."""

    provision: Provision
    seen: Seen
    fingerprints: dict[str, Fingerprint]
    """The state of each pod that bears our marks: what a teardown of it is bound to."""


async def look(
    house: House, taken: ProvisionRecord, missing: asking.Missing, *, clock_doubtful: bool
) -> Sight:
    """One look. Raises the errors of `storage.errors`, and DamagedRowError."""
    try:
        provision = provision_of(taken)
    except ValidationError as error:
        raise DamagedRowError from error
    now, settle = house.clock.now(), house.policy.claim_settle

    def read(session: Session) -> Known:
        return known_of(session, taken, provision, now, settle)

    people_known = provision.stage is not Stage.WISHED or await know_people(house, taken)
    known = await house.db.read(read)
    listing = await house.listing.listing() if _needs_listing(provision, known) else None
    marked = _marked(listing, provision)
    seen = Seen(
        pod=await _pod(house, provision, listing, known, missing),
        candidates=_candidates(listing, marked, provision, known),
        permit=known.permit if people_known else Permit.UNDECIDED,
        cancel=known.cancel,
        retry=known.retry,
        owner_says=known.owner_says,
        clean_up=known.clean_up,
        clock_doubtful=clock_doubtful or (listing is not None and _clock_off(listing)),
        witness_out=known.witness_out,
        token=secrets.token_hex(16) if provision.stage in WITHOUT_POD else "",
        bad_places=known.bad_places,
        places=await _places(house, provision, known),
    )
    return Sight(provision, seen, {shown.pod_id: _fingerprint(shown, taken, known) for shown in marked})


def _needs_listing(provision: Provision, known: Known) -> bool:
    if provision.stage in UNDER_WAY:
        return provision.pod is not None or bool(provision.unresolved)
    return bool(provision.cleaning and provision.outcome is None) or (known.retry and can_retry(provision))


def _marked(listing: Listing | None, provision: Provision) -> tuple[Snapshot, ...]:
    """The pods that bear this provision's key, in their environment or their name, or are its own."""
    if listing is None:
        return ()
    own = {call.pod_id for call in provision.calls}
    shown = (pod for pod in listing.pods.values() if isinstance(pod, Snapshot))
    return tuple(
        pod
        for pod in shown
        if pod.pod_id in own or pod.provision_mark == provision.id or pod.name == provision.runpod_name
    )


def _candidates(
    listing: Listing | None, marked: tuple[Snapshot, ...], provision: Provision, known: Known
) -> tuple[Candidate, ...] | None:
    """None unless every pod of the account could be looked at: what cannot be read may be the one we seek."""
    if listing is None or not listing.whole:
        return None
    unread = {pod.pod_id for pod in listing.pods.values() if isinstance(pod, Unreadable)}
    if provision.unresolved and unread - known.read_before:
        return None
    return tuple(
        Candidate(pod.pod_id, pod.name, pod.create_mark, pod.created_at, pod.usd_per_hour, pod.data_center)
        for pod in marked
    )


async def _pod(
    house: House, provision: Provision, listing: Listing | None, known: Known, missing: asking.Missing
) -> Look:
    if listing is None or provision.pod is None:
        return None
    pod_id = provision.pod.pod_id
    shown = listing.pods.get(pod_id)
    match shown:
        case Snapshot(status=Status.EXITED | Status.TERMINATED):
            return Ended(_ended_by(shown.status, await _status_text(house, listing, pod_id), known))
        case Snapshot():
            return Present(shown.ssh, shown.usd_per_hour)
        case Unreadable():
            return Missing()
        case None if known.gone_at is not None:
            return Ended(_ended_by(Status.TERMINATED, known.status_text, known))
        case None if listing.whole and not known.observed and await missing.explained(listing, pod_id):
            return Ended(_ended_by(Status.TERMINATED, None, known))
        case None:
            return Missing() if listing.whole else None


async def _status_text(house: House, listing: Listing, pod_id: str) -> str | None:
    try:
        said = await house.witness.texts(frozenset(listing.pods))
    except RunPodError:
        return None
    return said.texts.get(pod_id) if isinstance(said, StatusTexts) else None


def _ended_by(status: Status, text: str | None, known: Known) -> EndedBy:
    """Who ended it, as far as anybody says. RunPod's balance text has no date and is read for that word."""
    if known.ended_by_fence:
        return EndedBy.FENCE
    if text is not None and "balance" in text.lower():
        return EndedBy.BALANCE
    said = status_text(text)
    if said is not None and (said.verb is Verb.OUTBID or said.who is Who.RUNPOD):
        return EndedBy.TAKEN
    if said is not None and said.verb is Verb.TERMINATED:
        return EndedBy.TERMINATED_ELSEWHERE
    return EndedBy.STOPPED if status is Status.EXITED else EndedBy.TERMINATED_ELSEWHERE


def _clock_off(listing: Listing) -> bool:
    """Whether our clock and RunPod's disagree by more than can be let pass."""
    return listing.provider_at is not None and abs(listing.at - listing.provider_at) > CLOCK_TOLERANCE


async def _places(house: House, provision: Provision, known: Known) -> dict[str, tuple[str, ...]]:
    """Where each type is offered; asked for only if some place is to be avoided."""
    to_be_avoided = {gpu for gpu, _ in known.bad_places} & set(provision.order.gpus)
    if provision.stage not in WITHOUT_POD or not to_be_avoided or provision.order.data_centers:
        return {}
    try:
        types = await house.runpod.gpu_catalogue()
    except RunPodError:
        return {}
    return {gpu.gpu_id: gpu.data_centres for gpu in types}


def _fingerprint(shown: Snapshot, taken: ProvisionRecord, known: Known) -> Fingerprint:
    whose = known.ownership
    return fingerprint(
        PodId(shown.pod_id),
        phase_of(shown.status, shows_life=shown.shows_life),
        shown.started_at,
        shown.mounts,
        whose.grade if whose else Grade.PROVED,
        whose.owner if whose else UserId(taken.owner),
    )
