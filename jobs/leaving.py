"""What Slack says of people is written down here only, so that nobody leaves without what follows from it."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session

from gateways.slack.errors import Undeliverable
from gateways.slack.person import Person as Asked
from jobs.house import House
from jobs.judgement.judging import judged_now
from pods.phase import Phase
from storage.agent import actors_of, suspend_agents
from storage.columns import JsonObject
from storage.keep import shorten_keeps
from storage.outbox import Letter, send
from storage.person import Person, people, put_people
from storage.trail import Event, is_recorded, record

KIND = "owner_left"
LEFT, BACK = "owner.left", "owner.back"
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
    for one in asked:
        if not one.deactivated and before.get(one.user_id):
            _is_here(session, one.user_id, now)
    return any(told)


def _is_here(session: Session, user: str, now: datetime) -> None:
    """Agents that stopped with somebody go on with them. Keeps stay as short as they are."""
    if agents_back := suspend_agents(session, user, None):
        record(session, Event(now, "podkeeper", BACK, user, {"agents": agents_back}))


def _is_gone(session: Session, house: House, user: str, before: Person | None, now: datetime) -> bool:
    """Agents stop, the keeps that they and their agents gave run out, and their pods are listed for whoever
    takes them over: True if only now.

    Whether they were listed says the trail: that the person is known to be gone proves nothing. An agent or a
    keep that came to be since the list is stopped as well.
    """
    suspended = suspend_agents(session, user, now)
    shortened = shorten_keeps(session, [user, *actors_of(session, user)], now + KEEPS_END_WITHIN, now)
    was_here = before is not None and before.deleted is False
    first = was_here or not is_recorded(session, LEFT, user)
    if first or suspended or shortened:
        facts: JsonObject = {"agents": suspended, "keeps": shortened}
        record(session, Event(now, "podkeeper", LEFT, user, facts))
    if first:
        _list_pods(session, house, user, now)
    return first


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
