"""Ceilings are weighed again before each create call: what was allowed when it was ordered may not be now."""

from datetime import timedelta
from pathlib import Path

import pytest

from pods.ceilings import Ceilings
from pods.exit_codes import ExitCode
from pods.provision.outcomes import Outcome
from tests.jobs.provision.launching import H100, Launches, exit_code, quick
from tests.world import World


@pytest.fixture
def fast(world: World, tmp_path: Path) -> World:
    world.runpod.quirks.every_pod(allocation_s=2, pull_s=2, start_s=1)
    return quick(world, tmp_path)


def price(world: World) -> float:
    """What one H100 costs an hour, by RunPod's own catalogue."""
    return world.runpod.fleet.catalogue.gpus[H100].secure_price


async def test_of_two_orders_that_passed_at_the_same_moment_only_one_is_rented(fast: World) -> None:
    launches = Launches(fast.with_settings(ceilings=Ceilings(account=1.5 * price(fast))))
    wished = [await launches.wish("one"), await launches.wish("two")]
    await launches.over(wished[0])
    codes = {exit_code(await launches.over(each)) for each in wished}
    assert codes <= {ExitCode.OK, ExitCode.REFUSED}
    assert ExitCode.REFUSED in codes
    assert len(list(fast.runpod.fleet.ever())) <= 1


async def test_an_order_that_waited_for_a_machine_is_weighed_when_there_is_one(fast: World) -> None:
    launches = Launches(fast.with_settings(ceilings=Ceilings(per_owner=1.5 * price(fast))))
    fast.runpod.fleet.catalogue.set_stock(H100, "NONE")
    waiting = await launches.wish("waiting", wait_capacity=timedelta(hours=2))
    await launches.until(lambda found: found.stage == "creating", waiting)
    fast.runpod.fleet.catalogue.set_stock(H100, "HIGH")
    quicker = await launches.wish("quicker")
    assert exit_code(await launches.over(quicker)) is ExitCode.OK
    refused = await launches.over(waiting)
    assert refused.outcome == Outcome.OVER_LIMIT
    assert exit_code(refused) is ExitCode.REFUSED
    assert f"PROVISION-REFUSED: reason=over_limit provision={waiting}" in await launches.lines(waiting)
    assert refused.name_freed_at is not None
    assert [pod.order.name for pod in fast.runpod.fleet.ever()] == [f"quicker-{quicker}"]


async def test_a_pod_that_no_observation_has_seen_counts_against_a_ceiling(fast: World) -> None:
    launches = Launches(fast.with_settings(ceilings=Ceilings(account=1.5 * price(fast))))
    launches.observes = False
    assert exit_code(await launches.over(await launches.wish("first"))) is ExitCode.OK
    assert exit_code(await launches.over(await launches.wish("second"))) is ExitCode.REFUSED


async def test_within_the_ceilings_it_is_rented(fast: World) -> None:
    launches = Launches(fast.with_settings(ceilings=Ceilings(account=2.5 * price(fast))))
    assert exit_code(await launches.over(await launches.wish("first"))) is ExitCode.OK
    assert exit_code(await launches.over(await launches.wish("second"))) is ExitCode.OK


async def test_while_prices_cannot_be_read_nothing_is_rented_under_a_ceiling(fast: World) -> None:
    launches = Launches(fast.with_settings(ceilings=Ceilings(account=2.5 * price(fast))))
    fast.runpod.quirks.answer("GET", "^/v2/catalog/gpus", times=10, status=500)
    wished = await launches.wish()
    await launches.until(lambda found: found.stage == "creating", wished)
    await launches.look()
    assert not list(fast.runpod.fleet.ever())
    assert exit_code(await launches.over(wished)) is ExitCode.OK
