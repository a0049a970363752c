"""I1 and I4 as people meet them: the whole service, in Slack."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import col, select

from storage.provision import ProvisionRow
from tests.bot.talk import Talk, serving
from tests.jobs.provision.launching import quick
from tests.world import World

ORDER = "/pod provision pod-1947 --gpu 'H100 SXM' --count 4"


@pytest.fixture
def engine_name() -> str:
    """The doors are the same on both engines."""
    return "sqlite"


@pytest.fixture
async def talk(world: World, tmp_path: Path) -> AsyncIterator[Talk]:
    """People who talk to a service whose preflight fails."""
    world.runpod.rent("neighbour", by="console:bob")
    async with serving(
        quick(world, tmp_path, preflight="echo 'CHECK disk FAIL it is full'\nexit 2\n")
    ) as service:
        yield Talk(world, service)


async def looked_at(talk: Talk) -> None:
    """Until nothing is due that the service has not looked at: a clock that runs away from it is a gap."""
    due = select(ProvisionRow.id).where(col(ProvisionRow.due_at) <= talk.world.clock.now())
    for _ in range(200):
        await asyncio.sleep(0.02)
        if not await talk.world.house.db.read(lambda session: session.exec(due).all()):
            return


async def until_told(talk: Talk, text: str) -> str:
    """What everybody sees in #general, once this is told there."""
    bob = talk.world.slack.people.bob
    for _ in range(400):
        if text in bob.reads("#general"):
            return bob.reads("#general")
        await talk.world.passes(timedelta(seconds=10))
        await looked_at(talk)
    raise AssertionError(bob.reads("#general"))


async def test_i1_a_pod_without_ssh_is_ended_and_its_thread_says_so(talk: Talk) -> None:
    talk.world.runpod.quirks.next_pod(stuck_in="RUNNING")
    await talk.types(talk.world.slack.people.alice, ORDER)
    seen = await until_told(talk, "BOOTSTRAP-FAILED-TERMINATED pod=pod-1947")
    assert "BOOTSTRAP-FAILED pod=pod-1947 rc=124" in seen
    assert "Nobody could ever reach `pod-1947`, so the pod was ended" in seen
    alive = [pod.order.name for pod in talk.world.runpod.fleet.ever() if pod.ended_at is None]
    assert alive == ["neighbour"]


async def test_i4_a_failed_preflight_is_no_ok_and_the_pod_is_its_owners_to_decide(talk: Talk) -> None:
    alice, bob = talk.world.slack.people.alice, talk.world.slack.people.bob
    await talk.types(alice, ORDER)
    seen = await until_told(talk, "BOOTSTRAP-FAILED pod=pod-1947 rc=2")
    assert "PREFLIGHT: FAIL rc=2" in seen
    assert "The check `disk` failed: it is full" in seen
    assert "BOOTSTRAP-OK" not in seen
    assert seen.count("@alice") == 1
    await bob.sees_button("Retry bootstrap", in_="#general")
    assert not talk.world.runpod.calls.terminates()
