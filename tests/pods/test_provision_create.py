from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest

from pods.exit_codes import ExitCode
from pods.provision.effects import AskOwner, Create, Question
from pods.provision.refusals import Refusal
from pods.provision.seen import Lost, NotSent, Permit, Refused
from pods.provision.stages import Stage
from pods.provision.value import CreateCall
from tests.pods.provision_world import MIN, ORDER, T0, World, exit_code, made

HOUR = 60 * MIN
NO_MACHINE = "There are no longer any instances available with the requested specifications. Please refresh."


@pytest.mark.parametrize(
    ("permit", "code", "last"),
    [
        (Permit.NOT_ALLOWED, ExitCode.REFUSED, "PROVISION-REFUSED: reason=not_allowed provision=ab12cd34"),
        (Permit.EXPIRED, ExitCode.ASKED, "WAIT: ssh=20m bootstrap=50m preflight=10m"),
    ],
)
def test_an_order_that_may_not_be_sent_out_never_reaches_the_provider(
    permit: Permit, code: ExitCode, last: str
) -> None:
    world = World(permit=permit)
    assert exit_code(world) is code
    assert world.lines[-1] == last
    assert world.done == []


@pytest.mark.parametrize(
    ("status", "text", "reason"),
    [
        (400, NO_MACHINE, "no_capacity"),
        (402, "insufficient balance", "balance"),
        (
            400,
            "INSUFFICIENT_BALANCE: Renting this pod would put you over your current spending limit ($80/hr)",
            "spending_limit",
        ),
        (422, "$: additional properties 'bogus' not allowed", "provider"),
        (401, "missing bearer token", "provider"),
    ],
)
def test_a_refusal_before_a_pod_existed_is_told_with_its_reason(status: int, text: str, reason: str) -> None:
    world = World(answer_create=lambda c, _: Refused(c.call, status, text), makes_pod=lambda _: False)
    assert exit_code(world) is ExitCode.PROVIDER_REFUSED
    assert world.lines[-1] == f"PROVISION-REFUSED: reason={reason} provision=ab12cd34"


def test_a_call_that_would_break_a_ceiling_of_ours_is_refused_by_us() -> None:
    world = World(
        answer_create=lambda c, _: Refused(c.call, 0, "over a ceiling", meaning=Refusal.OVER_LIMIT),
        makes_pod=lambda _: False,
    )
    assert exit_code(world) is ExitCode.REFUSED
    assert world.lines[-1] == "PROVISION-REFUSED: reason=over_limit provision=ab12cd34"


def test_every_gpu_type_is_tried_before_giving_up() -> None:
    world = World(
        order=replace(ORDER, gpus=("H100", "A100")),
        answer_create=lambda c, _: Refused(c.call, 400, NO_MACHINE),
        makes_pod=lambda _: False,
    )
    assert exit_code(world) is ExitCode.PROVIDER_REFUSED
    assert [e.gpu for e in world.done if isinstance(e, Create)] == ["H100", "A100"]


def test_capacity_is_waited_for_with_growing_pauses_as_long_as_was_asked() -> None:
    times = []

    def none_free(create: Create, at: object) -> Refused:
        times.append(at)
        return Refused(create.call, 400, NO_MACHINE)

    world = World(
        order=replace(ORDER, wait_capacity=2 * HOUR), answer_create=none_free, makes_pod=lambda _: False
    )
    assert exit_code(world) is ExitCode.PROVIDER_REFUSED
    pauses = [(later - earlier) / MIN for earlier, later in pairwise(times)]  # type: ignore[operator]
    assert pauses[:6] == [0.5, 1, 2, 4, 8, 10]
    assert times[-1] == T0 + 2 * HOUR


def test_a_machine_that_becomes_free_while_waiting_is_taken() -> None:
    world = World(
        order=replace(ORDER, wait_capacity=2 * HOUR),
        answer_create=lambda c, at: Refused(c.call, 400, NO_MACHINE) if c.call < 4 else made(c, at),
        makes_pod=lambda c: c.call >= 4,
    )
    assert exit_code(world) is ExitCode.OK


def test_places_where_our_pods_did_not_come_up_are_avoided_while_there_are_others() -> None:
    world = World(order=replace(ORDER, data_centers=("EU-1", "US-1")))
    looked = world.look
    world.look = lambda: replace(looked(), bad_places=frozenset({("H100", "EU-1")}))  # type: ignore[method-assign]
    world.run()
    assert next(e for e in world.done if isinstance(e, Create)).data_centers == ("US-1",)


def test_a_bad_place_is_better_than_none() -> None:
    world = World(order=replace(ORDER, data_centers=("EU-1",)))
    looked = world.look
    world.look = lambda: replace(looked(), bad_places=frozenset({("H100", "EU-1")}))  # type: ignore[method-assign]
    world.run()
    assert next(e for e in world.done if isinstance(e, Create)).data_centers == ("EU-1",)


@pytest.mark.parametrize(
    "answer", [lambda c, _: Lost(c.call, "timed out"), lambda c, _: Refused(c.call, 500, "oops")]
)
def test_a_create_whose_answer_is_lost_is_adopted_and_not_repeated(answer: object) -> None:
    world = World(answer_create=answer)  # type: ignore[arg-type]
    assert exit_code(world) is ExitCode.OK
    assert len([e for e in world.done if isinstance(e, Create)]) == 1


