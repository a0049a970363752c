from dataclasses import replace
from datetime import timedelta

import pytest

from pods.exit_codes import ExitCode
from pods.provision.branches import is_right
from pods.provision.effects import Create, Start, Teardown
from pods.provision.outcomes import Outcome
from pods.provision.seen import EndedBy, Work
from pods.provision.value import Checkout
from tests.pods.provision_world import MIN, ORDER, T0, World, exit_code

COMMIT, OTHER = "0a1b2c3d" * 5, "deadbeef" * 5


def test_a_launch_that_goes_well_says_every_line_and_ends_ready() -> None:
    world = World(order=replace(ORDER, lifetime=timedelta(hours=8)))
    assert exit_code(world) is ExitCode.OK
    assert world.lines == [
        "PROVISION: id=ab12cd34 name=train",
        "WAIT: ssh=20m bootstrap=50m preflight=10m",
        "POD: name=train id=pod1 runpod_name=train-ab12cd34 gpu=2xH100 usd_per_hour=4.78",
        "FENCE: terminates_at=2026-11-30T20:00:00Z enforced_by=podkeeper",
        "PREFLIGHT: PASS rc=0",
        "BRANCH: OK branch=issue-1689 head=c0ffee",
        "BOOTSTRAP-OK pod=train",
        "SSH: ssh root@203.0.113.7 -p 22022",
    ]


def test_each_run_is_started_once_in_a_launch_that_goes_well() -> None:
    world = World()
    world.run()
    assert [e for e in world.done if isinstance(e, Start)] == [
        Start(Work.BOOTSTRAP, 1),
        Start(Work.PREFLIGHT, 1),
    ]
    assert len([e for e in world.done if isinstance(e, Create)]) == 1


def test_without_a_repository_there_is_no_branch_line() -> None:
    world = World(order=replace(ORDER, repo=None, branch=None))
    assert exit_code(world) is ExitCode.OK
    assert not any(line.startswith("BRANCH:") for line in world.lines)


@pytest.mark.parametrize("start", [1, 3, 6, 7])
def test_ssh_that_is_cut_for_ten_minutes_only_delays(start: int) -> None:
    world = World(ssh_down=((start * MIN, (start + 10) * MIN),))
    assert exit_code(world) is ExitCode.OK


def test_a_bootstrap_that_fails_leaves_the_pod_alive_with_its_own_exit_status() -> None:
    world = World(rc={Work.BOOTSTRAP: 3, Work.PREFLIGHT: 0})
    assert exit_code(world) is ExitCode.BOOTSTRAP_FAILED
    assert world.lines[-2:] == ["BOOTSTRAP-FAILED pod=train rc=3", "SSH: ssh root@203.0.113.7 -p 22022"]
    assert world.torn_down == []


def test_a_bootstrap_that_never_ends_fails_when_its_wait_is_over() -> None:
    world = World(takes={Work.BOOTSTRAP: timedelta(days=9), Work.PREFLIGHT: MIN})
    assert exit_code(world) is ExitCode.BOOTSTRAP_FAILED
    assert "BOOTSTRAP-FAILED pod=train rc=124" in world.lines


def test_a_pod_that_answers_nothing_any_more_fails_the_bootstrap_in_the_end() -> None:
    world = World(ssh_down=((4 * MIN, timedelta(days=9)),))
    assert exit_code(world) is ExitCode.BOOTSTRAP_FAILED
    assert world.torn_down == []


def test_a_wrong_branch_is_told_with_both_names() -> None:
    world = World(checkout=Checkout("main", "c0ffee"))
    assert exit_code(world) is ExitCode.WRONG_BRANCH
    assert world.lines[-3:-1] == [
        "BRANCH: MISMATCH requested=issue-1689 actual=main head=c0ffee",
        "BOOTSTRAP-FAILED pod=train rc=1",
    ]


