"""One pass of observation: list, fold, ask after what is missing, hear the second witness."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from sqlmodel import Session

from gateways.runpod.errors import RunPodError
from gateways.runpod.status_text import Lost, StatusTexts
from gateways.wall import Mark, jumped, mark
from jobs.house import House
from jobs.observe.alerts import tell, tell_second_witness_lost
from jobs.observe.folding import Clocks, Folded, fold
from jobs.observe.lately import Lately
from jobs.ticker import Pass
from pods.ids import PodId
from pods.listings import NOTHING_KNOWN, answered_200, answered_404
from pods.policy import CLOCK_TOLERANCE
from pods.snapshot import Absent, Listing, Snapshot, Unreadable
from storage.ledger import made_since
from storage.listing import ListingPass, last_listings
from storage.pod import absences_known, put_absence, put_status_text

TEXTS_EVERY = timedelta(minutes=10)
"""Status texts are asked for when a pod has just stopped, and this often while any is stopped."""


@dataclass(slots=True)
class Observer:
    """Looks at the account. What it has in mind itself is only a short cut, and whether its clock jumped."""

    house: House
    listing_seen: bool = False
    """Whether this process has seen a complete listing."""
    last_clocks: Clocks = field(default_factory=lambda: Clocks(doubtful=False, jumped=False))
    _mark: Mark | None = None
    _lately: Lately | None = None
    _looked_at: datetime | None = None
    _texts_at: datetime | None = None

    async def run(self) -> Pass:
        """Look once. Safe in several processes: the same moment is written down once."""
        if just_now := await self._another_just_looked():
            return just_now
        listing = await self.house.listing.listing()
        clocks = self._clocks(listing)
        folded = await self.house.db.run(lambda session: self._write(session, listing, clocks))
        self.last_clocks, self._looked_at = clocks, listing.at
        self._lately = folded.lately if folded else None
        if folded is None:
            return await self.house.db.read(_last_pass)
        if folded.absences.complete:
            self.listing_seen = True
        await self._ask_after(folded)
        await self._hear_second_witness(folded)
        self.house.wakes.wake("judge")
        return Pass(complete=folded.absences.complete, sentence=folded.absences.why or _doubts(clocks))

    def _write(self, session: Session, listing: Listing, clocks: Clocks) -> Folded | None:
        house = self.house
        poll = house.schedules.observe_every
        folded = fold(session, listing, clocks, house.policy, poll, self._lately)
        if folded is not None:
            tell(session, house.ops_channel, folded, clocks)
        return folded

    async def _another_just_looked(self) -> Pass | None:
        """What another process that does the same job has just seen; one of us is enough."""
        last, newer = await self.house.db.read(_last_look_and_newer_pods)
        if not last or newer or last[0].at == self._looked_at:
            return None
        since = self.house.clock.now() - last[0].at
        if not timedelta(0) <= since < self.house.schedules.observe_every / 2:
            return None
        return Pass(complete=last[0].complete, sentence=last[0].sentence)

    def _clocks(self, listing: Listing) -> Clocks:
        house, before = self.house, self._mark
        self._mark = mark(house.clock, house.monotonic)
        off = listing.at - listing.provider_at if listing.provider_at else timedelta(0)
        return Clocks(
            doubtful=abs(off) > CLOCK_TOLERANCE,
            jumped=before is not None and jumped(house.clock, before, house.monotonic),
        )

    async def _ask_after(self, folded: Folded) -> None:
        """Read missing pods by their ids: two answers of 404 explain an absence."""
        for pod_id in sorted(folded.absences.ask):
            try:
                answer = await self.house.runpod.get_pod(pod_id)
            except RunPodError:
                continue
            await self.house.db.run(partial(_learned, answer=answer))

    async def _hear_second_witness(self, folded: Folded) -> None:
        now = self.house.clock.now()
        due = self._texts_at is None or now - self._texts_at >= TEXTS_EVERY or now < self._texts_at
        if not folded.exited or not (due or folded.newly_exited):
            return
        self._texts_at = now
        known = frozenset(folded.listing.pods)
        match await self.house.witness.texts(known):
            case StatusTexts(at=at, texts=texts):
                await self.house.db.run(lambda session: _told(session, texts, folded.exited, at))
            case Lost(sentence=sentence):
                ops = self.house.ops_channel
                await self.house.db.run(
                    lambda session: tell_second_witness_lost(session, ops, folded, sentence)
                )


def _last_look_and_newer_pods(session: Session) -> tuple[list[ListingPass], bool]:
    """The last look, and whether a pod of ours was made since, which it cannot have shown."""
    last = last_listings(session, 1)
    return last, bool(last) and made_since(session, last[0].at)


def _doubts(clocks: Clocks) -> str | None:
    if clocks.doubtful:
        return "My clock and RunPod's do not agree, so nothing is ended."
    return "My clock was set since the last look, so nothing is ended." if clocks.jumped else None


def _last_pass(session: Session) -> Pass:
    last = last_listings(session, 1)
    return Pass(complete=last[0].complete, sentence=last[0].sentence) if last else Pass(complete=False)


def _learned(session: Session, answer: Snapshot | Unreadable | Absent) -> None:
    pod_id = PodId(answer.pod_id)
    absence = absences_known(session, [pod_id]).get(pod_id, NOTHING_KNOWN)
    match answer:
        case Absent(at=at):
            put_absence(session, pod_id, answered_404(absence, at))
        case Snapshot() | Unreadable():
            put_absence(session, pod_id, answered_200(absence))


def _told(session: Session, texts: Mapping[str, str], exited: frozenset[PodId], at: datetime) -> None:
    for pod_id in exited:
        put_status_text(session, pod_id, texts.get(pod_id), at)
