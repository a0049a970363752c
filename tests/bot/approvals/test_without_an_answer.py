"""What a card and a notice say of silence is what then happens, and what happened is what they say later."""

from datetime import timedelta

import pytest
from sqlmodel import Session

from jobs.arming import Preview, arm, disarm, pause
from jobs.executor.ending import close
from pods.guards import Job, Path
from simulator.slack.client.person import Person
from storage.deed import Deed, DeedState, deed, intend
from storage.ledger import record_of_pod
from storage.provision_asks import set_fence
from tests.bot.account import foreign, looked, owned, rented
from tests.bot.asking import opened, prepared_together, sent
from tests.bot.talk import Talk
from tests.world import World

NOTHING = "nothing happens to it."
SOON = "it may end by itself soon, because nothing ever ran on it"


@pytest.fixture
def alice(world: World) -> Person:
    return world.slack.people.alice


async def never_ran(world: World, owner: Person) -> str:
    """A pod of ours on which nothing runs, whose owner is asked what should happen to it."""
    pod_id = await owned(world, "train", owner.id, stuck_in="RUNNING")
    await opened(world, pod_id, owner.id, "never_ran")
    return pod_id


async def stale_notice(world: World, owner: Person) -> str:
    """A stopped pod whose end was announced to its owner."""
    await allowed(world, Job.STALE)
    pod_id = await owned(world, "train", owner.id)
    world.runpod.console.stop(pod_id, by="console:alice")
    await looked(world)
    await opened(world, pod_id, owner.id, kind="notice")
    return pod_id


async def allowed(world: World, job: Job) -> None:
    """An admin arms a job."""
    by = world.slack.people.dana.id
    done = await world.house.db.run(lambda session: arm(session, world.house, job, by, ()))
    assert isinstance(done, Preview)
    await sent(world)


async def forbidden(world: World, job: Job) -> None:
    """An admin disarms a job."""
    by = world.slack.people.dana.id
    assert await world.house.db.run(lambda session: disarm(session, world.house, job, by)) is None
    await sent(world)


async def ended_by_a_clock(world: World, pod_id: str, path: Path) -> None:
    """That clock's end took, at the time that it is now."""
    now = world.clock.now()
    told = Deed("d", path, pod_id, "f", "podkeeper", now, now, now, state=DeedState.CONFIRMING, attempts=1)

    def work(session: Session) -> None:
        assert intend(session, told)
        taken = deed(session, "d")
        assert taken is not None
        assert close(session, world.house, taken, DeedState.DONE, now, answered_at=now)

    await world.house.db.run(work)
    await sent(world)


async def test_arming_redraws_the_card_of_a_pod_that_never_ran_and_disarming_does_again(
    world: World, talk: Talk, alice: Person
):
    await looked(world)
    await never_ran(world, alice)
    before = alice.reads("dm")

    await allowed(world, Job.NEVER_RAN)
    armed = alice.reads("dm")
    await forbidden(world, Job.NEVER_RAN)

    assert f"Without one, {NOTHING}" in before
    assert f"Without one, {SOON}." in armed
    assert NOTHING not in armed
    assert f"Without one, {NOTHING}" in alice.reads("dm")


async def test_a_pod_that_ran_or_is_not_ours_stays_whatever_is_armed(world: World, talk: Talk, alice: Person):
    await looked(world)
    await opened(world, await owned(world, "train", alice.id), alice.id, "error_state")
    await opened(world, await foreign(world, "other", stuck_in="RUNNING"), alice.id, "never_ran_unproved")

    await allowed(world, Job.NEVER_RAN)

    assert alice.reads("dm").count(f"Without one, {NOTHING}") == 2


async def test_a_card_about_a_pod_with_a_fence_says_when_it_ends(world: World, talk: Talk, alice: Person):
    pod_id = await owned(world, "train", alice.id)
    made = await world.house.db.read(lambda session: record_of_pod(session, pod_id))
    assert made is not None
    ends_at = world.clock.now() + timedelta(hours=3)
    await world.house.db.run(lambda session: set_fence(session, made.id, ends_at))

    await opened(world, pod_id, alice.id, "error_state")

    assert "it ends by itself at" in alice.reads("dm")
    assert "as it was ordered." in alice.reads("dm")
    assert NOTHING not in alice.reads("dm")


async def test_a_list_of_pods_says_which_of_them_end_by_themselves(world: World, talk: Talk, alice: Person):
    pods = [await rented(world, f"train-{n}", alice.id, stuck_in="RUNNING") for n in range(3)]
    pods.append(await rented(world, "train-ran", alice.id))
    await looked(world)
    await prepared_together(world, pods, alice.id)
    await sent(world)
    before = alice.reads("dm")

    await allowed(world, Job.NEVER_RAN)

    assert "nothing happens to any of them" in before
    assert alice.reads("dm").count(f"Without an answer {SOON}.") == 3
    assert "nothing happens to those that do not say otherwise" in alice.reads("dm")


async def test_a_notice_announces_nothing_once_its_job_is_disarmed(world: World, talk: Talk, alice: Person):
    await looked(world)
    await stale_notice(world, alice)
    before = alice.reads("dm")

    await forbidden(world, Job.STALE)

    assert "It ends by itself at" in before
    assert "ends by itself at" not in alice.reads("dm")
    assert "This question does not hold any more: an admin has disarmed that." in alice.reads("dm")


async def test_a_notice_says_that_a_pause_holds_its_end(world: World, talk: Talk, alice: Person):
    await looked(world)
    await stale_notice(world, alice)
    by = world.slack.people.dana.id

    await world.house.db.run(lambda session: pause(session, world.house, by))
    await sent(world)

    assert "Everything is paused: it does not end by itself before that is over." in alice.reads("dm")
    assert "ends by itself at" not in alice.reads("dm")


async def test_after_the_end_that_a_notice_announced_it_says_so(world: World, talk: Talk, alice: Person):
    await looked(world)
    pod_id = await stale_notice(world, alice)

    await ended_by_a_clock(world, pod_id, Path.STALE)

    assert "It ended by itself at" in alice.reads("dm")
    assert ", as announced." in alice.reads("dm")
    assert "Nothing was done" not in alice.reads("dm")


async def test_after_the_end_of_a_pod_that_never_ran_its_card_says_why(
    world: World, talk: Talk, alice: Person
):
    await looked(world)
    pod_id = await never_ran(world, alice)

    await ended_by_a_clock(world, pod_id, Path.NEVER_RAN)

    assert "It ended by itself at" in alice.reads("dm")
    assert ", because nothing ever ran on it." in alice.reads("dm")
    assert "Nothing was done" not in alice.reads("dm")


async def test_a_pod_that_somebody_else_ended_is_gone_and_nothing_was_done(
    world: World, talk: Talk, alice: Person
):
    pod_id = await owned(world, "train", alice.id)
    await opened(world, pod_id, alice.id)

    await ended_by_a_clock(world, pod_id, Path.AGENT)

    assert "the pod is gone. Nothing was done because of it." in alice.reads("dm")
