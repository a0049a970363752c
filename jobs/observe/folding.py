"""One listing folded into what we know, in one transaction."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session

from jobs.observe.copies import claim_copies
from jobs.observe.lately import Lately, go_on, kept_in_mind, unchanged
from pods.episodes import Observation, PodHistory, counts, first, observe
from pods.ids import PodId
from pods.listings import Absences, Fleet, absences
from pods.phase import Phase
from pods.policy import Policy
from pods.snapshot import Listing, Snapshot, phase_seen
from pods.witness import TRUSTED, Witness, look
from storage.deed import ended_and_read_back
from storage.heads import redraw_heads
from storage.history import Step, histories, put_histories
from storage.ledger import record_of_pod
from storage.listing import ListingPass, last_listings, recall, record_listing, remember
from storage.pod import absences_known, mark_gone, mark_missing, put_listing, status_texts
from storage.provision_asks import free_name
from storage.trail import Event, record

OBSERVER = "observer"
CLOCKS = "clocks"
FLEET = "fleet"
WITNESS = "witness"
_LOOKED = "looked at all"
_SOON = 0.5
"""A listing that comes sooner than this share of a poll after a look at all pods tells only what is new."""


_NO_NEWS = frozenset({*((phase, phase) for phase in Phase), (Phase.RUNNING, Phase.NO_RUNTIME)})
_SILENT = (Phase.ALLOCATING, Phase.NO_RUNTIME)


@dataclass(frozen=True, slots=True)
class Observed:
    """When somebody last looked. Writing `OBSERVER` makes two processes fold one after the other."""

    at: datetime


@dataclass(frozen=True, slots=True)
class Clocks:
    """Whether the times of this pass may be believed."""

    doubtful: bool
    """Ours and RunPod's are more than two minutes apart."""
    jumped: bool
    """Ours was set since the last look."""


@dataclass(frozen=True, slots=True)
class Folded:
    """What a listing came to."""

    listing: Listing
    absences: Absences
    witness_before: Witness
    witness: Witness
    exited: frozenset[PodId]
    """Pods that are stopped, and so have a status text worth asking for."""
    newly_exited: bool
    lately: Lately | None
    """What to have in mind when the next one comes."""


def fold(
    session: Session,
    listing: Listing,
    clocks: Clocks,
    policy: Policy,
    poll: timedelta,
    lately: Lately | None = None,
) -> Folded | None:
    """Write down what a listing shows. None if all has just been looked at and nothing is new since.

    `lately`: what this process has in mind of the last listing.
    """
    remember(session, OBSERVER, Observed(listing.at), listing.at)
    last = last_listings(session, 1)
    texts = status_texts(session)
    gap = clocks.jumped or _doubt_is_over(session, clocks)
    soon = not gap and _is_soon(session, listing, poll)
    in_mind = lately if last and lately and last[0].at == lately.at and not soon else None
    same = unchanged(in_mind, listing, texts) if in_mind else None
    alike = same.phases if same else {}
    before = histories(session, same.others if same else None)
    phases = {**alike, **_phases(listing, texts, but=alike)}
    quiet = _quiet(listing, before, phases) if soon else frozenset()
    if quiet is None or (soon and listing.at <= last[0].at):
        return None
    judged = _judged(session, listing, policy)
    last_phases = {**alike, **{pod_id: past.episode.phase for pod_id, past in before.items()}}
    witness_before = recall(session, WITNESS, Witness) or TRUSTED
    witness = witness_before
    if listing.whole and (witness_before.out or not soon):
        witness = look(witness_before, last_phases, phases, listing.at)
    sound = judged.complete and not clocks.doubtful and not clocks.jumped and not witness.out
    if same and not (sound and _no_gap(same.at, listing.at, policy) and go_on(session, same, listing.at)):
        before, alike = histories(session), {}
    steps = [
        _step(
            before.get(pod_id),
            seen,
            phases[pod_id],
            listing,
            judged,
            clocks,
            witness,
            policy,
            soon=soon,
            gap=gap,
        )
        for pod_id, seen in _snapshots(listing, alike)
        if pod_id not in quiet
    ]
    _write(session, listing, judged, phases, alike, steps)
    remember(session, WITNESS, witness, listing.at)
    remember(session, CLOCKS, clocks, listing.at)
    if not soon:
        remember(session, _LOOKED, Observed(listing.at), listing.at)
    exited = _exited(phases)
    return Folded(
        listing=listing,
        absences=judged,
        witness_before=witness_before,
        witness=witness,
        exited=exited,
        newly_exited=bool(exited - _exited(last_phases)),
        lately=kept_in_mind(listing, phases, alike, steps) if sound and not soon else None,
    )


def _doubt_is_over(session: Session, clocks: Clocks) -> bool:
    """The last look's times could not be believed, this one's can: nobody knows how long it was between."""
    before = recall(session, CLOCKS, Clocks)
    return before is not None and before.doubtful and not clocks.doubtful


def _is_soon(session: Session, listing: Listing, poll: timedelta) -> bool:
    """Whether all has been looked at a moment ago, by us or by another process: it does not count twice."""
    looked = recall(session, _LOOKED, Observed)
    return looked is not None and abs(listing.at - looked.at) < poll * _SOON


