"""Which pods are there, which are gone, and whether a listing may be believed.

A pod is **gone** if and only if it is missing from a listing and that is explained: by our own confirmed
end, or by two answers of 404 about the pod itself, at least a minute apart. If every pod is missing, 404s
explain nothing, for that is how a lost scope looks.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from pods.ids import PodId
from pods.policy import CLOCK_TOLERANCE
from pods.snapshot import Listing, Snapshot

ASKED_APART = timedelta(minutes=1)
"""Two answers of 404 explain an absence if they are at least this far apart."""

ALARM_AT_LEAST = 3
"""Fewer missing pods than this never raise the alarm by their share."""


@dataclass(frozen=True, slots=True)
class Absence:
    """What is known of one pod that a listing lacked. Forgotten as soon as the pod is listed again."""

    ended_by_us: bool = False
    """RunPod accepted our delete, and a later read of the pod said 404."""
    first_404_at: datetime | None = None
    last_404_at: datetime | None = None

    @property
    def twice_404(self) -> bool:
        return (
            self.first_404_at is not None
            and self.last_404_at is not None
            and self.last_404_at - self.first_404_at >= ASKED_APART
        )


NOTHING_KNOWN = Absence()


def answered_404(absence: Absence, at: datetime) -> Absence:
    """The pod itself was read, and RunPod says that there is none."""
    return replace(absence, first_404_at=absence.first_404_at or at, last_404_at=at)


def answered_200(absence: Absence) -> Absence:
    """The pod itself was read and is there: the listing lies, and earlier 404s are worth nothing."""
    return replace(absence, first_404_at=None, last_404_at=None)


@dataclass(frozen=True, slots=True)
class Fleet:
    """What we believed before this listing."""

    pods: frozenset[PodId] = frozenset()
    """Every pod that a believed listing had and that is not gone."""
    confirmed: bool = False
    """A second listing once agreed with the first."""
    last_at: datetime | None = None
    """When the last listing arrived that could be compared with; None: there was none."""
    said_empty: bool = False
    """An admin says that there are no pods any more."""


@dataclass(frozen=True, slots=True)
class Absences:
    """What is to be thought of a listing."""

    complete: bool
    gone: frozenset[PodId]
    unexplained: frozenset[PodId]
    ask: frozenset[PodId]
    """To be read by id now."""
    blind: bool
    """Every pod is missing, and not by our doing."""
    alarm: bool
    """So much is missing that the ops channel hears of it at once."""
    fleet: Fleet
    """What to believe when the next listing comes."""
    why: str | None
    """Why the listing is not complete, in one sentence."""


def absences(listing: Listing, fleet: Fleet, known: Mapping[PodId, Absence], min_share: float) -> Absences:
    """Judge a listing against what was there before.

    `known` is what we have learned of missing pods so far; `min_share` is the share of the fleet under
    which a listing raises the alarm.
    """
    listed = frozenset(PodId(pod_id) for pod_id in listing.pods)
    missing = fleet.pods - listed
    if not listing.whole:
        why = listing.why_not_whole or "RunPod's answer was not whole."
        return _incomplete(fleet, missing, why)

    ours = frozenset(pod_id for pod_id in missing if known.get(pod_id, NOTHING_KNOWN).ended_by_us)
    all_missing = bool(missing) and missing == fleet.pods
    blind = all_missing and missing != ours and not fleet.said_empty
    gone = _explained(missing, ours, known, blind=blind, said_empty=fleet.said_empty and all_missing)
    unexplained = missing - gone
    agrees = fleet.confirmed or (not unexplained and _nothing_old_appeared(listing, fleet))
    return Absences(
        complete=agrees and not unexplained,
        gone=gone,
        unexplained=unexplained,
        ask=frozenset() if blind else _due(unexplained, known, listing.at),
        blind=blind,
        alarm=blind or _alarming(fleet.pods - ours, missing - ours, min_share),
        fleet=_next_fleet(fleet, listing, listed, unexplained, agrees=agrees, blind=blind),
        why=_why(unexplained, agrees=agrees, blind=blind),
    )


def _incomplete(fleet: Fleet, missing: frozenset[PodId], why: str) -> Absences:
    return Absences(
        complete=False,
        gone=frozenset(),
        unexplained=missing,
        ask=frozenset(),
        blind=False,
        alarm=False,
        fleet=fleet,
        why=why,
    )


def _explained(
    missing: frozenset[PodId],
    ours: frozenset[PodId],
    known: Mapping[PodId, Absence],
    *,
    blind: bool,
    said_empty: bool,
) -> frozenset[PodId]:
    if said_empty:
        return missing
    if blind:
        return frozenset()
    return ours | frozenset(pod_id for pod_id in missing if known.get(pod_id, NOTHING_KNOWN).twice_404)


def _due(unexplained: frozenset[PodId], known: Mapping[PodId, Absence], at: datetime) -> frozenset[PodId]:
    """Those never asked for, and those whose first 404 is old enough to ask again."""

    def due(pod_id: PodId) -> bool:
        first = known.get(pod_id, NOTHING_KNOWN).first_404_at
        return first is None or at - first >= ASKED_APART

    return frozenset(pod_id for pod_id in unexplained if due(pod_id))


def _alarming(before: frozenset[PodId], missing: frozenset[PodId], min_share: float) -> bool:
    left = len(before) - len(missing)
    return len(missing) >= ALARM_AT_LEAST and left < min_share * len(before)


def _nothing_old_appeared(listing: Listing, fleet: Fleet) -> bool:
    """A second listing agrees with the first if what it has beyond it was created since."""
    if fleet.last_at is None:
        return False
    since = fleet.last_at - CLOCK_TOLERANCE
    return all(
        isinstance(pod, Snapshot) and pod.created_at is not None and pod.created_at >= since
        for pod_id, pod in listing.pods.items()
        if PodId(pod_id) not in fleet.pods
    )


def _next_fleet(
    fleet: Fleet,
    listing: Listing,
    listed: frozenset[PodId],
    unexplained: frozenset[PodId],
    *,
    agrees: bool,
    blind: bool,
) -> Fleet:
    """Blind, we believe what we believed: what another scope shows is not our fleet."""
    if blind:
        return fleet
    if not agrees:
        return Fleet(pods=listed | unexplained, confirmed=False, last_at=listing.at)
    return Fleet(pods=listed | unexplained, confirmed=True, last_at=listing.at)


def _why(unexplained: frozenset[PodId], *, agrees: bool, blind: bool) -> str | None:
    if blind:
        return "Every pod is missing: this is how a key looks that no longer sees the team's account."
    if not agrees:
        return "This is the first listing; a second one has to agree with it."
    if unexplained:
        return f"{len(unexplained)} pods are missing and RunPod has not yet said twice that they are gone."
    return None
