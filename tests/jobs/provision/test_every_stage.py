"""Whatever goes wrong at whatever stage, a launch comes to the same end.

The stages come from the machine's own list, so that a new one is covered without anybody thinking of it.
"""

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from gateways.ssh.client import Ssh
from jobs.provision.reconciler import Provisions
from pods.provision.stages import UNDER_WAY, Stage
from simulator.runpod.plan import PodPlan
from tests.jobs.provision.faults import Gate, Killed
from tests.jobs.provision.launching import quick
from tests.jobs.provision.trial import WORK, Trial
from tests.world import World

STAGES = [stage for stage in Stage if stage in UNDER_WAY]


@pytest.fixture(params=STAGES)
def trial(request: pytest.FixtureRequest, world: World, tmp_path: Path) -> Trial:
    """A launch whose pods come up at once; what is not worth waiting for here is waited for briefly."""
    world.runpod.quirks.every_pod(**PodPlan.instant().model_dump(exclude_unset=True))
    brief = world.with_settings(waits=replace(world.house.waits, create_settle=timedelta(seconds=10)))
    return Trial(quick(brief, tmp_path, bootstrap=WORK), request.param)


async def breaks() -> None:
    raise RuntimeError("a bug, a full disk, an answer that was lost on its way back")


async def dies() -> None:
    raise Killed


async def test_an_exception_before_any_call_only_delays_it(trial: Trial) -> None:
    trial.use(Gate(before=trial.at_each_call(breaks)))
    await trial.runs_through()
    await trial.ends_as_ever()


async def test_an_exception_after_any_call_only_delays_it(trial: Trial) -> None:
    trial.use(Gate(after=trial.at_each_call(breaks)))
    await trial.runs_through()
    await trial.ends_as_ever()


async def test_a_pass_abandoned_before_any_call_is_taken_up_by_another(trial: Trial) -> None:
    trial.use(Gate(before=trial.at_each_call(dies)))
    await trial.runs_through()
    await trial.ends_as_ever()


async def test_a_pass_abandoned_after_any_call_is_taken_up_by_another(trial: Trial) -> None:
    trial.use(Gate(after=trial.at_each_call(dies)))
    await trial.runs_through()
    await trial.ends_as_ever()


async def test_the_provider_may_be_down_for_ten_minutes(trial: Trial) -> None:
    async def comes_back() -> None:
        for _ in range(5):
            await trial.world.passes(timedelta(minutes=2))
            await trial.look()
        trial.world.runpod.quirks.account.down = False

    async def goes_down() -> None:
        trial.world.runpod.quirks.account.down = True
        trial.afterwards.append(comes_back)

    trial.use(Gate(before=trial.once(goes_down)))
    await trial.runs_through()
    await trial.ends_as_ever()


async def test_ssh_may_be_cut_for_minutes(trial: Trial) -> None:
    house = trial.world.house

    async def connects_again() -> None:
        for _ in range(4):
            await trial.world.passes(timedelta(minutes=1))
            await trial.look()
        trial.launches.provisions = Provisions(house)

    async def is_cut() -> None:
        cut_off = replace(house, ssh=Ssh(house.ssh.key, connect_seconds=0.0001))
        trial.launches.provisions = Provisions(cut_off)
        trial.afterwards.append(connects_again)

    trial.use(Gate(before=trial.once(is_cut)))
    await trial.runs_through()
    await trial.ends_as_ever()


async def test_a_step_that_two_do_at_once_is_done_once(trial: Trial) -> None:
    """The lease runs out under the first one at each of its calls; another does a whole pass meanwhile."""

    async def overtake() -> None:
        await trial.leases_run_out()
        await Provisions(trial.world.house).pass_over(trial.wished)

    trial.use(Gate(before=trial.at_each_call(overtake)))
    await trial.runs_through()
    await trial.ends_as_ever()


async def test_after_half_an_hour_without_a_look_it_goes_on(trial: Trial) -> None:
    async def nobody_looks() -> None:
        await trial.world.passes(timedelta(minutes=30))

    async def dies_for_long() -> None:
        trial.afterwards.append(nobody_looks)
        raise Killed

    trial.use(Gate(before=trial.once(dies_for_long)))
    await trial.runs_through()
    await trial.ends_as_ever()


async def test_two_services_on_one_database_make_one_pod(trial: Trial) -> None:
    """The second one looks in the middle of the first one's pass, at every call, whoever has it in hand."""
    other = Provisions(trial.world.house)

    async def looks_too() -> None:
        await other.run()
        await asyncio.gather(*other.in_hand())

    trial.use(Gate(after=trial.at_each_call(looks_too)))
    await trial.runs_through()
    await trial.ends_as_ever()
