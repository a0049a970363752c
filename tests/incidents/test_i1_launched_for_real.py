"""I1, the pod that nothing could reap, with the real reconciler against a whole simulated account."""

from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import Session, select

from pods.exit_codes import ExitCode
from pods.guards import Path as Way
from pods.line_order import faults_of
from storage.deed import DeedRow
from storage.outbox import OutboxRow
from tests.jobs.provision.launching import Launches, exit_code, quick
from tests.world import World

RUNS = {"allocation_s": 2, "pull_s": 2, "start_s": 1}


@pytest.fixture
def launches(world: World, tmp_path: Path) -> Launches:
    world.runpod.quirks.every_pod(**RUNS)
    return Launches(quick(world, tmp_path))


async def deeds(launches: Launches) -> list[tuple[str, str]]:
    def read(session: Session) -> list[tuple[str, str]]:
        return [(deed.path, deed.pod_id) for deed in session.exec(select(DeedRow))]

    return await launches.world.house.db.read(read)


def living(launches: Launches) -> list[str]:
    return [pod.id for pod in launches.world.runpod.fleet.ever() if pod.ended_at is None]


async def test_i1_a_pod_that_never_exposed_ssh_is_handed_to_the_executor_by_its_exact_id(
    launches: Launches,
) -> None:
    launches.world.runpod.quirks.next_pod(stuck_in="RUNNING")
    wished = await launches.wish("pod-1947")
    found = await launches.until(lambda found: found.stage == "failed", wished)
    assert await deeds(launches) == [(Way.PROVISION_TEARDOWN, str(found.pod_id))]
    assert (await launches.lines(wished))[-1] == "BOOTSTRAP-FAILED pod=pod-1947 rc=124"


async def test_i1_it_is_ended_read_back_and_told_beside_the_old_line(launches: Launches) -> None:
    launches.world.runpod.rent("neighbour", by="console:bob")
    launches.world.runpod.quirks.next_pod(stuck_in="RUNNING")
    wished = await launches.wish("pod-1947")
    found = await launches.over(wished)
    assert exit_code(found) is ExitCode.NEVER_REACHED_ENDED
    told = await launches.lines(wished)
    assert faults_of(told) == []
    assert told[-2:] == ["BOOTSTRAP-FAILED pod=pod-1947 rc=124", "BOOTSTRAP-FAILED-TERMINATED pod=pod-1947"]
    assert found.pod_id not in living(launches)
    assert len(living(launches)) == 1
    assert found.name_freed_at is not None


async def test_i1_called_off_before_it_was_reached_no_pod_is_left(launches: Launches) -> None:
    launches.world.runpod.rent("neighbour", by="console:bob")
    launches.world.runpod.quirks.next_pod(stuck_in="RUNNING")
    wished = await launches.wish()
    await launches.until(lambda found: found.stage == "waiting_runtime", wished)
    await launches.call_off(wished)
    found = await launches.over(wished)
    assert exit_code(found) is ExitCode.CALLED_OFF
    assert (await launches.lines(wished))[-1] == f"PROVISION-ENDED: reason=cancelled provision={wished}"
    assert found.pod_id not in living(launches)


async def test_i1_a_teardown_that_finds_nothing_left_is_a_success(launches: Launches) -> None:
    world = launches.world
    world.runpod.rent("neighbour", by="console:bob")
    world.runpod.quirks.next_pod(stuck_in="RUNNING")
    world.runpod.quirks.terminate_answers(404, ended=True)
    wished = await launches.wish()
    found = await launches.over(wished)
    assert exit_code(found) is ExitCode.NEVER_REACHED_ENDED


async def test_i1_a_terminate_that_does_not_take_never_hides_the_first_error(launches: Launches) -> None:
    world = launches.world
    world.runpod.rent("neighbour", by="console:bob")
    world.runpod.quirks.next_pod(stuck_in="RUNNING", terminate_takes_s=3600)
    wished = await launches.wish()
    found = await launches.over(wished)
    assert exit_code(found) is ExitCode.NEVER_REACHED_EXISTS
    assert (await launches.lines(wished))[-2:] == [
        "BOOTSTRAP-FAILED pod=train rc=124",
        "BOOTSTRAP-FAILED-NOT-TERMINATED pod=train",
    ]


