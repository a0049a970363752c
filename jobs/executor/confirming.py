"""Nothing has come about until it was read back: by id, and for an end by a complete listing too."""

from datetime import datetime

from sqlmodel import Session, col, select

from gateways.runpod.budget import Priority
from gateways.runpod.errors import RunPodError
from jobs.executor.ending import close
from jobs.executor.pauses import later, look_pause, retry_pause
from jobs.executor.words import ALREADY_GONE, ALREADY_SO, NEVER_SEEN
from jobs.house import House
from jobs.observe.folding import FLEET
from pods.ids import PodId
from pods.listings import NOTHING_KNOWN, Fleet, absences, answered_404
from pods.snapshot import Absent, Listing
from storage.columns import JsonObject
from storage.deed import STOP, Deed, DeedState, ended_and_read_back
from storage.deed_work import let_go
from storage.ledger import record_of_pod
from storage.listing import ListingPassRow, recall
from storage.pod import PodRow, absences_known, put_absence
from storage.trail import Event, record

GONE = 404


async def confirm(house: House, taken: Deed) -> bool:
    """See whether it took. True: the pod is still there and it is time to look at it anew."""
    if taken.read_back_status == GONE:
        await _ask_for_listing(house, taken)
        return False
    try:
        seen = await house.runpod.get_pod(taken.pod_id, priority=Priority.EXECUTOR)
    except RunPodError:
        seen = None
    now = house.clock.now()
    if isinstance(seen, Absent):
        await house.db.run(lambda session: note_absent(session, house, taken, now))
        return False
    if taken.path == STOP:
        return True
    since = taken.answered_at or taken.attempted_at or now
    if seen is not None and now - since >= retry_pause(taken.attempts) * house.clock.rate:
        return True
    await house.db.run(lambda session: _wait(session, house, taken, now))
    return False


def note_absent(session: Session, house: House, taken: Deed, now: datetime) -> None:
    """RunPod's 404 for this very pod: it is believed for a pod that was there once."""
    row = session.get(PodRow, taken.pod_id, populate_existing=True)
    if row is None and record_of_pod(session, taken.pod_id) is None:
        close(session, house, taken, DeedState.REFUSED, now, NEVER_SEEN)
        return
    if row is not None and row.gone_at is not None:
        _done(session, house, taken, now)
        return
    pod_id = PodId(taken.pod_id)
    known = absences_known(session, [pod_id]).get(pod_id, NOTHING_KNOWN)
    put_absence(session, pod_id, answered_404(known, now))
    changes = {"state": DeedState.CONFIRMING, "read_back_status": GONE, "read_back_at": now}
    if let_go(session, taken, now, **changes):
        told: JsonObject = {"deed": taken.id, "status": GONE, "attempts": taken.attempts}
        record(session, Event(now, "podkeeper", "deed.read_back", taken.pod_id, told))
        house.wakes.wake("observe")


def note_stands(session: Session, house: House, taken: Deed, now: datetime) -> None:
    """A stop has come about."""
    outcome = None if taken.attempts else ALREADY_SO
    close(session, house, taken, DeedState.DONE, now, outcome, read_back_status=200, read_back_at=now)


async def _ask_for_listing(house: House, taken: Deed) -> None:
    """One of our own, asked for after the 404: the next of the observer may come too late."""
    listing = await house.runpod.list_pods(priority=Priority.EXECUTOR)
    now = house.clock.now()
    await house.db.run(lambda session: _seen_by_listing(session, house, taken, listing, now))


def _seen_by_listing(session: Session, house: House, taken: Deed, listing: Listing, now: datetime) -> None:
    if taken.path == STOP:
        close(session, house, taken, DeedState.FAILED, now, ALREADY_GONE)
        return
    row = session.get(PodRow, taken.pod_id, populate_existing=True)
    read_at = taken.read_back_at or now
    if row is not None and row.listed_at > read_at:
        _listed_again(session, house, taken, now)
        return
    gone = row is not None and row.gone_at is not None
    if gone or _complete_listing_after(session, read_at) or _lacks(session, house, taken, listing):
        _done(session, house, taken, now)
        return
    _wait(session, house, taken, now)


def _complete_listing_after(session: Session, read_at: datetime) -> bool:
    """One that was asked for after the read; that it lacks the pod is seen by the pod's own row."""
    later_ones = select(ListingPassRow.at).where(
        col(ListingPassRow.at) > read_at, col(ListingPassRow.complete).is_(True)
    )
    return session.exec(later_ones.limit(1)).first() is not None


def _lacks(session: Session, house: House, taken: Deed, listing: Listing) -> bool:
    """Whether this listing is complete, by the same measure as the observer's, and the pod is not in it."""
    fleet = recall(session, FLEET, Fleet) or Fleet()
    known = absences_known(session, fleet.pods - listing.pods.keys(), ended_and_read_back(session))
    judged = absences(listing, fleet, known, house.policy.min_listing_share)
    return judged.complete and taken.pod_id not in listing.pods


def _listed_again(session: Session, house: House, taken: Deed, now: datetime) -> None:
    """The 404 was wrong: a listing shows the pod."""
    state = DeedState.CONFIRMING if taken.attempts else DeedState.DUE
    changes = {"state": state, "read_back_status": None, "read_back_at": None}
    if let_go(session, taken, later(house, look_pause(taken, now, house.clock.rate), now), **changes):
        told: JsonObject = {"deed": taken.id}
        record(session, Event(now, "podkeeper", "deed.listed_again", taken.pod_id, told))


def _done(session: Session, house: House, taken: Deed, now: datetime) -> None:
    outcome = None if taken.attempts else ALREADY_GONE
    close(
        session,
        house,
        taken,
        DeedState.DONE,
        now,
        outcome,
        read_back_status=GONE,
        read_back_at=taken.read_back_at or now,
        absent_at=now,
    )


def _wait(session: Session, house: House, taken: Deed, now: datetime) -> None:
    let_go(session, taken, later(house, look_pause(taken, now, house.clock.rate), now))
