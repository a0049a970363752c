"""The digest's pass: it says which day is to be told of; the words are made when it is sent."""

from dataclasses import dataclass
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from sqlmodel import Session

from jobs.house import House
from jobs.ticker import Pass
from storage.columns import JsonObject
from storage.outbox import Letter, message_called, send

HEAD, TABLE = "digest", "digest_table"


@dataclass(frozen=True, slots=True)
class Digest:
    """Once for each day, whoever runs it and however often."""

    house: House

    async def run(self) -> Pass:
        """Have yesterday told in the ops channel."""
        today = today_in(self.house)
        new = await self.house.db.run(lambda session: self._write(session, today))
        self.house.wakes.wake("outbox")
        self.house.wakes.wake("digest-picture")
        return Pass(sentence=None if new else f"the digest of {today} was written before")

    def _write(self, session: Session, today: date) -> bool:
        now, name = self.house.clock.now(), head_name(today)
        if message_called(session, name) is not None:
            return False
        about: JsonObject = {"day": str(today - timedelta(days=1))}
        head = send(session, Letter(name, self.house.ops_channel, HEAD, about), now)
        table = Letter(f"{name}/table", self.house.ops_channel, TABLE, about, thread_of=head)
        send(session, table, now)
        return True


def today_in(house: House) -> date:
    """The day on the wall where the house is."""
    return house.clock.now().astimezone(ZoneInfo(house.schedules.zone)).date()


def head_name(today: date) -> str:
    """The name of the day's message, for ever."""
    return f"digest/{today}"
