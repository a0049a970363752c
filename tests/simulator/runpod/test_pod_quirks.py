"""What the API can show of a pod that is odd: each switch of a plan, seen from outside."""

import re
from datetime import timedelta
from typing import Any

import pytest

from simulator.clock import ManualClock
from simulator.runpod import Fleet, RestApi
from simulator.runpod.history import rent
from simulator.runpod.quirks import Quirks
from tests.simulator.runpod.client import Client


@pytest.fixture
def quirks(api: RestApi) -> Quirks:
    return Quirks(api)


def _running(fleet: Fleet, **plan: Any) -> str:
    return rent(fleet, "train", created=timedelta(hours=2), **plan).id


@pytest.mark.parametrize("stuck", ["PROVISIONING", "STARTING", "RUNNING"])
def test_a_pod_that_never_gets_a_runtime_stays_so(stuck: str, client: Client, fleet: Fleet) -> None:
    pod = client.pod(_running(fleet, stuck_in=stuck))

    assert (pod["status"], pod["runtime"], pod["ssh"]["direct"], pod["startedAt"]) == (
        stuck,
        None,
        None,
        None,
    )


def test_running_can_be_said_before_anything_runs(client: Client, quirks: Quirks) -> None:
    quirks.next_pod(running_at_once=True)
    pod = client.create()

    assert (pod["status"], pod["runtime"]) == ("RUNNING", None)


def test_the_runtime_is_null_then_empty_then_there(client: Client, fleet: Fleet, clock: ManualClock) -> None:
    pod = rent(fleet, "train", runtime_null_s=60, runtime_empty_s=60)
    assert pod.run.started_at is not None
    clock.set(pod.run.started_at)
    seen = []
    for _ in range(3):
        seen.append(client.pod(pod)["runtime"])
        clock.advance(timedelta(seconds=60))

    assert seen[:2] == [None, {}]
    assert seen[2]["uptime"] == 120


def test_so_many_nulls_and_then_the_truth_again(client: Client, fleet: Fleet, quirks: Quirks) -> None:
    pod_id = _running(fleet)
    quirks.pod(pod_id, runtime_nulls=1)

    assert [client.pod(pod_id)["runtime"] is None for _ in range(3)] == [True, False, False]


def test_the_ssh_port_goes_away_with_the_runtime_unless_told_otherwise(client: Client, fleet: Fleet) -> None:
    with_it = client.pod(_running(fleet, runtime="null"))
    by_itself = client.pod(_running(fleet, runtime="null", ssh_direct="by_itself"))

    assert with_it["ssh"]["direct"] is None
    assert by_itself["ssh"]["direct"]["port"] > 0


def test_a_whole_data_center_can_go_null(client: Client, fleet: Fleet, quirks: Quirks) -> None:
    there = rent(fleet, "there", created=timedelta(hours=1), data_center="US-KS-2")
    elsewhere = rent(fleet, "elsewhere", created=timedelta(hours=1), data_center="EU-RO-1")
    quirks.account.null_runtime_data_centers = frozenset({"US-KS-2"})

    assert client.pod(there)["runtime"] is None
    assert client.pod(elsewhere)["runtime"] is not None


def test_an_exited_pod_can_go_on_showing_a_runtime_with_climbing_uptime(
    client: Client, fleet: Fleet, clock: ManualClock
) -> None:
    pod_id = _running(fleet, stale_runtime_s=600)
    fleet.stop(pod_id, "console:bob")
    first = client.pod(pod_id)
    clock.advance(timedelta(minutes=5))
    second = client.pod(pod_id)
    clock.advance(timedelta(minutes=5))

    assert first["status"] == "EXITED"
    assert second["runtime"]["uptime"] - first["runtime"]["uptime"] == 300
    assert client.pod(pod_id)["runtime"] is None


def test_a_container_can_die_while_the_status_says_running(client: Client, fleet: Fleet) -> None:
    pod_id = _running(fleet, container_dies_after_s=600)

    assert (client.pod(pod_id)["status"], client.pod(pod_id)["runtime"]) == ("RUNNING", None)
    assert fleet.truth(pod_id).container_first_started_at is not None


def test_ports_may_never_appear(client: Client, fleet: Fleet) -> None:
    pod = client.pod(_running(fleet, ports_s=None))

    assert (pod["runtime"]["ports"], pod["ssh"]["direct"]) == ([], None)


def test_a_new_pod_can_be_unknown_and_unlisted_at_first(
    client: Client, quirks: Quirks, clock: ManualClock
) -> None:
    quirks.next_pod(not_found_s=5, unlisted_s=10)
    pod_id = client.create()["id"]
    seen = []
    for _ in range(3):
        status = client.call("GET", f"/v2/pods/{pod_id}").status
        seen.append((status, [pod["id"] for pod in client.listed()]))
        clock.advance(timedelta(seconds=5))

    assert seen == [(404, []), (200, []), (200, [pod_id])]


def test_a_delete_of_a_pod_that_is_not_known_yet_says_404_and_ends_nothing(
    client: Client, quirks: Quirks, fleet: Fleet
) -> None:
    quirks.next_pod(not_found_s=5)
    pod_id = client.create()["id"]

    assert client.call("DELETE", f"/v2/pods/{pod_id}").status == 404
    assert fleet.truth(pod_id).ended_at is None


