"""What happens to a launch whose pod RunPod does not show any more."""

from datetime import timedelta
from pathlib import Path

import pytest

from bot.provision.endings import sentence_of
from jobs.observe.looking import Observer
from pods.exit_codes import ExitCode
from pods.provision.outcomes import Outcome
from storage.ledger import provision_of
from tests.jobs.provision.launching import Launches, exit_code, quick
from tests.jobs.provision.test_the_world_changes import LONG, at
from tests.world import World


@pytest.fixture
def launches(world: World, tmp_path: Path) -> Launches:
    """Launches whose bootstrap takes its time."""
    world.runpod.quirks.every_pod(allocation_s=2, pull_s=2, start_s=1)
    return Launches(quick(world, tmp_path, bootstrap=LONG))


async def test_a_pod_that_somebody_terminates_ends_the_launch_once_that_is_explained(
    launches: Launches,
) -> None:
    world = launches.world
    world.runpod.rent("neighbour", by="console:bob")
    found = await at(launches, "bootstrapping")
    observer = Observer(world.house)
    await observer.run()
    await world.passes(timedelta(seconds=61))
    await observer.run()
    world.runpod.console.terminate(str(found.pod_id))
    for _ in range(5):
        await world.passes(timedelta(seconds=61))
        await observer.run()
        await launches.look()
    over = await launches.over(found.id, within=timedelta(minutes=2))
    assert over.outcome == Outcome.TERMINATED_ELSEWHERE
    assert over.name_freed_at is not None


async def test_a_pod_that_is_gone_before_observation_ever_saw_it_ends_the_launch(launches: Launches) -> None:
    world = launches.world
    world.runpod.rent("neighbour", by="console:bob")
    await launches.observer.run()
    launches.observes = False
    found = await at(launches, "bootstrapping")
    world.runpod.console.terminate(str(found.pod_id))
    over = await launches.over(found.id, within=timedelta(minutes=3))
    assert over.outcome == Outcome.TERMINATED_ELSEWHERE
    assert exit_code(over) is ExitCode.ENDED_ELSEWHERE


@pytest.mark.parametrize("stage", ["waiting_runtime", "bootstrapping"])
async def test_of_an_accounts_only_pod_that_is_gone_its_owner_hears_in_the_end(
    launches: Launches, stage: str
) -> None:
    """If every pod is missing nothing explains it, for so does a lost scope look: it is not called gone."""
    if stage == "waiting_runtime":
        launches.world.runpod.quirks.next_pod(stuck_in="RUNNING")
    found = await at(launches, stage)
    launches.world.runpod.console.terminate(str(found.pod_id))
    over = await launches.over(found.id, within=timedelta(minutes=75))
    assert exit_code(over) is ExitCode.NOT_LOGGED_IN
    assert (await launches.lines(found.id))[-1].startswith(("SSH: ", "BOOTSTRAP-FAILED pod=train rc=124"))
    assert "nothing proves that it is gone" in sentence_of(over, provision_of(over))
    assert not launches.world.runpod.calls.terminates()


async def test_called_off_while_no_pod_is_shown_it_ends_without_an_end_of_the_pod(launches: Launches) -> None:
    launches.world.runpod.quirks.next_pod(stuck_in="RUNNING")
    found = await at(launches, "waiting_runtime")
    launches.world.runpod.console.terminate(str(found.pod_id))
    await launches.world.passes(timedelta(seconds=30))
    await launches.look()
    await launches.call_off(found.id)
    over = await launches.over(found.id, within=timedelta(minutes=25))
    assert exit_code(over) is ExitCode.CALLED_OFF_ALIVE
    assert not launches.world.runpod.calls.terminates()


async def test_a_pod_that_only_one_listing_lacks_goes_on(launches: Launches) -> None:
    world = launches.world
    found = await at(launches, "waiting_runtime")
    world.runpod.quirks.account.listing_drops = frozenset({str(found.pod_id)})
    await world.passes(timedelta(seconds=30))
    await launches.look()
    world.runpod.quirks.account.listing_drops = frozenset()
    on = await launches.until(lambda found: found.stage == "bootstrapping", found.id)
    assert on.pod_id == found.pod_id
