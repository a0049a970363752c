from dataclasses import replace
from datetime import timedelta

import pytest

from pods.exit_codes import ExitCode
from pods.provision.effects import AskOwner, Question, ReadSystemLog, Start, StopWork
from pods.provision.seen import CleanUp, EndedBy, Lost, OwnerSays, Permit, Probe, Work
from tests.pods.provision_world import MIN, ORDER, T0, World, exit_code

HOUR = 60 * MIN


@pytest.mark.parametrize("start", [0, 1, 3, 8])
def test_a_provider_that_is_down_for_ten_minutes_only_delays(start: int) -> None:
    world = World(provider_down=((start * MIN, (start + 10) * MIN),))
    assert exit_code(world) is ExitCode.OK


@pytest.mark.parametrize(
    ("by", "reason"),
    [
        (EndedBy.STOPPED, "stopped"),
        (EndedBy.TERMINATED_ELSEWHERE, "terminated_elsewhere"),
        (EndedBy.TAKEN, "taken"),
        (EndedBy.BALANCE, "balance"),
        (EndedBy.FENCE, "fence"),
    ],
)
@pytest.mark.parametrize("at", [1, 4, 7])
def test_a_pod_that_others_end_before_it_is_ready_is_told_with_the_reason(
    by: EndedBy, reason: str, at: int
) -> None:
    world = World(ended=(at * MIN, by), takes={Work.BOOTSTRAP: 4 * MIN, Work.PREFLIGHT: 9 * MIN})
    assert exit_code(world) is ExitCode.ENDED_ELSEWHERE
    assert world.lines[-1] == f"PROVISION-ENDED: reason={reason} provision=ab12cd34"


def test_a_call_off_before_the_pod_was_reached_ends_it() -> None:
    world = World(cancel_at=MIN)
    assert exit_code(world) is ExitCode.CALLED_OFF
    assert world.torn_down == ["pod1"]
    assert world.lines[-1] == "PROVISION-ENDED: reason=cancelled provision=ab12cd34"


def test_a_call_off_is_not_told_while_an_unanswered_call_may_have_made_a_pod() -> None:
    world = World(
        answer_create=lambda c, _: Lost(c.call, "x"),
        makes_pod=lambda _: False,
        cancel_at=timedelta(seconds=1),
    )
    assert exit_code(world) is ExitCode.CALLED_OFF
    assert world.now >= T0 + 3 * MIN


def test_the_flag_that_keeps_a_pod_does_not_stop_a_call_off() -> None:
    world = World(order=replace(ORDER, keep_on_bootstrap_failure=True), cancel_at=MIN)
    assert exit_code(world) is ExitCode.CALLED_OFF


@pytest.mark.parametrize("at", [3, 7])
def test_a_call_off_after_the_pod_was_reached_stops_our_work_and_leaves_the_pod(at: int) -> None:
    world = World(cancel_at=at * MIN)
    assert exit_code(world) is ExitCode.CALLED_OFF_ALIVE
    assert world.torn_down == []
    assert any(isinstance(effect, StopWork) for effect in world.done)
    assert world.lines[-1].startswith("SSH:")


def test_a_call_off_of_a_pod_that_only_timed_out_leaves_it_alive() -> None:
    world = World(ssh=lambda _: Probe.TIMED_OUT, cancel_at=5 * MIN)
    assert exit_code(world) is ExitCode.CALLED_OFF_ALIVE
    assert world.torn_down == []


def test_a_call_off_while_we_cannot_look_waits_for_a_look_and_leaves_the_pod() -> None:
    world = World(cancel_at=MIN, provider_down=((MIN, 30 * MIN),))
    assert exit_code(world) is ExitCode.CALLED_OFF_ALIVE
    assert world.torn_down == []


def test_a_called_off_pod_whose_end_is_not_confirmed_is_told_so() -> None:
    world = World(cancel_at=MIN, clean_up=CleanUp.WORKING)
    assert exit_code(world) is ExitCode.NEVER_REACHED_EXISTS
    assert world.lines[-2:] == [
        "BOOTSTRAP-FAILED pod=train rc=130",
        "BOOTSTRAP-FAILED-NOT-TERMINATED pod=train",
    ]


def test_after_two_days_of_downtime_a_reached_pod_goes_on_only_with_its_owners_word() -> None:
    world = World(bot_down=((4 * MIN, 48 * HOUR),), owner_says=OwnerSays.GO_ON)
    assert exit_code(world) is ExitCode.OK
    assert AskOwner(Question.GO_ON_AFTER_GAP, ("pod1",)) in world.done


def test_after_two_days_of_downtime_nothing_more_is_done_without_an_answer() -> None:
    world = World(bot_down=((4 * MIN, 48 * HOUR),))
    assert world.run(timedelta(days=4)).outcome is None
    assert [e for e in world.done if isinstance(e, Start)] == [Start(Work.BOOTSTRAP, 1)]


def test_a_question_that_nobody_answers_leaves_the_pod_alive() -> None:
    world = World(bot_down=((4 * MIN, 48 * HOUR),), owner_says=OwnerSays.EXPIRED)
    assert exit_code(world) is ExitCode.NOT_LOGGED_IN
    assert world.torn_down == []


def test_a_person_who_just_said_go_on_is_not_asked_again() -> None:
    world = World(permit=Permit.ASKED)
    world.one_pass()
    world.now += timedelta(days=2)
    world.permit = Permit.GO_ON
    assert exit_code(world) is ExitCode.OK
    assert not any(isinstance(e, AskOwner) for e in world.done)


def test_progress_in_the_system_log_extends_the_ssh_wait() -> None:
    world = World(door_after=30 * MIN, log_line_until=timedelta(minutes=28))
    assert exit_code(world) is ExitCode.OK


def test_progress_extends_the_ssh_wait_no_further_than_the_hard_cap() -> None:
    world = World(door_after=None, log_line_until=timedelta(hours=9))
    assert exit_code(world) is ExitCode.NEVER_REACHED_ENDED
    assert 60 * MIN <= world.now - T0 < 61 * MIN


def test_the_system_log_is_read_only_when_the_wait_is_over() -> None:
    world = World(door_after=None)
    world.run()
    assert len([e for e in world.done if isinstance(e, ReadSystemLog)]) == 1
