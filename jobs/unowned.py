"""The weekly list of what nobody owns. If it is what it was a week ago, nothing is said."""

from dataclasses import dataclass

from sqlmodel import Session

from jobs.house import House
from jobs.judgement.judging import judged_now
from jobs.ticker import Pass
from pods.cost import usd_per_hour_now
from pods.ownership import Grade
from pods.phase import Phase
from storage.columns import JsonObject
from storage.listing import recall, remember
from storage.outbox import Letter, send
from storage.pod import snapshots

KIND, REMEMBERED = "unowned", "unowned listed"
AT_ONCE = 40


@dataclass(frozen=True, slots=True)
class Listed:
    """What the last list held."""

    pods: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unowned:
    """Lists them by cost, all of them: what does not fit into the message is in its thread."""

    house: House

    async def run(self) -> Pass:
        """Write the list, if there is news in it."""
        listed = await self.house.db.run(self._write)
        self.house.wakes.wake("outbox")
        return Pass(sentence=f"{listed} pods without an owner listed" if listed else None)

    def _write(self, session: Session) -> int:
        judgement = judged_now(session, self.house)
        if not judgement.loaded.pass_.listing_complete:
            return 0
        nobodys = [
            one.facts
            for one in judgement.plan.judged
            if one.facts.grade is Grade.UNKNOWN and one.facts.phase is not Phase.GONE
        ]
        seen, now = snapshots(session), judgement.plan.at
        rates: dict[str, float] = {}
        for facts in nobodys:
            shown = seen.get(facts.pod_id)
            price, mounts = (shown.usd_per_hour, shown.mounts) if shown else (None, None)
            rates[facts.pod_id] = usd_per_hour_now(facts.phase, price, mounts) or 0.0
        ids = sorted(rates, key=lambda pod_id: (-rates[pod_id], pod_id))
        before = recall(session, REMEMBERED, Listed)
        if not ids or (before is not None and set(before.pods) == set(ids)):
            return 0
        remember(session, REMEMBERED, Listed(tuple(ids)), now)
        self._send(session, ids)
        return len(ids)

    def _send(self, session: Session, ids: list[str]) -> None:
        now, head = self.house.clock.now(), None
        for start in range(0, len(ids), AT_ONCE):
            refs: JsonObject = {"pods": [*ids[start : start + AT_ONCE]], "all": len(ids), "first": start + 1}
            name = f"unowned/{now.isoformat()}/{start}"
            message = send(session, Letter(name, self.house.ops_channel, KIND, refs, thread_of=head), now)
            head = head or message
