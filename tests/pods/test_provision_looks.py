"""Deadlines, gaps, and looks that do not count."""

from dataclasses import replace
from datetime import timedelta

import pytest

from pods.provision.acting import act
from pods.provision.decision import Wait
from pods.provision.outcomes import Outcome
from pods.provision.seen import EndedBy, Present, Probe, RemoteState, Seen
from pods.provision.stages import Stage
from pods.provision.value import Provision
from pods.provision.waits import note_look, prolonged
from tests.pods.provision_world import MIN, POLICY, T0, World

HOUR = 60 * MIN


def waiting(world: World) -> Provision:
    while world.provision.stage is not Stage.WAITING_RUNTIME:
        world.one_pass()
    return world.provision


@pytest.mark.parametrize("doubt", [{"clock_doubtful": True}, {"witness_out": True}])
def test_a_look_that_proves_nothing_does_not_end_the_wait(doubt: dict[str, bool]) -> None:
    world = World(door_after=None)
    looked = world.look
    world.look = lambda: replace(looked(), **doubt)  # type: ignore[method-assign,arg-type]
    assert world.run(3 * HOUR).outcome is None
    assert world.torn_down == []


@pytest.mark.parametrize("doubt", [{"clock_doubtful": True}, {"witness_out": True}])
def test_a_wait_with_looks_that_proved_nothing_ends_without_a_teardown(doubt: dict[str, bool]) -> None:
    world = World(door_after=None)
    waiting(world)
    looked = world.look
    world.look = lambda: replace(looked(), **doubt)  # type: ignore[method-assign,arg-type]
    world.run(15 * MIN)
    world.look = looked  # type: ignore[method-assign]
    assert world.run().outcome is Outcome.BLIND
    assert world.torn_down == []


def test_a_clock_in_doubt_ends_no_pod_that_is_called_off() -> None:
    world = World(door_after=None, cancel_at=5 * MIN)
    looked = world.look
    world.look = lambda: replace(looked(), clock_doubtful=world.now < T0 + 30 * MIN)  # type: ignore[method-assign]
    assert world.run().outcome is Outcome.CALLED_OFF_ALIVE


def test_a_deadline_that_ran_out_in_a_gap_gets_what_was_left() -> None:
    assert prolonged(T0 + 12 * MIN, T0, T0 + 20 * MIN) == T0 + 32 * MIN


def test_a_deadline_that_ran_out_in_a_gap_gets_at_least_five_minutes() -> None:
    assert prolonged(T0 + MIN, T0, T0 + 20 * MIN) == T0 + 25 * MIN


def test_a_deadline_that_did_not_run_out_stays() -> None:
    assert prolonged(T0 + 30 * MIN, T0, T0 + 20 * MIN) == T0 + 30 * MIN


def test_a_pause_of_exactly_the_longest_allowed_is_no_gap() -> None:
    provision = waiting(World())
    looked = note_look(provision, provision.looked_at + POLICY.max_gap, POLICY)
    assert not looked.blind


def test_a_pause_longer_than_allowed_is_a_gap() -> None:
    provision = waiting(World())
    looked = note_look(provision, provision.looked_at + POLICY.max_gap + timedelta(seconds=1), POLICY)
    assert looked.blind


def test_waiting_never_looks_like_looking_away() -> None:
    provision = waiting(World())
    far = replace(provision, deadline=T0 + timedelta(days=9), fence=None)
    asked = replace(far, asked_owner_at=T0, long_gap_at=T0, reach=replace(far.reach, banner=True))
    decision = act(asked, Seen(pod=Present(None)), T0, POLICY)
    assert isinstance(decision.act, Wait)
    assert decision.act.until - T0 <= POLICY.max_gap / 2


def test_a_line_of_the_system_log_that_is_old_extends_nothing() -> None:
    world = World(door_after=None, log_line_until=10 * MIN)
    assert world.run().outcome is Outcome.NEVER_REACHED
    assert world.now - T0 < 21 * MIN


def test_a_log_that_cannot_be_read_extends_nothing() -> None:
    world = World(door_after=None, log_line_until=None)
    assert world.run().outcome is Outcome.NEVER_REACHED
    assert world.now - T0 < 21 * MIN


def test_a_run_that_vanished_from_the_pod_counts_as_killed() -> None:
    world = World()
    while not world.provision.started_at:
        world.one_pass()
    world.started.clear()
    assert world.run().outcome is Outcome.BOOTSTRAP_FAILED
    assert "BOOTSTRAP-FAILED pod=train rc=137" in world.lines


def test_an_exit_status_that_cannot_be_read_is_waited_for_as_long_as_the_bootstrap() -> None:
    world = World()
    polled = world._poll
    world._poll = lambda work, run, cut: replace(  # type: ignore[method-assign]
        polled(work, run, cut), state=RemoteState.UNKNOWN, rc=None
    )
    assert world.run(50 * MIN).outcome is None
    assert world.run().outcome is Outcome.BOOTSTRAP_FAILED


def test_the_end_of_a_pod_outweighs_everything_else_that_is_seen() -> None:
    world = World(ssh=lambda _: Probe.REJECTED, ended=(5 * MIN, EndedBy.STOPPED))
    assert world.run().outcome is Outcome.STOPPED


def test_a_clock_that_runs_backwards_is_no_gap() -> None:
    provision = waiting(World())
    looked = note_look(provision, provision.looked_at - HOUR, POLICY)
    assert (looked.blind, looked.looked_at) == (False, provision.looked_at)
