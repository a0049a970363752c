"""Who the people are, asked of Slack again and again: an owner who has left must not be waited for."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from sqlmodel import Session

from gateways.slack.errors import SlackError
from gateways.slack.person import Person as Asked
from jobs.house import House
from jobs.judgement.judging import judged_now
from jobs.leaving import asked_of_slack, write_people
from jobs.ticker import Pass
from storage.agent import agents
from storage.person import people

AGAIN_AFTER = timedelta(hours=6)
AT_ONCE = 20
"""So many are asked about in one pass; the rest in the next."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class People:
    """Asks about owners."""

    house: House

    async def run(self) -> Pass:
        """Ask about those whom nobody asked about for a while."""
        house, now = self.house, self.house.clock.now()
        asked = [
            await self._ask(user) for user in await house.db.read(lambda session: self._due(session, now))
        ]
        known = [one for one in asked if one is not None]
        await write_people(house, known)
        return Pass(complete=len(known) == len(asked))

    async def _ask(self, user: str) -> Asked | None:
        try:
            return await asked_of_slack(self.house, user)
        except SlackError as error:
            _log.warning("Slack did not say who somebody is", user=user, why=error.sentence)
            return None

    def _due(self, session: Session, now: datetime) -> list[str]:
        known = people(session)
        owners = {
            str(one.facts.owner) for one in judged_now(session, self.house).plan.judged if one.facts.owner
        }
        owners |= {each.owner for each in agents(session)}
        waiting = [
            user
            for user in owners
            if user[:1] in "UW" and (user not in known or known[user].fetched_at <= now - AGAIN_AFTER)
        ]
        return sorted(waiting, key=lambda user: (user in known, user))[:AT_ONCE]
