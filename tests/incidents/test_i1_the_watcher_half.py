"""I1: a pod that never ran and that every code path left alone, because it was kept.

Here the real jobs and the real executor over a whole account: what reaches RunPod, and what does not.
"""

import pytest

from jobs.executor.running import run as execute
from pods.has_run import Sign
from pods.ids import PodId
from simulator.runpod.pod import Pod
from storage.history import saw_life
from storage.keep import Keep, give_keep
from storage.switches import ARMED_NEVER_RAN
from tests.watching import DAY, HOUR, MINUTE, Watch, rents_ours, turn, watched
from tests.world import World

FIVE = 5 * MINUTE


@pytest.fixture
def engine_name() -> str:
    """What is decided is the same on either database."""
    return "sqlite"


@pytest.fixture
async def watch(world: World) -> Watch:
    """The watcher is armed."""
    await turn(world, ARMED_NEVER_RAN)
    return await watched(world)


async def minutes_pass(watch: Watch, minutes: int) -> None:
    """A look, a judgement and the executor at least every five minutes."""
    while minutes > 0:
        await watch.for_(min(5, minutes) * MINUTE)
        await execute(watch.world.house)
        minutes -= 5


async def keeps(world: World, pod: Pod) -> None:
    """Its task carries a keep tag, rightly set."""
    now, alice = world.clock.now(), world.slack.people.alice.id
    keep = Keep(f"keep-{pod.id}", pod.id, alice, "person", now, now + 7 * DAY)
    await world.house.db.run(lambda session: give_keep(session, keep))


def ended(world: World) -> list[str | None]:
    return [call.pod_id for call in world.runpod.calls.terminates()]


async def test_kept_and_proved_and_never_ran_is_ended_after_the_grace_and_not_a_minute_before(
    world: World, watch: Watch
) -> None:
    pod = await rents_ours(world, "pod-1947", stuck_in="RUNNING")
    await keeps(world, pod)

    await minutes_pass(watch, 20)
    at_the_grace = ended(world)
    await minutes_pass(watch, 1)

    assert at_the_grace == []
    assert ended(world) == [pod.id]
    assert world.runpod.truth(pod.id).container_first_started_at is None


async def test_the_kept_case_is_recorded_apart(world: World, watch: Watch) -> None:
    pod = await rents_ours(world, "pod-1947", stuck_in="RUNNING")
    await keeps(world, pod)

    await watch.for_(21 * MINUTE, every=FIVE)

    assert await watch.verdict(pod) == "reap never_ran_kept"


async def test_the_sibling_of_the_same_task_that_works_is_not_touched(world: World, watch: Watch) -> None:
    stuck = await rents_ours(world, "pod-1947", stuck_in="RUNNING")
    sibling = await rents_ours(world, "pod-1947-loc")
    await keeps(world, stuck)
    await keeps(world, sibling)

    await minutes_pass(watch, 40)

    assert ended(world) == [stuck.id]
    assert world.runpod.truth(sibling.id).ended_at is None


@pytest.mark.parametrize("sign", [Sign.BANNER, Sign.LOGIN, Sign.CONTAINER_LOG])
async def test_one_sign_of_life_ever_and_it_is_never_ended(world: World, watch: Watch, sign: Sign) -> None:
    pod = await rents_ours(world, stuck_in="RUNNING")
    await world.house.db.run(lambda session: saw_life(session, PodId(pod.id), sign, world.clock.now()))

    await minutes_pass(watch, 90)

    assert ended(world) == []


async def test_a_runtime_that_was_seen_once_and_a_port_that_is_lost_protect_for_good(
    world: World, watch: Watch
) -> None:
    pod = await rents_ours(world, container_dies_after_s=600)

    await minutes_pass(watch, 90)

    assert ended(world) == []
    assert await watch.verdict(pod) == "ask lost_runtime"


async def test_what_was_not_watched_from_birth_is_asked_about(world: World, watch: Watch) -> None:
    pod = await rents_ours(world, stuck_in="RUNNING")
    await world.passes(HOUR)

    await minutes_pass(watch, 65)

    assert ended(world) == []
    assert await watch.verdict(pod) == "ask never_ran_unwatched"


async def test_a_flicker_of_nulls_means_nothing(world: World, watch: Watch) -> None:
    pod = await rents_ours(world)
    await minutes_pass(watch, 10)
    world.runpod.quirks.pod(pod.id, runtime_nulls=1)

    await minutes_pass(watch, 30)

    assert ended(world) == []
    assert await watch.verdict(pod) == "keep running"
    assert await watch.questions() == []


async def test_a_data_centre_full_of_nulls_ends_nothing(world: World, watch: Watch) -> None:
    """Five pods work; one has just been rented and works too, but RunPod shows nothing of any."""
    workers = [await rents_ours(world, f"work{n}") for n in range(5)]
    await minutes_pass(watch, 10)
    world.runpod.quirks.every_pod(runtime="null")
    for worker in workers:
        world.runpod.quirks.pod(worker.id, runtime="null")
    newcomer = await rents_ours(world, "new")

    await minutes_pass(watch, 60)

    assert ended(world) == []
    assert world.runpod.truth(newcomer.id).container_first_started_at is not None
    assert await watch.verdict(newcomer) == "cannot_tell witness_out"


async def test_the_flag_keeps_the_corpse_and_asks_at_the_hard_cap(world: World, watch: Watch) -> None:
    pod = await rents_ours(world, stuck_in="RUNNING", keep_on_failure=True)

    await minutes_pass(watch, 55)
    before = await watch.written("card")
    await minutes_pass(watch, 10)

    assert ended(world) == []
    assert before == []
    assert await watch.verdict(pod) == "ask never_ran"
    assert [one.target for one in await watch.written("card")] == [world.slack.people.alice.id]
