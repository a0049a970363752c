"""One pod's facts, put together from what RunPod showed, what we saw before, and what we wrote down."""

from dataclasses import dataclass
from datetime import datetime

from pods.episodes import PodHistory, watched_from_birth
from pods.exit_clock import NOT_EXITED, exit_times
from pods.facts import PodFacts, Sight
from pods.ids import PodId
from pods.keeps import Protection
from pods.ownership import Ownership
from pods.phase import Phase, phase_of
from pods.policy import Policy
from pods.snapshot import Snapshot, Unreadable
from pods.status_text import says_terminated, status_text


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRecords:
    """What our own tables say of one pod. The fields mean what they mean in `PodFacts`."""

    create_called_at: datetime | None = None
    provision_deadline: datetime | None = None
    failed_alive: bool = False
    moved_or_copied: bool = False
    keep_on_failure: bool = False
    heartbeat_at: datetime | None = None
    progress_at: datetime | None = None
    fence_at: datetime | None = None
    ran_besides: bool = False
    """A banner, a login or a line of the container's log was seen at any time, outside listings."""
    ending: bool = False
    deed_in_episode: bool = False
    stale_notice_at: datetime | None = None
    fence_notice_at: datetime | None = None


def assemble(
    pod_id: PodId,
    seen: Snapshot | Unreadable | None,
    *,
    gone: bool,
    history: PodHistory | None,
    ownership: Ownership,
    protection: Protection,
    records: OwnRecords,
    text: str | None,
    now: datetime,
    policy: Policy,
) -> PodFacts:
    """The facts of a pod that a listing showed as `seen`; None: the listing lacks it.

    `gone`: its absence is explained. `text`: RunPod's status text of now, if it could be had.
    """
    snapshot = seen if isinstance(seen, Snapshot) else None
    created_at = snapshot.created_at if snapshot else None
    exit_ = NOT_EXITED
    watched = False
    if history is not None:
        exit_ = exit_times(history, status_text(text), now, policy.max_gap)
        watched = watched_from_birth(history, created_at, records.create_called_at, now, policy.max_gap)
    phase = phase_seen(seen, text, gone=gone)
    return PodFacts(
        pod_id=pod_id,
        sight=_sight(seen, gone=gone),
        phase=phase,
        created_at=created_at,
        cluster_member=snapshot.cluster_member if snapshot else False,
        locked=snapshot.locked if snapshot else False,
        grade=ownership.grade,
        owner=ownership.owner,
        in_ledger=ownership.in_ledger,
        create_called_at=records.create_called_at,
        provision_deadline=records.provision_deadline,
        failed_alive=records.failed_alive,
        moved_or_copied=records.moved_or_copied,
        keep_on_failure=records.keep_on_failure,
        heartbeat_at=records.heartbeat_at,
        progress_at=records.progress_at,
        fence_at=records.fence_at,
        first_seen_at=history.first_seen_at if history else None,
        at_first_listing=history.at_first_listing if history else False,
        watched_from_birth=watched,
        counting=history.counting if history else 0,
        has_run=_has_run(snapshot, history, records),
        nulls=history.nulls if history else 0,
        nulls_since=history.nulls_since if history else None,
        error_since=history.episode.since if history and history.episode.phase is Phase.ERROR else None,
        exited_since=exit_.since,
        first_seen_exited=exit_.first_seen_exited,
        provider_exited_at=exit_.provider_at,
        kept_until=protection.kept_until,
        keep_unreadable=protection.unreadable,
        knowing_until=protection.knowing_until,
        ending=records.ending,
        deed_in_episode=records.deed_in_episode,
        stale_notice_at=records.stale_notice_at,
        fence_notice_at=records.fence_notice_at,
    )


def phase_seen(seen: Snapshot | Unreadable | None, text: str | None, *, gone: bool) -> Phase | None:
    """The phase for the verdict; None: nothing can be said."""
    if gone:
        return Phase.GONE
    if not isinstance(seen, Snapshot):
        return None
    return phase_of(seen.status, shows_life=seen.shows_life, text_says_terminated=says_terminated(text))


def _sight(seen: Snapshot | Unreadable | None, *, gone: bool) -> Sight:
    if isinstance(seen, Unreadable):
        return Sight.UNREADABLE
    return Sight.SEEN if seen is not None or gone else Sight.MISSING


def _has_run(snapshot: Snapshot | None, history: PodHistory | None, records: OwnRecords) -> bool:
    shows_life = snapshot is not None and (snapshot.shows_life or snapshot.ssh is not None)
    return shows_life or records.ran_besides or (history is not None and history.has_run is not None)
