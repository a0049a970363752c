"""The watcher's passes: judge after each look, announce stale ends on their schedule.

What is due is due for any `serve`: the audit's schedule decides when owners are told and asked, not when a
told end happens.
"""

from dataclasses import dataclass

from sqlmodel import Session

from jobs.hearing.once import ask_about_stale
from jobs.house import House
from jobs.judgement.acting import give_notices, intend_ends
from jobs.judgement.garbage import none_collected
from jobs.judgement.judging import Judgement, judged_now, write_changes
from jobs.ticker import Pass
from pods.verdict import Reason


@dataclass(frozen=True, slots=True)
class Watcher:
    """Judges, and sets going what the plan says."""

    house: House

    async def judge(self) -> Pass:
        """Record what changed, intend the ends that are due, announce the fences that are near."""
        judgement = await self.house.db.run(self._judge)
        if judgement.plan.ends:
            self.house.wakes.wake("executor")
        self.house.wakes.wake("hearing")
        self.house.wakes.wake("outbox")
        return Pass(complete=judgement.loaded.pass_.listing_complete)

    async def stale_audit(self) -> Pass:
        """Tell the owners of stale pods that they end, or ask them where they do not end by themselves."""
        judgement, told, asked = await self.house.db.run(self._announce_stale)
        self.house.wakes.wake("hearing")
        self.house.wakes.wake("outbox")
        sentence = f"{told} owners told of an end, {asked} asked" if told or asked else None
        if judgement.loaded.pass_.clock_doubtful:
            sentence = "My clock and RunPod's do not agree, so nothing is ended."
        return Pass(judgement.loaded.pass_.listing_complete, sentence)

    @none_collected()
    def _judge(self, session: Session) -> Judgement:
        judgement = judged_now(session, self.house)
        write_changes(session, judgement.plan)
        intend_ends(session, judgement)
        give_notices(session, self.house, judgement, judgement.plan.fence_notices, Reason.FENCE_PASSED)
        return judgement

    @none_collected()
    def _announce_stale(self, session: Session) -> tuple[Judgement, int, int]:
        judgement = judged_now(session, self.house)
        write_changes(session, judgement.plan)
        told = give_notices(session, self.house, judgement, judgement.plan.stale_notices, Reason.STALE)
        complete = judgement.loaded.pass_.listing_complete
        asked = ask_about_stale(session, self.house, judgement) if complete else 0
        return judgement, told, asked
