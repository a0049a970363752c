"""An owner who has left: what follows from it, whoever it was that asked Slack first."""

from dataclasses import replace
from datetime import timedelta

from sqlmodel import select

from jobs.leaving import KEEPS_END_WITHIN
from jobs.people import AGAIN_AFTER, People
from storage.agent import Agent, add_agent, agent
from storage.keep import Keep, give_keep, keeps_of
from storage.keys import new_key
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


async def kept_by(world: World, pod_id: str, giver: str) -> None:
    """A keep for two weeks."""
    now = world.clock.now()
    keep = Keep(new_key(), pod_id, giver, "agent", now, now + timedelta(days=14))
    await world.house.db.run(lambda session: give_keep(session, keep))


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


async def test_what_the_agent_of_a_departed_owner_keeps_runs_out_within_a_week(world: World) -> None:
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    await adds_agent(world)
    await kept_by(world, pod_id, "agent:ci")
    world.slack.workspace.deactivate(alice.id)

    await asks_slack_again(world)

    [keep] = await world.house.db.read(lambda session: keeps_of(session, pod_id))
    assert keep.until == world.clock.now() + KEEPS_END_WITHIN


async def test_what_others_keep_of_a_departed_owner_is_not_cut_short(world: World) -> None:
    alice, bob = world.slack.people.alice, world.slack.people.bob
    pod_id = await owned(world, "train", alice.id)
    await kept_by(world, pod_id, bob.id)
    given = await world.house.db.read(lambda session: keeps_of(session, pod_id))
    world.slack.workspace.deactivate(alice.id)

    await asks_slack_again(world)

    assert await world.house.db.read(lambda session: keeps_of(session, pod_id)) == given


async def test_the_agents_of_an_owner_who_comes_back_go_on(world: World) -> None:
    alice = world.slack.people.alice
    await adds_agent(world)
    world.slack.workspace.deactivate(alice.id)
    await asks_slack_again(world)
    assert (await agent_of_alice(world)).suspended_at is not None
    world.slack.workspace.reactivate(alice.id)

    await asks_slack_again(world)

    assert (await agent_of_alice(world)).suspended_at is None