async def test_i1_an_end_that_takes_late_is_told_once_in_the_thread(launches: Launches) -> None:
    world = launches.world
    world.runpod.rent("neighbour", by="console:bob")
    world.runpod.quirks.next_pod(stuck_in="RUNNING", terminate_takes_s=300)
    wished = await launches.wish()
    found = await launches.over(wished)
    assert exit_code(found) is ExitCode.NEVER_REACHED_EXISTS
    for _ in range(40):
        await world.passes(timedelta(seconds=30))
        await launches.look()
    kinds = await world.house.db.read(lambda session: session.exec(select(OutboxRow.kind)).all())
    assert list(kinds).count("provision_gone") == 1


async def test_i1_a_sibling_of_the_same_task_is_touched_by_nobody(launches: Launches) -> None:
    sibling = await launches.wish("pod-1947-loc")
    ready = await launches.over(sibling)
    launches.world.runpod.quirks.next_pod(stuck_in="RUNNING")
    wished = await launches.wish("pod-1947")
    await launches.until(lambda found: found.stage == "failed", wished)
    assert ready.pod_id not in [pod_id for _, pod_id in await deeds(launches)]


async def test_i1_it_is_not_given_up_before_its_wait_is_over(launches: Launches) -> None:
    launches.world.runpod.quirks.next_pod(stuck_in="RUNNING")
    wished = await launches.wish()
    with pytest.raises(AssertionError, match="came to"):
        await launches.over(wished, within=timedelta(minutes=19))
    assert await deeds(launches) == []


async def test_i1_with_the_flag_there_is_one_live_pod_and_it_is_said(launches: Launches) -> None:
    launches.world.runpod.quirks.next_pod(stuck_in="RUNNING")
    wished = await launches.wish(keep_on_bootstrap_failure=True)
    found = await launches.over(wished)
    assert exit_code(found) is ExitCode.NEVER_REACHED_EXISTS
    assert (await launches.lines(wished))[-2:] == [
        "BOOTSTRAP-FAILED pod=train rc=124",
        "BOOTSTRAP-FAILED-KEPT pod=train",
    ]
    assert living(launches) == [found.pod_id]
    assert await deeds(launches) == []


async def test_i1_a_port_that_only_refuses_was_never_reached(launches: Launches) -> None:
    launches.world.runpod.quirks.next_pod(ssh="refuses")
    wished = await launches.wish()
    found = await launches.until(lambda found: found.stage == "failed", wished)
    assert await deeds(launches) == [(Way.PROVISION_TEARDOWN, str(found.pod_id))]


@pytest.mark.parametrize("oddity", ["rejects_key", "closes_after_banner"])
async def test_i1_a_pod_that_answered_without_letting_us_in_is_alive(launches: Launches, oddity: str) -> None:
    launches.world.runpod.quirks.next_pod(ssh=oddity)
    wished = await launches.wish()
    found = await launches.over(wished)
    assert exit_code(found) is ExitCode.NOT_LOGGED_IN
    told = await launches.lines(wished)
    assert faults_of(told) == []
    assert told[-2] == "BOOTSTRAP-FAILED pod=train rc=124"
    assert told[-1].startswith("SSH: ssh root@127.0.0.1 -p ")
    assert living(launches) == [found.pod_id]
    assert await deeds(launches) == []


async def test_i1_two_days_of_downtime_during_the_wait_destroy_nothing(launches: Launches) -> None:
    launches.world.runpod.quirks.next_pod(stuck_in="RUNNING")
    wished = await launches.wish()
    await launches.until(lambda found: found.stage == "waiting_runtime", wished)
    await launches.world.passes(timedelta(days=2))
    found = await launches.over(wished)
    assert exit_code(found) is ExitCode.NOT_LOGGED_IN
    assert living(launches) == [found.pod_id]
    assert await deeds(launches) == []


async def test_i1_a_place_where_a_pod_did_not_come_up_is_avoided_by_the_next(launches: Launches) -> None:
    world = launches.world
    world.runpod.quirks.next_pod(stuck_in="RUNNING")
    first = await launches.wish("first", keep_on_bootstrap_failure=True)
    await launches.over(first)
    second = await launches.wish("second")
    await launches.over(second)
    places = [pod.data_center for pod in world.runpod.fleet.ever()]
    assert places[0] != places[1]
