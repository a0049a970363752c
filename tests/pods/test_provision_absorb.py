"""What one pass has seen, folded into the provision."""

import random
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pods.adoption import Candidate
from pods.provision.absorb import absorb
from pods.provision.effects import AskOwner, Teardown
from pods.provision.seen import Created, Lost, Present, Refused, Seen, SystemLog
from pods.provision.stages import Stage
from pods.provision.value import CallState, Provision
from tests.pods.provision_world import MIN, POLICY, T0, World, made
from tests.pods.test_provision_properties import Chaos


def asked(world: World) -> Provision:
    """A provision whose first create call has been sent and not yet answered."""
    world.answer_create = lambda call, _: Lost(call.call, "x")
    while not world.provision.calls:
        world.one_pass()
    (call,) = world.provision.calls
    return replace(world.provision, calls=(replace(call, state=CallState.OPEN, ended_at=None),))


@settings(max_examples=40)
@given(st.integers(min_value=0, max_value=2**32))
def test_what_was_seen_can_be_folded_in_twice_without_harm(seed: int) -> None:
    chaos = Chaos(random.Random(seed), kept=False)
    chaos.live(chaos.luck.randrange(30))
    seen = chaos.look()
    once = absorb(chaos.provision, seen, chaos.now, POLICY)
    assert absorb(once, seen, chaos.now, POLICY) == once


@pytest.mark.parametrize("answer", [Lost(1, "x"), Refused(1, 400, "out of stock"), Refused(1, 429, "")])
def test_an_answer_to_a_create_counts_once(answer: Lost | Refused) -> None:
    provision = asked(World())
    once = absorb(provision, Seen(create=answer), T0, POLICY)
    assert absorb(once, Seen(create=answer), T0, POLICY) == once


@pytest.mark.parametrize("created_at", [None, T0 + 600 * MIN, T0 - 600 * MIN])
def test_a_creation_time_that_cannot_be_true_is_replaced_by_the_start_of_the_call(
    created_at: datetime | None,
) -> None:
    provision = asked(World())
    bound = absorb(provision, Seen(create=Created(1, "p1", created_at, None)), T0 + MIN, POLICY)
    assert bound.pod is not None
    assert bound.pod.created_at == provision.calls[0].asked_at


def test_a_creation_time_that_can_be_true_is_the_providers() -> None:
    provision = asked(World())
    at = provision.calls[0].asked_at + timedelta(seconds=3)
    bound = absorb(provision, Seen(create=Created(1, "p1", at, None)), T0 + MIN, POLICY)
    assert bound.pod is not None
    assert bound.pod.created_at == at


def test_progress_never_moves_the_deadline_beyond_the_hard_cap() -> None:
    world = World()
    while world.provision.stage is not Stage.WAITING_RUNTIME:
        world.one_pass()
    late = replace(world.provision, deadline=T0 + 58 * MIN, looked_at=T0 + 58 * MIN)
    seen = Seen(pod=Present(None), system_log=SystemLog(T0 + 58 * MIN))
    assert absorb(late, seen, T0 + 58 * MIN, POLICY).deadline == T0 + 60 * MIN


def test_of_two_pods_that_two_calls_made_the_later_one_is_ended_if_nobody_reached_it() -> None:
    world = World(
        answer_create=lambda call, _: Lost(call.call, "x"), makes_pod=lambda _: False, door_after=None
    )
    while len(world.provision.calls) < 2:
        world.one_pass()
    first, second = world.provision.calls
    pod = replace(made_pod(world), token=first.token, created_at=first.asked_at)
    world.pods = {"pod1": pod}
    world.one_pass()
    world.pods["pod2"] = replace(pod, pod_id="pod2", token=second.token, created_at=second.asked_at)
    world.one_pass()
    assert world.provision.pod is not None
    assert world.provision.pod.pod_id == "pod1"
    assert Teardown("pod2") in world.done
    assert not any(isinstance(effect, AskOwner) for effect in world.done)


def made_pod(world: World) -> Candidate:
    maker = World(answer_create=made)
    maker.one_pass()
    assert maker.provision.runpod_name == world.provision.runpod_name
    return maker.pods["pod1"]
