"""The life of pods: what is true at a time, what it cost, who did what."""

from datetime import timedelta
from typing import Any

import pytest

from simulator.clock import ManualClock
from simulator.runpod import Fleet, PodPlan, RefusedError, Why
from simulator.runpod.history import rent
from simulator.runpod.order import Order
from tests.simulator.runpod.client import H100, Client

ALICE, BOB = "console:alice", "console:bob"


def test_a_pod_is_allocated_pulled_started_and_only_then_shows_its_port(
    client: Client, clock: ManualClock, fleet: Fleet
) -> None:
    fleet.plans.default = PodPlan(allocation_s=10, pull_s=60, start_s=5, ports_s=20)
    pod_id = client.create()["id"]
    seen = []
    for seconds in (0, 10, 60, 5, 20):
        clock.advance(timedelta(seconds=seconds))
        pod = client.pod(pod_id)
        seen.append((pod["status"], pod["runtime"] is not None, pod["ssh"]["direct"] is not None))

    assert seen == [
        ("PROVISIONING", False, False),
        ("STARTING", False, False),
        ("STARTING", False, False),
        ("RUNNING", True, False),
        ("RUNNING", True, True),
    ]


def test_the_pull_takes_as_long_as_the_image_is_big(fleet: Fleet) -> None:
    small = fleet.create(Order(name="s", gpu=H100, image="ubuntu:24.04"), ALICE)
    large = fleet.create(Order(name="l", gpu=H100, image="vllm/vllm-openai:latest"), ALICE)

    assert small.run.started_at is not None
    assert large.run.started_at is not None
    assert large.run.started_at - small.run.started_at > timedelta(seconds=60)


def test_a_start_after_a_stop_brings_new_ports_and_a_new_disk(fleet: Fleet, clock: ManualClock) -> None:
    pod = rent(fleet, "train", by=ALICE)
    clock.advance(timedelta(minutes=5))
    before = pod.run
    fleet.stop(pod.id, BOB)
    fleet.start(pod.id, ALICE)

    assert pod.run.ports != before.ports
    assert pod.run.disk == before.disk + 1
    assert [(t.what, t.by) for t in pod.transitions] == [
        ("created", ALICE),
        ("stopped", BOB),
        ("started", ALICE),
    ]


def test_the_truth_names_the_call_that_ended_a_pod(client: Client, clock: ManualClock, fleet: Fleet) -> None:
    pod_id = client.create()["id"]
    clock.advance(timedelta(minutes=10))
    client.call("POST", f"/v2/pods/{pod_id}/action", {"action": "terminate"})
    truth = fleet.truth(pod_id)

    assert (truth.ended_by, truth.ended_call, truth.ended_at) == ("api:bot", 2, clock.now())
    assert [call.pod_id for call in fleet.calls.terminates()] == [pod_id]


def test_a_pod_ended_in_the_console_is_not_laid_at_the_apis_door(fleet: Fleet) -> None:
    pod = rent(fleet, "mine", by=ALICE)
    fleet.terminate(pod.id, BOB)

    assert (fleet.truth(pod.id).ended_by, fleet.truth(pod.id).ended_call) == (BOB, None)
    assert fleet.calls.terminates() == []


def test_the_truth_remembers_when_a_container_first_ran(fleet: Fleet, clock: ManualClock) -> None:
    pod = rent(fleet, "train")
    stuck = rent(fleet, "corpse", stuck_in="RUNNING")
    clock.advance(timedelta(hours=1))
    first = pod.run.started_at
    fleet.restart(pod.id, ALICE)
    clock.advance(timedelta(hours=1))

    assert fleet.truth(pod.id).container_first_started_at == first
    assert fleet.truth(stuck.id).container_first_started_at is None


def test_a_pod_stopped_while_it_was_pulled_never_ran(fleet: Fleet, clock: ManualClock) -> None:
    pod = rent(fleet, "train", pull_s=600)
    clock.advance(timedelta(seconds=60))
    fleet.stop(pod.id, ALICE)
    clock.advance(timedelta(hours=1))

    assert fleet.truth(pod.id).container_first_started_at is None


def test_a_pod_that_never_ran_is_billed_from_its_rent(fleet: Fleet, clock: ManualClock) -> None:
    pod = rent(fleet, "corpse", count=4, stuck_in="RUNNING", price=10.0)
    clock.advance(timedelta(hours=2))

    assert fleet.truth(pod.id).billed_usd == pytest.approx(20.0, abs=0.05)


def test_a_stopped_pod_costs_its_volume_only_and_an_ended_one_nothing(
    fleet: Fleet, clock: ManualClock
) -> None:
    pod = rent(fleet, "train", volume_gb=730, price=1.0)
    fleet.stop(pod.id, ALICE)
    start = fleet.truth(pod.id).billed_usd
    clock.advance(timedelta(hours=10))
    stopped = fleet.truth(pod.id).billed_usd
    fleet.terminate(pod.id, ALICE)
    clock.advance(timedelta(hours=10))

    assert stopped - start == pytest.approx(2.0)
    assert fleet.truth(pod.id).billed_usd == stopped