@pytest.mark.parametrize("preflight_rc", [0, 2])
def test_after_a_good_bootstrap_both_checks_always_print(preflight_rc: int) -> None:
    world = World(checkout=Checkout("main", "c0ffee"), rc={Work.BOOTSTRAP: 0, Work.PREFLIGHT: preflight_rc})
    world.run()
    assert any(line.startswith("PREFLIGHT:") for line in world.lines)
    assert any(line.startswith("BRANCH: MISMATCH") for line in world.lines)


def test_the_first_stage_that_failed_decides() -> None:
    world = World(checkout=Checkout("main", "c0ffee"), rc={Work.BOOTSTRAP: 0, Work.PREFLIGHT: 2})
    assert exit_code(world) is ExitCode.PREFLIGHT_FAILED
    assert "BOOTSTRAP-FAILED pod=train rc=2" in world.lines


@pytest.mark.parametrize(
    ("checkout", "fine"),
    [
        (Checkout(None, "c0ffee", detached=True, remote_commit="c0ffee"), True),
        (Checkout(None, "c0ffee", detached=True, remote_commit="deadbeef"), False),
        (Checkout(None, "c0ffee", detached=True, remote_commit=None), False),
        (Checkout(None, None), False),
    ],
)
def test_a_detached_head_is_right_only_if_it_is_the_commit_that_was_asked_for(
    checkout: Checkout, fine: bool
) -> None:
    expected = ExitCode.OK if fine else ExitCode.WRONG_BRANCH
    assert exit_code(World(checkout=checkout)) is expected


@pytest.mark.parametrize(
    ("requested", "head", "remote", "fine"),
    [
        (COMMIT, COMMIT, None, True),
        (COMMIT, OTHER, None, False),
        (COMMIT, OTHER, OTHER, True),
        (COMMIT, COMMIT, OTHER, False),
        (COMMIT[:7], COMMIT, None, False),
        (COMMIT[:39], COMMIT, None, False),
        (COMMIT[:7], OTHER, OTHER, True),
    ],
)
def test_a_commit_is_named_by_its_whole_id_unless_the_remote_gives_that_name_to_another(
    requested: str, head: str, remote: str | None, fine: bool
) -> None:
    assert is_right(requested, Checkout(None, head, detached=True, remote_commit=remote)) is fine


def test_a_retry_is_a_new_numbered_run_on_the_same_pod() -> None:
    world = World(rc={Work.BOOTSTRAP: 3, Work.PREFLIGHT: 0})
    world.run()
    world.rc[Work.BOOTSTRAP] = 0
    looked = world.look
    world.look = lambda: replace(looked(), retry=True)  # type: ignore[method-assign]
    world.one_pass()
    world.look = looked  # type: ignore[method-assign]
    assert world.run().outcome is Outcome.READY
    assert [e for e in world.done if isinstance(e, Start) and e.work is Work.BOOTSTRAP] == [
        Start(Work.BOOTSTRAP, 1),
        Start(Work.BOOTSTRAP, 2),
    ]
    assert len(world.pods) == 1


@pytest.mark.parametrize("stage_minute", [0, 1, 3, 7, 9])
def test_a_pass_that_is_repeated_with_the_same_facts_ends_the_same(stage_minute: int) -> None:
    once, twice = World(), World()
    while twice.now < T0 + stage_minute * MIN and not twice.one_pass():
        pass
    before, done = twice.provision, len(twice.done)
    twice.one_pass()
    if not any(isinstance(effect, Create) for effect in twice.done[done:]):
        twice.provision = before
    assert twice.run().outcome is once.run().outcome
    assert len([e for e in twice.done if isinstance(e, Create)]) == 1


def test_a_settled_provision_stays_as_it_is() -> None:
    world = World()
    settled = world.run()
    world.cancel_at = timedelta(0)
    world.ended = (timedelta(0), EndedBy.STOPPED)
    world.one_pass()
    assert world.provision == settled
    assert not any(isinstance(effect, Teardown) for effect in world.done)
