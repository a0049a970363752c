"""Who the people are, asked of Slack again and again: an owner who has left must not be waited for."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from sqlmodel import Session, col, or_

from gateways.slack.errors import SlackError, Undeliverable
from gateways.slack.person import Person as Asked
from jobs.house import House
from jobs.judgement.judging import judged_now
from jobs.ticker import Pass
from pods.phase import Phase
from storage.agent import agents, suspend_agents
from storage.columns import JsonObject
from storage.keep import KeepRow
from storage.outbox import Letter, send
from storage.person import Person, people, put_people
from storage.rows import change
from storage.trail import Event, record

KIND = "owner_left"
AGAIN_AFTER = timedelta(hours=6)
AT_ONCE = 20
"""So many are asked about in one pass; the rest in the next."""
KEEPS_END_WITHIN = timedelta(days=7)

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class People:
    """Asks about owners. Who has left is told once, with what they leave behind."""

    house: House

    async def run(self) -> Pass:
        """Ask about those whom nobody asked about for a while."""
        house, now = self.house, self.house.clock.now()
        asked = [
            await self._ask(user) for user in await house.db.read(lambda session: self._due(session, now))
        ]
        known = [one for one in asked if one is not None]
        if known:
            left = await house.db.run(lambda session: self._write(session, known, now))
            if left:
                house.wakes.wake("outbox")
        return Pass(complete=len(known) == len(asked))

    async def _ask(self, user: str) -> Asked | None:
        try:
            return await self.house.slack.user(user)
        except Undeliverable:
            return Asked(user, user, None, deactivated=True, bot=False, guest=False, stranger=False)
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

    def _write(self, session: Session, asked: Iterable[Asked], now: datetime) -> bool:
        before = people(session)
        told = [*asked]
        put_people(session, [_person(one, now) for one in told])
        left = [one.user_id for one in told if one.deactivated and not _was_gone(before.get(one.user_id))]
        for user in left:
            self._has_left(session, user, now)
        return bool(left)

    def _has_left(self, session: Session, user: str, now: datetime) -> None:
        """Agents stop, keeps run out, and the pods are listed for whoever takes them over."""
        suspended = suspend_agents(session, user, now)
        ends = now + KEEPS_END_WITHIN
        longer = or_(col(KeepRow.until).is_(None), col(KeepRow.until) > ends)
        mine = (col(KeepRow.given_by) == user) & col(KeepRow.lifted_at).is_(None)
        shortened = change(session, KeepRow, mine, longer, until=ends)
        facts: JsonObject = {"agents": suspended, "keeps": shortened}
        record(session, Event(now, "podkeeper", "owner.left", user, facts))
        pods = [
            one.facts.pod_id
            for one in judged_now(session, self.house).plan.judged
            if one.facts.owner == user and one.facts.phase is not Phase.GONE
        ]
        if pods:
            refs: JsonObject = {"owner": user, "pods": [*map(str, pods)]}
            letter = Letter(f"owner left/{user}/{now.date()}", self.house.ops_channel, KIND, refs)
            send(session, letter, now)


def _was_gone(known: Person | None) -> bool:
    return known is not None and known.deleted is True


def _person(one: Asked, now: datetime) -> Person:
    return Person(
        user_id=one.user_id,
        name=one.name,
        team_id=None,
        timezone=one.zone,
        deleted=one.deactivated,
        bot=one.bot,
        guest=one.guest,
        stranger=one.stranger,
        fetched_at=now,
    )
