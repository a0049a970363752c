"""I1, the pod that nothing could reap: what a provision itself does about it. The rules alone, no I/O."""

from dataclasses import replace
from datetime import timedelta

import pytest

from pods.exit_codes import ExitCode
from pods.provision.effects import Teardown
from pods.provision.seen import CleanUp, Probe
from pods.provision.stages import Stage
from tests.pods.provision_world import MIN, ORDER, T0, World, exit_code

HOUR = 60 * MIN


def test_i1_a_pod_that_never_exposed_ssh_is_torn_down_by_its_exact_id() -> None:
    world = World(door_after=None)
    assert exit_code(world) is ExitCode.NEVER_REACHED_ENDED
    assert [effect for effect in world.done if isinstance(effect, Teardown)] == [Teardown("pod1")]


def test_i1_it_is_not_torn_down_a_minute_before_its_wait_is_over() -> None:
    world = World(door_after=None)
    world.run(19 * MIN)
    assert world.torn_down == []


def test_i1_the_old_line_stays_to_the_letter_and_the_new_one_stands_beside_it() -> None:
    world = World(door_after=None)
    world.run()
    assert world.lines[-2:] == ["BOOTSTRAP-FAILED pod=train rc=124", "BOOTSTRAP-FAILED-TERMINATED pod=train"]


def test_i1_the_flag_keeps_the_corpse_for_the_rare_person_who_wants_to_look() -> None:
    world = World(order=replace(ORDER, keep_on_bootstrap_failure=True), door_after=None)
    assert exit_code(world) is ExitCode.NEVER_REACHED_EXISTS
    assert world.lines[-2:] == ["BOOTSTRAP-FAILED pod=train rc=124", "BOOTSTRAP-FAILED-KEPT pod=train"]
    assert world.torn_down == []


@pytest.mark.parametrize("clean_up", [CleanUp.WORKING, CleanUp.REFUSED, CleanUp.HELD])
def test_i1_a_teardown_that_does_not_take_never_hides_the_original_error(clean_up: CleanUp) -> None:
    world = World(door_after=None, clean_up=clean_up)
    assert exit_code(world) is ExitCode.NEVER_REACHED_EXISTS
    assert world.lines[-2:] == [
        "BOOTSTRAP-FAILED pod=train rc=124",
        "BOOTSTRAP-FAILED-NOT-TERMINATED pod=train",
    ]


def test_i1_a_sibling_of_the_same_name_is_never_touched() -> None:
    world = World(door_after=None)
    world.one_pass()
    world.pods["sibling"] = replace(
        world.pods["pod1"], pod_id="sibling", name="train-ab12cd34-loc", token="theirs"
    )
    world.run()
    assert world.torn_down == ["pod1"]


def test_i1_a_port_that_only_ever_refused_has_not_answered() -> None:
    world = World(ssh=lambda _: Probe.REFUSED)
    assert exit_code(world) is ExitCode.NEVER_REACHED_ENDED


@pytest.mark.parametrize("answer", [Probe.TIMED_OUT, Probe.BANNER, Probe.REJECTED, Probe.HOST_KEY_CHANGED])
def test_i1_a_pod_that_answered_or_only_timed_out_is_left_alive(answer: Probe) -> None:
    world = World(ssh=lambda _: answer)
    assert exit_code(world) is ExitCode.NOT_LOGGED_IN
    assert world.torn_down == []


def test_i1_one_time_out_among_refusals_is_enough_to_leave_it_alive() -> None:
    world = World(ssh=lambda age: Probe.TIMED_OUT if age > 9 * MIN and age < 9.1 * MIN else Probe.REFUSED)
    assert exit_code(world) is ExitCode.NOT_LOGGED_IN
    assert world.torn_down == []


def test_i1_a_banner_seen_once_shields_the_pod_although_it_refuses_ever_after() -> None:
    world = World(ssh=lambda age: Probe.BANNER if age < 2.2 * MIN else Probe.REFUSED)
    assert exit_code(world) is ExitCode.NOT_LOGGED_IN
    assert world.torn_down == []


@pytest.mark.parametrize("start", [1, 5, 10, 16])
def test_i1_a_pod_that_was_not_watched_all_the_time_is_left_alive(start: int) -> None:
    world = World(door_after=None, provider_down=((start * MIN, (start + 6) * MIN),))
    assert exit_code(world) is ExitCode.NOT_LOGGED_IN
    assert world.torn_down == []


def test_i1_two_days_of_downtime_during_the_wait_destroy_nothing() -> None:
    world = World(door_after=None, bot_down=((3 * MIN, 48 * HOUR),))
    assert exit_code(world) is ExitCode.NOT_LOGGED_IN
    assert world.torn_down == []
    assert world.now - T0 >= 48 * HOUR + 5 * MIN


def test_i1_a_sign_of_life_at_the_last_moment_leaves_the_pod_alive() -> None:
    world = World(door_after=None, clean_up=CleanUp.VETOED)
    assert exit_code(world) is ExitCode.NOT_LOGGED_IN


def test_i1_a_pod_that_comes_up_late_within_its_wait_is_used() -> None:
    assert exit_code(World(door_after=timedelta(minutes=19))) is ExitCode.OK


@pytest.mark.parametrize("cancel_at", [None, 3 * MIN])
def test_i1_a_teardown_that_was_decided_before_we_died_is_not_done_when_we_are_back(
    cancel_at: timedelta | None,
) -> None:
    world = World(door_after=None, cancel_at=cancel_at)
    while world.provision.stage not in (Stage.FAILED, Stage.ENDED):
        world.step()
    world.now += HOUR
    assert exit_code(world) in (ExitCode.NOT_LOGGED_IN, ExitCode.CALLED_OFF_ALIVE)
    assert world.torn_down == []