def _quiet(
    listing: Listing, before: Mapping[PodId, PodHistory], phases: Mapping[PodId, Phase]
) -> frozenset[PodId] | None:
    """The pods that show nothing new; None if that are all there were, or if the listing is not whole.

    A runtime that is lost is left to the next look at all pods: whether the witness is out shows only there.
    """
    quiet = frozenset(
        pod_id
        for pod_id, seen in _snapshots(listing, ())
        if (past := before.get(pod_id)) is not None
        and (past.episode.phase, phases.get(pod_id)) in _NO_NEWS
        and seen.started_at in (None, past.started_at)
    )
    return None if not listing.whole or quiet == before.keys() | phases.keys() else quiet


def _judged(session: Session, listing: Listing, policy: Policy) -> Absences:
    fleet = recall(session, FLEET, Fleet) or Fleet()
    missing = fleet.pods - listing.pods.keys() if listing.whole else frozenset()
    known = absences_known(session, missing, ended_and_read_back(session)) if missing else {}
    judged = absences(listing, fleet, known, policy.min_listing_share)
    _note_listing(session, listing, judged)
    return judged


def _write(
    session: Session,
    listing: Listing,
    judged: Absences,
    phases: Mapping[PodId, Phase],
    alike: Collection[PodId],
    steps: Sequence[Step],
) -> None:
    """All that is new in the listing, of all pods but those that are `alike`."""
    put_listing(session, listing, phases, alike)
    new = {step.after.pod_id for step in steps if step.before is None}
    claim_copies(session, (pod for pod_id, pod in _snapshots(listing, alike) if pod_id in new), listing.at)
    put_histories(session, [step for step in steps if step.before is not step.after])
    redraw_heads(session, [step.after.pod_id for step in steps if _is_another_phase(step)], listing.at)
    if listing.whole:
        mark_missing(session, judged.unexplained)
        _note_gone(session, judged, listing, known_ends=ended_and_read_back(session))
        remember(session, FLEET, judged.fleet, listing.at)


def _is_another_phase(step: Step) -> bool:
    return step.before is not None and step.before.episode.phase is not step.after.episode.phase


def _no_gap(last_at: datetime, at: datetime, policy: Policy) -> bool:
    return timedelta(0) < at - last_at <= policy.max_gap


def _exited(phases: Mapping[PodId, Phase]) -> frozenset[PodId]:
    return frozenset(pod_id for pod_id, phase in phases.items() if phase is Phase.EXITED)


def _snapshots(listing: Listing, but: Collection[PodId]) -> list[tuple[PodId, Snapshot]]:
    return [
        (PodId(key), pod)
        for key, pod in listing.pods.items()
        if PodId(key) not in but and isinstance(pod, Snapshot)
    ]


def _phases(listing: Listing, texts: Mapping[PodId, str], but: Collection[PodId]) -> dict[PodId, Phase]:
    seen = _snapshots(listing, but)
    found = {pod_id: phase_seen(pod, texts.get(pod_id)) for pod_id, pod in seen}
    return {pod_id: phase for pod_id, phase in found.items() if phase is not None}


def _step(
    past: PodHistory | None,
    seen: Snapshot,
    phase: Phase,
    listing: Listing,
    judged: Absences,
    clocks: Clocks,
    witness: Witness,
    policy: Policy,
    *,
    soon: bool,
    gap: bool,
) -> Step:
    again = soon and past is not None and phase in _SILENT
    observation = Observation(
        pod_id=PodId(seen.pod_id),
        at=listing.at,
        phase=phase,
        shows_life=seen.shows_life,
        started_at=seen.started_at,
        counts=not again
        and counts(
            phase,
            complete=judged.complete,
            clock_doubtful=clocks.doubtful or clocks.jumped,
            witness_out=witness.out,
        ),
        after_gap=gap,
    )
    if past is None:
        return Step(None, first(observation, at_first_listing=not judged.fleet.confirmed))
    grown, _ = observe(past, observation, policy.max_gap)
    return Step(past, grown)


def _note_listing(session: Session, listing: Listing, judged: Absences) -> None:
    record_listing(
        session,
        ListingPass(
            at=listing.at,
            provider_at=listing.provider_at,
            whole=listing.whole,
            complete=judged.complete,
            pods=len(listing.pods),
            sentence=judged.why,
        ),
    )


def _note_gone(session: Session, judged: Absences, listing: Listing, known_ends: set[str]) -> None:
    ours = {pod_id for pod_id in judged.gone if pod_id in known_ends}
    for pod_id in judged.gone:
        made_by = record_of_pod(session, pod_id)
        if made_by is not None:
            free_name(session, made_by.id, listing.at)
    mark_gone(session, ours, listing.at, "ended by us")
    mark_gone(session, judged.gone - ours, listing.at, "RunPod said twice that it is not there")
    if judged.gone:
        events = (
            Event(listing.at, "podkeeper", "pod.gone", pod_id, {"ended_by_us": pod_id in ours})
            for pod_id in sorted(judged.gone)
        )
        record(session, *events)
