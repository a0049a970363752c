"""I3, the branch that silently became main: followed from each door to the checkout on the pod."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.provision.ask import order
from bot.provision.ordering import terms_of
from jobs.catalogue import Catalogue
from pods.wish import wish_from_request
from simulator.runpod.plan import PodPlan
from storage.ledger import Asked
from tests.bot.talk import Talk, serving
from tests.incidents.test_i3_launched_for_real import CHECKOUT, REPO
from tests.jobs.provision.launching import quick
from tests.world import World


@pytest.fixture
def engine_name() -> str:
    """The doors are the same on both engines."""
    return "sqlite"


@pytest.fixture
async def talk(world: World, tmp_path: Path) -> AsyncIterator[Talk]:
    """A service whose bootstrap checks out the branch that it is told."""
    world.runpod.quirks.every_pod(**PodPlan.instant().model_dump(exclude_unset=True))
    told = quick(world, tmp_path, bootstrap=CHECKOUT.format(branch='"$PODKEEPER_BRANCH"'))
    async with serving(told) as service:
        yield Talk(told, service)


async def by_command(talk: Talk) -> None:
    text = f"/pod provision train --gpu 'H100 SXM' --repo {REPO} --branch issue-1689"
    await talk.types(talk.world.slack.people.alice, text)


async def by_form(talk: Talk) -> None:
    alice = talk.world.slack.people.alice
    await alice.types("/pod provision")
    await talk.settled()
    alice.fills({"name": "train", "repo": REPO, "branch": "issue-1689"})
    await alice.picks("gpu", "NVIDIA H100 NVL (94 GB), $2.79 an hour each")
    await alice.submits()
    await talk.settled()


async def by_agent(talk: Talk) -> None:
    house, alice = talk.world.house, talk.world.slack.people.alice.id
    wished = wish_from_request({"name": "train", "gpu": "H100 SXM", "repo": REPO, "branch": "issue-1689"})
    channel = talk.world.slack.channel("#general").id
    asked = Asked(alice, "agent:scout", "agent", agent="scout", channel=channel)
    catalogue, now = Catalogue(house), house.clock.now()
    await order(house.db, wished, asked, terms_of(house), catalogue, now, house.wakes.wake)


@pytest.mark.parametrize("door", [by_command, by_form, by_agent])
async def test_i3_the_branch_reaches_the_pod_whichever_door_it_came_in_by(talk: Talk, door: object) -> None:
    assert callable(door)
    await door(talk)
    alice = talk.world.slack.people.alice
    for _ in range(200):
        if "BOOTSTRAP-" in alice.reads("#general"):
            break
        await talk.world.passes(timedelta(seconds=2))
        await asyncio.sleep(0.1)
    assert "BRANCH: OK branch=issue-1689 head=" in alice.reads("#general")
    assert "BOOTSTRAP-OK pod=train" in alice.reads("#general")
