"""A provision's pod that a listing lacks and no observation has ever seen: it is asked for by its id."""

from dataclasses import dataclass, field, replace

from sqlmodel import Session

from gateways.runpod.errors import RunPodError
from jobs.house import House
from jobs.observe.folding import FLEET
from pods.ids import PodId
from pods.listings import NOTHING_KNOWN, Absence, Absences, Fleet, absences, answered_200, answered_404
from pods.snapshot import Absent, Listing, Snapshot, Unreadable
from storage.listing import recall


@dataclass(slots=True)
class Missing:
    """What this process has learned of such pods. A process that comes after it asks anew."""

    house: House
    _known: dict[PodId, Absence] = field(default_factory=dict)

    async def explained(self, listing: Listing, pod_id: str) -> bool:
        """Whether the pod is gone, by the one definition that there is."""
        wanted = PodId(pod_id)
        fleet = await self.house.db.read(_fleet)
        judged = self._judged(listing, fleet, wanted)
        if wanted in judged.ask and await self._ask(wanted):
            judged = self._judged(listing, fleet, wanted)
        if wanted not in judged.gone:
            return False
        self._known.pop(wanted, None)
        return True

    def _judged(self, listing: Listing, fleet: Fleet, pod_id: PodId) -> Absences:
        known_fleet = replace(fleet, pods=fleet.pods | {pod_id})
        return absences(listing, known_fleet, self._known, self.house.policy.min_listing_share)

    async def _ask(self, pod_id: PodId) -> bool:
        try:
            answer = await self.house.runpod.get_pod(pod_id)
        except RunPodError:
            return False
        known = self._known.get(pod_id, NOTHING_KNOWN)
        match answer:
            case Absent(at=at):
                self._known[pod_id] = answered_404(known, at)
            case Snapshot() | Unreadable():
                self._known[pod_id] = answered_200(known)
        return True


def _fleet(session: Session) -> Fleet:
    return recall(session, FLEET, Fleet) or Fleet()
