"""What Slack says of people is written down here only, so that nobody leaves without what follows from it."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session, col, or_

from gateways.slack.errors import Undeliverable
from gateways.slack.person import Person as Asked
from jobs.house import House
from jobs.judgement.judging import judged_now
from pods.phase import Phase
from storage.agent import suspend_agents
from storage.columns import JsonObject
from storage.keep import KeepRow
from storage.outbox import Letter, send
from storage.person import Person, people, put_people
from storage.rows import change
from storage.trail import Event, is_recorded, record

KIND = "owner_left"
LEFT = "owner.left"
KEEPS_END_WITHIN = timedelta(days=7)


async def asked_of_slack(house: House, user: str) -> Asked:
    """Who this is; somebody whom Slack does not know is not here. Raises SlackError if it does not say."""
    try:
        return await house.slack.user(user)
    except Undeliverable:
        return Asked(user, user, None, deactivated=True, bot=False, guest=False, stranger=False)


async def write_people(house: House, asked: Sequence[Asked]) -> None:
    """Write down what Slack said. Who has left is told once, with what they leave behind."""
    if not asked:
        return
    now = house.clock.now()
    if await house.db.run(lambda session: _write(session, house, asked, now)):
        house.wakes.wake("outbox")


def _write(session: Session, house: House, asked: Sequence[Asked], now: datetime) -> bool:
    before = people(session)
    put_people(session, [_person(one, now) for one in asked])
    gone = [one.user_id for one in asked if one.deactivated]
    told = [_is_gone(session, house, user, before.get(user), now) for user in gone]
    return any(told)


def _is_gone(session: Session, house: House, user: str, before: Person | None, now: datetime) -> bool:
    """Agents stop, keeps run out, and the pods are listed for whoever takes them over: True if only now.

    Whether they were listed says the trail: that the person is known to be gone proves nothing. An agent or a
    keep that came to be since the list is stopped as well.
    """
    suspended = suspend_agents(session, user, now)
    shortened = _shorten_keeps(session, user, now + KEEPS_END_WITHIN)
    was_here = before is not None and before.deleted is False
    first = was_here or not is_recorded(session, LEFT, user)
    if first or suspended or shortened:
        facts: JsonObject = {"agents": suspended, "keeps": shortened}
        record(session, Event(now, "podkeeper", LEFT, user, facts))
    if first:
        _list_pods(session, house, user, now)
    return first


def _shorten_keeps(session: Session, user: str, ends: datetime) -> int:
    longer = or_(col(KeepRow.until).is_(None), col(KeepRow.until) > ends)
    mine = (col(KeepRow.given_by) == user) & col(KeepRow.lifted_at).is_(None)
    return change(session, KeepRow, mine, longer, until=ends)


def _list_pods(session: Session, house: House, user: str, now: datetime) -> None:
    pods = [
        one.facts.pod_id
        for one in judged_now(session, house).plan.judged
        if one.facts.owner == user and one.facts.phase is not Phase.GONE
    ]
    if pods:
        refs: JsonObject = {"owner": user, "pods": [*map(str, pods)]}
        letter = Letter(f"owner left/{user}/{now.date()}", house.ops_channel, KIND, refs)
        send(session, letter, now)


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