def test_a_past_can_be_made_up(fleet: Fleet, clock: ManualClock) -> None:
    pod = rent(fleet, "old", by=BOB, created=timedelta(hours=100), exited=timedelta(hours=1))
    truth = fleet.truth(pod.id)

    assert truth.created_at == clock.now() - timedelta(hours=100)
    assert truth.transitions[-1].at == clock.now() - timedelta(hours=1)
    assert truth.container_first_started_at is not None


@pytest.mark.parametrize(
    ("plan", "what"),
    [({"exits_after_s": 60}, "exited"), ({"outbid_after_s": 60}, "outbid"), ({"error_after_s": 60}, "error")],
)
def test_what_a_plan_has_in_store_happens_by_itself(
    plan: dict[str, Any], what: str, fleet: Fleet, clock: ManualClock
) -> None:
    pod = rent(fleet, "train", **plan)
    clock.advance(timedelta(days=3))
    happened = fleet.truth(pod.id).transitions[-1]

    assert (happened.what, happened.by) == (what, "provider")
    assert pod.run.started_at is not None
    assert happened.at == pod.run.started_at + timedelta(seconds=60)


def test_an_exit_planned_for_a_run_that_is_over_does_not_happen(fleet: Fleet, clock: ManualClock) -> None:
    pod = rent(fleet, "train", exits_after_s=3600)
    clock.advance(timedelta(minutes=30))
    fleet.stop(pod.id, ALICE)
    clock.advance(timedelta(days=1))

    assert [t.what for t in fleet.truth(pod.id).transitions] == ["created", "stopped"]


def test_an_exit_planned_for_an_earlier_run_does_not_end_the_next(fleet: Fleet, clock: ManualClock) -> None:
    pod = rent(fleet, "train", exits_after_s=3600)
    clock.advance(timedelta(minutes=50))
    fleet.stop(pod.id, ALICE)
    fleet.start(pod.id, ALICE)
    clock.advance(timedelta(minutes=30))
    assert pod.phase(fleet.look()) == "RUNNING"
    clock.advance(timedelta(minutes=31))

    assert pod.phase(fleet.look()) == "EXITED"


def test_what_is_shown_of_an_earlier_run_is_not_kept_for_the_next(
    client: Client, fleet: Fleet, clock: ManualClock
) -> None:
    pod = rent(fleet, "train", ports=(), created=timedelta(hours=1))
    before = client.pod(pod)["startedAt"]
    fleet.restart(pod.id, ALICE)
    clock.advance(timedelta(minutes=1))

    assert client.pod(pod)["startedAt"] > before


def test_at_an_empty_balance_pods_end_and_those_on_a_network_volume_stop(
    client: Client, fleet: Fleet, clock: ManualClock
) -> None:
    made = client.json("POST", "/v2/network-volumes", {"name": "d", "size": 50, "dataCenter": "US-KS-2"})
    lost = rent(fleet, "lost", price=1.0)
    kept = rent(fleet, "kept", price=1.0, network_volume=made["id"])
    fleet.purse.put(4.0, clock.now())
    clock.advance(timedelta(hours=24))

    assert [t.what for t in fleet.truth(lost.id).transitions] == ["created", "ended"]
    assert [t.what for t in fleet.truth(kept.id).transitions] == ["created", "balance"]
    assert fleet.truth(lost.id).ended_by == "provider"
    ended = fleet.truth(lost.id).ended_at
    assert ended is not None
    assert ended < clock.now() - timedelta(hours=21)


def test_a_moved_pod_has_a_new_id_with_the_same_name_and_environment(fleet: Fleet) -> None:
    old = rent(fleet, "train", env={"PODKEEPER_CREATE": "token"})
    new = fleet.copy(old.id, "provider", ends_original=True)

    assert fleet.find(old.id) is None
    assert (new.order.name, new.order.env) == ("train", {"PODKEEPER_CREATE": "token"})
    assert fleet.truth(new.id).moved_from == old.id


def test_a_locked_pod_cannot_be_stopped(fleet: Fleet) -> None:
    pod = rent(fleet, "train", locked=True)

    with pytest.raises(RefusedError) as refused:
        fleet.stop(pod.id, ALICE)
    assert refused.value.why is Why.LOCKED


def test_the_providers_time_never_goes_back(fleet: Fleet, clock: ManualClock) -> None:
    pod = rent(fleet, "train", created=timedelta(hours=1))
    fleet.stop(pod.id, ALICE)
    clock.advance(timedelta(minutes=-30))

    assert pod.phase(fleet.look()) == "EXITED"


def test_the_same_seed_makes_the_same_world(clock: ManualClock) -> None:
    one, two, other = (rent(Fleet(clock, seed=seed), "x") for seed in (7, 7, 8))

    assert one.id == two.id != other.id


def test_nothing_ticks_a_thousand_days_pass_at_once(fleet: Fleet, clock: ManualClock) -> None:
    pods = [rent(fleet, f"pod-{n}", exits_after_s=n * 3600) for n in range(300)]
    clock.advance(timedelta(days=1000))

    assert all(fleet.truth(pod.id).transitions[-1].what == "exited" for pod in pods)
