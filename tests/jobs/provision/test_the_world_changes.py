"""What happens to a launch when the world changes under it."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import Session

from jobs.provision.reconciler import Provisions
from pods.exit_codes import ExitCode
from pods.ownership import ClaimSource
from pods.provision.outcomes import Outcome
from storage.claim import statements
from storage.ledger import ProvisionRecord, provision_of
from storage.provision_asks import say_go_on
from storage.question import Question, open_questions
from storage.switch import Switch, set_switch
from tests.jobs.provision.faults import Gate, behind
from tests.jobs.provision.launching import Launches, exit_code, quick
from tests.world import World

LONG = "sleep 60\n"


@pytest.fixture
def launches(world: World, tmp_path: Path) -> Launches:
    """Launches whose bootstrap takes its time."""
    world.runpod.quirks.every_pod(allocation_s=2, pull_s=2, start_s=1)
    return Launches(quick(world, tmp_path, bootstrap=LONG))


async def at(launches: Launches, stage: str, **order: object) -> ProvisionRecord:
    """A launch that has come so far."""
    wished = await launches.wish(**order)  # type: ignore[arg-type]
    return await launches.until(lambda found: found.stage == stage, wished)


async def questions(launches: Launches) -> list[Question]:
    return await launches.world.house.db.read(open_questions)


@pytest.mark.parametrize("stage", ["waiting_runtime", "bootstrapping"])
async def test_a_pod_that_somebody_stops_ends_the_launch(launches: Launches, stage: str) -> None:
    if stage == "waiting_runtime":
        launches.world.runpod.quirks.next_pod(ports_s=None)
    found = await at(launches, stage)
    launches.world.runpod.console.stop(str(found.pod_id))
    over = await launches.over(found.id)
    assert exit_code(over) is ExitCode.ENDED_ELSEWHERE
    assert f"PROVISION-ENDED: reason=stopped provision={found.id}" in await launches.lines(found.id)


@pytest.mark.parametrize("engine_name", ["sqlite"])  # it waits for a real port that never answers
async def test_a_port_that_only_times_out_ends_the_wait_in_time_under_a_fast_clock(
    launches: Launches,
) -> None:
    launches.world.runpod.quirks.every_pod(allocation_s=2, pull_s=2, start_s=1, ssh="black_hole")
    clock = launches.world.clock
    clock.rate = 60.0
    monotonic, ssh = lambda: clock.monotonic() / clock.rate, launches.world.house.ssh
    ssh = replace(ssh, connect_seconds=0.1)
    house = replace(launches.world.house, monotonic=monotonic, ssh=ssh)

    async def a_dial_takes_ten_real_seconds(call: str) -> None:
        if call == "ssh.login":
            await clock.pass_by(timedelta(minutes=10))

    launches.provisions = Provisions(behind(Gate(after=a_dial_takes_ten_real_seconds), house))
    over = await launches.over(await launches.wish(), within=timedelta(minutes=45))
    assert exit_code(over) is ExitCode.NOT_LOGGED_IN
    assert not provision_of(over).blind


async def test_a_pod_that_exits_by_itself_ends_the_launch(launches: Launches) -> None:
    launches.world.runpod.quirks.next_pod(exits_after_s=90)
    over = await launches.over(await launches.wish())
    assert exit_code(over) is ExitCode.ENDED_ELSEWHERE
    assert not launches.world.runpod.calls.terminates()


async def test_a_pod_that_is_being_terminated_was_not_stopped(launches: Launches) -> None:
    launches.world.runpod.quirks.next_pod(terminate_takes_s=600, terminating_shows="EXITED")
    found = await at(launches, "bootstrapping")
    launches.world.runpod.console.terminate(str(found.pod_id))
    over = await launches.over(found.id)
    assert f"PROVISION-ENDED: reason=terminated_elsewhere provision={over.id}" in await launches.lines(
        over.id
    )


async def test_a_pod_that_was_outbid_was_taken(launches: Launches) -> None:
    found = await at(launches, "bootstrapping")
    launches.world.runpod.console.exit(str(found.pod_id), "outbid")
    over = await launches.over(found.id)
    assert over.outcome == Outcome.TAKEN


async def test_a_balance_that_ran_out_is_told_as_that(launches: Launches) -> None:
    world = launches.world
    found = await at(launches, "bootstrapping")
    world.runpod.quirks.pod(str(found.pod_id), status_text_is="Exited by RunPod: Insufficient balance")
    world.runpod.console.exit(str(found.pod_id))
    over = await launches.over(found.id)
    assert over.outcome == Outcome.BALANCE_RAN_OUT


async def test_no_balance_at_the_start_is_refused_before_a_pod_exists(launches: Launches) -> None:
    launches.world.runpod.console.balance(0.01)
    wished = await launches.wish()
    over = await launches.over(wished)
    assert exit_code(over) is ExitCode.PROVIDER_REFUSED
    assert f"PROVISION-REFUSED: reason=balance provision={wished}" in await launches.lines(wished)
    assert not list(launches.world.runpod.fleet.ever())


async def test_without_a_free_machine_it_is_refused_and_the_name_is_free_again(launches: Launches) -> None:
    launches.world.runpod.fleet.catalogue.set_stock("NVIDIA H100 80GB HBM3", "NONE")
    wished = await launches.wish()
    over = await launches.over(wished)
    assert over.outcome == Outcome.NO_CAPACITY
    assert over.name_freed_at is not None


async def test_a_machine_that_becomes_free_while_it_waits_is_taken(launches: Launches) -> None:
    world = launches.world
    world.runpod.fleet.catalogue.set_stock("NVIDIA H100 80GB HBM3", "NONE")
    wished = await launches.wish(wait_capacity=timedelta(hours=2))
    await launches.until(lambda found: found.stage == "creating", wished)
    await world.passes(timedelta(minutes=5))
    await launches.look()
    world.runpod.fleet.catalogue.set_stock("NVIDIA H100 80GB HBM3", "HIGH")
    on = await launches.until(lambda found: found.stage == "bootstrapping", wished)
    assert on.pod_id is not None


@pytest.mark.parametrize("created", [True, False])
async def test_a_create_that_answers_500_makes_one_pod_in_the_end(launches: Launches, created: bool) -> None:
    launches.world.runpod.quirks.create_answers_500(created=created)
    wished = await launches.wish(wait_capacity=timedelta(hours=1))
    on = await launches.until(lambda found: found.stage == "bootstrapping", wished)
    assert [pod.id for pod in launches.world.runpod.fleet.ever()] == [on.pod_id]


async def test_a_create_whose_answer_is_lost_is_found_by_its_token(launches: Launches) -> None:
    launches.world.runpod.quirks.create_answer_is_lost()
    wished = await launches.wish()
    on = await launches.until(lambda found: found.stage == "bootstrapping", wished)
    assert [pod.id for pod in launches.world.runpod.fleet.ever()] == [on.pod_id]


async def test_a_call_off_that_races_with_a_lost_create_ends_with_no_pod_in_use(launches: Launches) -> None:
    launches.world.runpod.quirks.create_answer_is_lost()
    found = await at(launches, "creating")
    await launches.call_off(found.id)
    on = await launches.until(lambda found: found.stage == "ended", found.id)
    assert on.pod_id is not None
    assert not launches.world.runpod.calls.terminates()


async def test_a_moved_pod_is_asked_about_and_never_adopted(launches: Launches) -> None:
    world = launches.world
    found = await at(launches, "bootstrapping")
    moved = world.runpod.console.migrate(str(found.pod_id))
    await world.passes(timedelta(seconds=10))
    await launches.look()
    [question] = await questions(launches)
    assert (question.reason, question.pod_id, question.asked) == ("moved_or_copied", moved.id, found.owner)

    def said(session: Session) -> list[tuple[str, ClaimSource]]:
        return [(one.owner, one.source) for one in statements(session, moved.id)[moved.id]]  # type: ignore[index, union-attr]

    assert await world.house.db.read(said) == [(found.owner, ClaimSource.MARKS)]
    assert (await launches.record(found.id)).pod_id == found.pod_id


async def test_after_hours_without_a_look_its_owner_is_asked_before_it_goes_on(launches: Launches) -> None:
    world = launches.world
    found = await at(launches, "bootstrapping")
    await world.passes(timedelta(hours=5))
    await launches.look()
    [question] = await questions(launches)
    assert (question.reason, question.asked) == ("go_on_after_gap", found.owner)
    now = world.clock.now()
    await world.house.db.run(lambda session: say_go_on(session, found.id, found.owner, now))
    await launches.look()
    on = await launches.record(found.id)
    assert on.outcome is None
    assert provision_of(on).asked_owner_at is None


async def test_a_clock_that_jumps_ahead_ends_no_wait_by_itself(launches: Launches) -> None:
    world = launches.world
    world.runpod.quirks.next_pod(stuck_in="RUNNING")
    found = await at(launches, "waiting_runtime")
    await world.clock.jump(timedelta(minutes=40))
    await launches.look()
    on = await launches.record(found.id)
    assert on.outcome is None
    assert on.stage == "waiting_runtime"


async def test_a_clock_that_is_set_back_ends_no_wait_early_and_hangs_none(launches: Launches) -> None:
    world = launches.world
    world.runpod.quirks.account.rate_limits = None
    world.runpod.rent("neighbour", by="console:bob")
    world.runpod.quirks.next_pod(stuck_in="RUNNING")
    found = await at(launches, "waiting_runtime")
    await world.passes(timedelta(minutes=19))
    await world.clock.jump(timedelta(minutes=-40))
    await launches.look()
    assert (await launches.record(found.id)).outcome is None
    over = await launches.over(found.id, within=timedelta(minutes=75))
    assert exit_code(over) in (ExitCode.NOT_LOGGED_IN, ExitCode.NEVER_REACHED_ENDED)


async def test_while_everything_is_paused_a_teardown_is_put_off_and_told_so(launches: Launches) -> None:
    world = launches.world
    paused = Switch("paused", "on", world.slack.people.dana.id, world.clock.now())
    await world.house.db.run(lambda session: set_switch(session, paused))
    world.runpod.quirks.next_pod(stuck_in="RUNNING")
    wished = await launches.wish()
    over = await launches.over(wished)
    assert exit_code(over) is ExitCode.NEVER_REACHED_EXISTS
    assert (await launches.lines(wished))[-1] == "BOOTSTRAP-FAILED-NOT-TERMINATED pod=train"


async def test_a_guest_rents_nothing(launches: Launches) -> None:
    wished = await launches.wish(owner=launches.world.slack.people.gus.id)
    over = await launches.over(wished)
    assert exit_code(over) is ExitCode.REFUSED
    assert f"PROVISION-REFUSED: reason=not_allowed provision={wished}" in await launches.lines(wished)
    assert not list(launches.world.runpod.fleet.ever())


async def test_called_off_at_work_it_stops_the_work_and_leaves_the_pod_to_its_owner(
    launches: Launches,
) -> None:
    found = await at(launches, "bootstrapping")
    await launches.call_off(found.id)
    over = await launches.over(found.id)
    assert exit_code(over) is ExitCode.CALLED_OFF_ALIVE
    assert (await launches.lines(found.id))[-2:-1] == [
        f"PROVISION-ENDED: reason=cancelled provision={found.id}"
    ]
    [pod] = launches.world.runpod.fleet.ever()
    assert pod.ended_at is None
