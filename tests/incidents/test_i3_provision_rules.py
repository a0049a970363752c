"""I3, the launch path: what the rules alone prevent."""

from dataclasses import replace
from datetime import timedelta

import pytest

from pods.command_text import words_of
from pods.exit_codes import ExitCode
from pods.order import Order, OrderDefaults
from pods.ordering import order_of
from pods.provision.seen import EndedBy
from pods.provision.value import Checkout, Fence
from pods.wish import request_of, wish_from_command, wish_from_form, wish_from_request
from tests.pods.provision_world import MIN, ORDER, World, exit_code

DEFAULTS = OrderDefaults(image="i", gpu="H100")
TYPED = "train --repo https://h/code --branch issue-1689"


def test_i3_1_the_branch_arrives_through_every_door() -> None:
    command = wish_from_command(words_of(TYPED))
    form = wish_from_form({"name": "train", "repo": "https://h/code", "branch": "issue-1689", "task": None})
    request = wish_from_request(request_of(command))
    for door in (command, form, request):
        order = order_of(door, DEFAULTS)
        assert isinstance(order, Order)
        assert order.branch == "issue-1689"


@pytest.mark.parametrize(
    "typed", ["--branch ''", "--branch", "--branch --count 2", "--branch= x", "--brnch issue-1689"]
)
def test_i3_1_a_branch_that_got_lost_is_a_complaint_and_never_main(typed: str) -> None:
    order = order_of(wish_from_command(words_of(f"train --repo https://h/code {typed}")), DEFAULTS)
    assert not isinstance(order, Order)


def test_i3_1_main_in_the_place_of_the_asked_for_branch_fails_loudly() -> None:
    world = World(checkout=Checkout("main", "c0ffee"))
    assert exit_code(world) is ExitCode.WRONG_BRANCH
    assert "BRANCH: MISMATCH requested=issue-1689 actual=main head=c0ffee" in world.lines
    assert not any(line.startswith("BOOTSTRAP-OK") for line in world.lines)


def test_i3_1_no_branch_asked_for_means_main_is_fine() -> None:
    world = World(order=replace(ORDER, branch=None), checkout=Checkout("main", "c0ffee"))
    assert exit_code(world) is ExitCode.OK
    assert "BRANCH: NOT-REQUESTED branch=main head=c0ffee" in world.lines


def test_i3_2_a_pod_that_somebody_terminated_already_is_no_crash() -> None:
    world = World(door_after=None, ended=(3 * MIN, EndedBy.TERMINATED_ELSEWHERE))
    assert exit_code(world) is ExitCode.ENDED_ELSEWHERE
    assert world.torn_down == []


@pytest.mark.parametrize("away", [(2, 9), (4, 30), (9, 50)])
def test_i3_3_the_launch_goes_on_when_the_service_was_away_for_a_while(away: tuple[int, int]) -> None:
    world = World(bot_down=((away[0] * MIN, away[1] * MIN),))
    assert exit_code(world) is ExitCode.OK


def test_i3_4_the_fence_told_is_the_one_that_was_read_back() -> None:
    world = World(order=replace(ORDER, lifetime=timedelta(hours=15)))
    performed = world.perform

    def enforces_less(effect: object, seen: object) -> object:
        after = performed(effect, seen)  # type: ignore[arg-type]
        return replace(after, fence=Fence(None)) if after.fence else after

    world.perform = enforces_less  # type: ignore[method-assign,assignment]
    world.run()
    assert "FENCE: terminates_at=none enforced_by=none" in world.lines


def test_i3_4_a_wait_is_called_a_wait() -> None:
    world = World(order=replace(ORDER, lifetime=None))
    world.run()
    assert world.lines[1] == "WAIT: ssh=20m bootstrap=50m preflight=10m"
    assert "FENCE: terminates_at=none enforced_by=none" in world.lines