@pytest.mark.parametrize(("cost", "shown"), [("true", 2.99), ("zero", 0.0), ("missing", None)])
def test_the_price_can_be_zero_or_missing(cost: str, shown: float, client: Client, fleet: Fleet) -> None:
    assert client.pod(_running(fleet, cost=cost)).get("cost") == shown


def test_an_exited_pod_can_keep_its_price(client: Client, fleet: Fleet) -> None:
    ordinary, odd = _running(fleet), _running(fleet, exited_cost_kept=True)
    for pod_id in (ordinary, odd):
        fleet.stop(pod_id, "console:bob")

    assert (client.pod(ordinary)["cost"], client.pod(odd)["cost"]) == (0.0, 2.99)


@pytest.mark.parametrize(
    ("style", "form"),
    [
        ("rfc3339", r"2026-11-30T10:00:00Z"),
        ("fraction", r"2026-11-30T10:00:00\.000000Z"),
        ("go", r"2026-11-30 10:00:00\.0* \+0000 UTC"),
        ("garbage", r"yesterday, I think"),
        ("future", r"2028-.*Z"),
    ],
)
def test_dates_come_in_every_form(style: str, form: str, client: Client, fleet: Fleet) -> None:
    assert re.fullmatch(form, client.pod(_running(fleet, dates=style))["createdAt"])


def test_dates_can_be_null_or_missing(client: Client, fleet: Fleet) -> None:
    assert client.pod(_running(fleet, dates="null"))["createdAt"] is None
    assert "createdAt" not in client.pod(_running(fleet, dates="missing"))


def test_an_entry_can_be_unreadable_but_for_its_id_or_in_its_id(client: Client, fleet: Fleet) -> None:
    fields, types = _running(fleet, unreadable="fields"), _running(fleet, unreadable="types")
    nameless = _running(fleet, unreadable="id")
    listed = client.listed()

    assert {"id": fields} in listed
    assert next(pod for pod in listed if pod.get("id") == types)["status"] == 7
    assert nameless not in [pod.get("id") for pod in listed]
    assert len(listed) == 3


def test_cluster_pods_are_listed_only_on_demand(client: Client, fleet: Fleet) -> None:
    pod_id = _running(fleet, cluster="cluster_1")

    assert client.listed() == []
    assert [pod["id"] for pod in client.listed(includeClusterPods="true")] == [pod_id]


def test_a_locked_pod_refuses_to_stop_with_409(client: Client, fleet: Fleet) -> None:
    pod_id = _running(fleet, locked=True)

    assert client.call("POST", f"/v2/pods/{pod_id}/action", {"action": "stop"}).status == 409


def test_an_end_can_take_an_hour_that_is_billed(client: Client, fleet: Fleet, clock: ManualClock) -> None:
    pod_id = _running(fleet, terminate_takes_s=3600, price=10.0)
    before = fleet.truth(pod_id).billed_usd
    assert client.call("DELETE", f"/v2/pods/{pod_id}").status == 204
    clock.advance(timedelta(minutes=59))
    assert client.pod(pod_id)["status"] == "RUNNING"
    clock.advance(timedelta(minutes=2))

    assert client.call("GET", f"/v2/pods/{pod_id}").status == 404
    assert fleet.truth(pod_id).billed_usd - before == pytest.approx(10.0, abs=0.05)
    assert fleet.truth(pod_id).ended_by == "api:bot"


@pytest.mark.parametrize("status", [403, 404, 409, 500])
@pytest.mark.parametrize("works", [True, False])
def test_an_end_can_be_answered_with_an_error_and_work_or_not(
    status: int, works: bool, client: Client, fleet: Fleet
) -> None:
    pod_id = _running(fleet, terminate_answers=status, terminate_works=works)

    assert client.call("DELETE", f"/v2/pods/{pod_id}").status == status
    assert (fleet.truth(pod_id).ended_at is not None) is works


@pytest.mark.parametrize("shows", ["EXITED", "TERMINATED"])
def test_a_pod_whose_end_takes_long_can_say_so(shows: str, client: Client, fleet: Fleet) -> None:
    pod_id = _running(fleet, terminate_takes_s=3600, terminating_shows=shows)
    client.call("DELETE", f"/v2/pods/{pod_id}")

    assert client.pod(pod_id)["status"] == shows


def test_an_ended_pod_can_stay_listed_as_terminated(client: Client, fleet: Fleet, clock: ManualClock) -> None:
    pod_id = _running(fleet, terminated_listed_s=60)
    client.call("DELETE", f"/v2/pods/{pod_id}")

    assert [pod["status"] for pod in client.listed()] == ["TERMINATED"]
    clock.advance(timedelta(minutes=1))
    assert client.listed() == []


def test_plans_wait_for_names_and_for_the_next_pod(client: Client, quirks: Quirks) -> None:
    quirks.pods_named("^bad-", stuck_in="RUNNING")
    quirks.next_pod(locked=True)
    first, second, bad = (client.create(name=name) for name in ("good-1", "good-2", "bad-1"))

    assert [pod["locked"] for pod in (first, second, bad)] == [True, False, False]
    with pytest.raises(ValueError, match="not a regular expression"):
        quirks.pods_named("[", pull_s=1)
    with pytest.raises(ValueError, match="no_such_switch"):
        quirks.next_pod(no_such_switch=1)
