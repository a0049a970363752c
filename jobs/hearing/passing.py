"""One pass of hearing: judge as the watcher does, and write what people are to hear of it now."""

from dataclasses import dataclass

from sqlmodel import Session

from jobs.hearing.news import DAY, first_day, tell_ends, tell_limits
from jobs.hearing.once import ask_whose
from jobs.hearing.present import present_states
from jobs.hearing.saying import say_if_due
from jobs.house import House
from jobs.judgement.judging import judged_now
from jobs.ticker import Pass
from storage.said import said


@dataclass(frozen=True, slots=True)
class Hearing:
    """Finds who has to hear of what now. Safe in several processes: what was said is a row."""

    house: House

    async def run(self) -> Pass:
        """Write what is due: questions, reminders, lines, news."""
        spoken = await self.house.db.run(self._speak)
        self.house.wakes.wake("outbox")
        return Pass(sentence=f"{spoken} things said" if spoken else None)

    def _speak(self, session: Session) -> int:
        house = self.house
        judgement = judged_now(session, house)
        now = judgement.plan.at
        tell_ends(session, house, now)
        began = first_day(session, house, judgement)
        if began is None:
            return 0
        tell_limits(session, house, judgement)
        so_far = said(session)
        spoken = ask_whose(session, house, judgement)
        for present in present_states(session, judgement, so_far, began.at + DAY):
            told = so_far.get((present.subject, present.state), [])
            spoken += say_if_due(session, house, present, told, now)
        return spoken
