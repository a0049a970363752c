"""An owner who has left: what follows from it, whoever it was that asked Slack first."""

from dataclasses import replace
from datetime import timedelta

from sqlmodel import select

from jobs.people import AGAIN_AFTER, People
from storage.agent import Agent, add_agent, agent
from storage.outbox import OutboxRow
from storage.person import people, put_people
from storage.trail import TrailRow
from tests.bot.account import owned
from tests.jobs.provision.launching import Launches
from tests.world import World


async def adds_agent(world: World, name: str = "ci") -> None:
    """Alice adds an agent."""
    alice, now = world.slack.people.alice.id, world.clock.now()
    await world.house.db.run(lambda session: add_agent(session, name, alice, alice, now))


async def agent_of_alice(world: World, name: str = "ci") -> Agent:
    found = await world.house.db.read(lambda session: agent(session, name))
    assert found is not None
    return found


async def asks_slack_again(world: World) -> None:
    await world.clock.pass_by(AGAIN_AFTER)
    await People(world.house).run()


async def lists_of_her_pods(world: World) -> int:
    left = select(OutboxRow.id).where(OutboxRow.kind == "owner_left")
    return len(await world.house.db.read(lambda session: session.exec(left).all()))


async def departures(world: World) -> int:
    left = select(TrailRow.seq).where(TrailRow.kind == "owner.left")
    return len(await world.house.db.read(lambda session: session.exec(left).all()))


async def test_that_an_owner_has_left_may_come_out_when_something_is_ordered_for_them(world: World) -> None:
    launches, alice = Launches(world), world.slack.people.alice
    await owned(world, "train", alice.id)
    await adds_agent(world)
    world.slack.workspace.deactivate(alice.id)

    refused = await launches.over(await launches.wish("second"))

    assert refused.pod_id is None
    assert (await agent_of_alice(world)).suspended_at is not None
    assert await lists_of_her_pods(world) == 1


async def test_somebody_who_is_only_known_to_be_gone_is_not_taken_for_told_of(world: World) -> None:
    alice = world.slack.people.alice
    await owned(world, "train", alice.id)
    await adds_agent(world)
    await People(world.house).run()
    known = (await world.house.db.read(people))[alice.id]
    await world.house.db.run(lambda session: put_people(session, [replace(known, deleted=True)]))
    world.slack.workspace.deactivate(alice.id)

    await asks_slack_again(world)

    assert (await agent_of_alice(world)).suspended_at is not None
    assert await lists_of_her_pods(world) == 1


async def test_an_agent_that_is_added_for_somebody_who_left_is_suspended_without_a_second_list(
    world: World,
) -> None:
    alice = world.slack.people.alice
    await owned(world, "train", alice.id)
    world.slack.workspace.deactivate(alice.id)
    await asks_slack_again(world)
    await adds_agent(world, "late")

    await asks_slack_again(world)
    await asks_slack_again(world)

    assert (await agent_of_alice(world, "late")).suspended_at is not None
    assert await lists_of_her_pods(world) == 1
    assert await departures(world) == 2


async def test_who_came_back_and_leaves_again_is_told_of_again(world: World) -> None:
    alice = world.slack.people.alice
    await owned(world, "train", alice.id)
    world.slack.workspace.deactivate(alice.id)
    await asks_slack_again(world)
    known = (await world.house.db.read(people))[alice.id]
    await world.house.db.run(lambda session: put_people(session, [replace(known, deleted=False)]))
    await world.clock.pass_by(timedelta(days=1))

    await asks_slack_again(world)

    assert await lists_of_her_pods(world) == 2
