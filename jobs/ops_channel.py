"""The ops channel is looked at again and again: who archives it, or takes the bot out of it, tells nobody."""

from dataclasses import dataclass

from sqlmodel import Session

from gateways.slack.errors import SlackError, Undeliverable
from jobs.house import House
from jobs.outbox.lost_channel import note_lost
from jobs.ticker import Pass
from storage.outbox import Letter, send
from storage.switch import is_on, switches
from storage.switches import OPS_CHANNEL_LOST

BACK = "ops_channel_back"


@dataclass(frozen=True, slots=True)
class OpsChannel:
    """Holds every clock's end while nobody could see there what happens."""

    house: House

    async def run(self) -> Pass:
        """One look. Trouble with Slack as a whole says nothing about the channel."""
        try:
            channel = await self.house.slack.channel(self.house.ops_channel)
        except Undeliverable as error:
            return await self._lost(error.reason)
        except SlackError as error:
            return Pass(complete=False, sentence=error.sentence)
        if channel.archived:
            return await self._lost("is_archived")
        if not channel.bot_is_member:
            return await self._lost("not_in_channel")
        if await self.house.db.read(lambda session: is_on(session, OPS_CHANNEL_LOST)):
            await self.house.db.run(self._says_so_there)
            self.house.wakes.wake("outbox")
        return Pass()

    async def _lost(self, reason: str) -> Pass:
        house, now = self.house, self.house.clock.now()
        await house.db.run(lambda session: note_lost(session, house.admins, reason, now))
        house.wakes.wake("outbox")
        return Pass(sentence=f"The ops channel is lost: {reason}.")

    def _says_so_there(self, session: Session) -> None:
        """It counts as reached once it has taken a message."""
        since = switches(session)[OPS_CHANNEL_LOST].set_at
        letter = Letter(f"ops channel back {since.isoformat()}", self.house.ops_channel, BACK)
        send(session, letter, self.house.clock.now())