def test_a_lost_call_that_made_nothing_is_followed_by_another_only_after_the_settle_time() -> None:
    times = []

    def first_lost(create: Create, at: object) -> object:
        times.append(at)
        return Lost(create.call, "timed out") if create.call == 1 else made(create, at)  # type: ignore[arg-type]

    world = World(answer_create=first_lost, makes_pod=lambda c: c.call > 1)  # type: ignore[arg-type]
    assert exit_code(world) is ExitCode.OK
    assert len(times) == 2
    assert times[1] - times[0] >= 3 * MIN  # type: ignore[operator]


def test_two_calls_have_two_tokens() -> None:
    world = World(
        answer_create=lambda c, at: Lost(c.call, "x") if c.call == 1 else made(c, at),
        makes_pod=lambda c: c.call > 1,
    )
    world.run()
    tokens = [e.token for e in world.done if isinstance(e, Create)]
    assert len(set(tokens)) == 2


def test_a_provider_that_cannot_be_reached_is_tried_until_the_ssh_wait_would_be_over() -> None:
    world = World(answer_create=lambda c, _: NotSent(c.call, "refused"), makes_pod=lambda _: False)
    assert exit_code(world) is ExitCode.PROVIDER_REFUSED
    assert world.now - T0 >= 20 * MIN


def test_a_second_pod_of_a_lost_call_is_ended_if_the_first_is_ours_already() -> None:
    world = World(
        answer_create=lambda c, at: Lost(c.call, "x") if c.call == 1 else made(c, at),
        makes_pod=lambda c: c.call > 1,
    )
    while world.provision.stage is not Stage.WAITING_RUNTIME:
        world.one_pass()
    first = next(call for call in world.provision.calls if call.number == 1)
    late = replace(world.pods["pod2"], pod_id="pod9", token=first.token, created_at=first.asked_at)
    world.pods["pod9"] = late
    world.one_pass()
    assert AskOwner(Question.SECOND_POD, ("pod9",)) in world.done
    assert world.torn_down == []


def test_a_copy_of_our_pod_is_asked_about_once_and_never_adopted() -> None:
    world = World()
    while world.provision.stage is not Stage.WAITING_RUNTIME:
        world.one_pass()
    world.pods["copy"] = replace(world.pods["pod1"], pod_id="copy")
    assert exit_code(world) is ExitCode.OK
    assert [e for e in world.done if isinstance(e, AskOwner)] == [
        AskOwner(Question.MOVED_OR_COPIED, ("copy",))
    ]
    assert world.provision.pod is not None
    assert world.provision.pod.pod_id == "pod1"


def test_a_call_off_before_anything_was_created_leaves_nothing() -> None:
    world = World(cancel_at=timedelta(0))
    assert exit_code(world) is ExitCode.CALLED_OFF
    assert world.done == []


def test_a_call_off_that_races_with_the_create_still_ends_with_no_pod() -> None:
    world = World(answer_create=lambda c, _: Lost(c.call, "x"), cancel_at=timedelta(seconds=1))
    assert exit_code(world) is ExitCode.CALLED_OFF
    assert world.torn_down == ["pod1"]


def test_an_order_that_was_forgotten_for_days_creates_nothing_without_a_word() -> None:
    world = World(permit=Permit.UNDECIDED)
    world.one_pass()
    world.now += timedelta(days=2)
    world.permit = Permit.ALLOWED
    world.one_pass()
    assert world.done == [AskOwner(Question.GO_ON_AFTER_GAP, ())]


def test_a_lost_call_is_taken_to_have_made_nothing_only_after_a_fresh_look() -> None:
    world = World(
        answer_create=lambda c, at: Lost(c.call, "x") if c.call == 1 else made(c, at),
        makes_pod=lambda c: c.call > 1,
    )
    looked = world.look
    world.look = lambda: looked() if world.now > T0 + 15 * MIN else replace(looked(), candidates=None)  # type: ignore[method-assign]
    world.run(14 * MIN)
    assert [effect.call for effect in world.done if isinstance(effect, Create)] == [1]
    assert exit_code(world) is ExitCode.OK


def test_a_search_that_two_marked_pods_have_stopped_ends_all_the_same() -> None:
    world = World(
        order=replace(ORDER, wait_capacity=HOUR),
        answer_create=lambda c, at: Refused(c.call, 400, NO_MACHINE) if c.call == 1 else made(c, at),
        makes_pod=lambda c: c.call > 1,
    )
    before = world.provision
    while not world.pods:
        before = world.provision
        world.one_pass()
    world.provision = replace(before, calls=(CreateCall(2, "token2", "H100", (), world.now),))
    world.provision = replace(world.provision, capacity=replace(before.capacity, calls_made=2, retry_at=None))
    mine = replace(next(iter(world.pods.values())), token="token2")
    world.pods = {pod_id: replace(mine, pod_id=pod_id) for pod_id in ("twin1", "twin2")}
    assert exit_code(world) is ExitCode.PROVIDER_REFUSED
    assert AskOwner(Question.MOVED_OR_COPIED, ("twin1", "twin2")) in world.done
    assert world.provision.pod is None
