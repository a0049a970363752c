"""What nobody will ask for any more is forgotten, a little at a time, so that nobody waits for it."""

from dataclasses import dataclass

from jobs.house import House
from jobs.ticker import Pass
from storage.retention import prune

SCHEDULE = "41 3 * * *"


@dataclass(frozen=True, slots=True)
class Forgetting:
    """Once a day. What may be forgotten, and when, is said in `storage.retention`."""

    house: House

    async def run(self) -> Pass:
        """Forget until there is nothing left that may be."""
        now, forgotten = self.house.clock.now(), 0
        while some := await self.house.db.run(lambda session: prune(session, now)):
            forgotten += some
        return Pass(sentence=f"{forgotten} rows forgotten" if forgotten else None)
