"""The simulated REST v2 against RunPod's published document, judged by a library."""

from datetime import timedelta

import pytest

from simulator.clock import ManualClock
from simulator.runpod import Fleet, PodPlan
from simulator.runpod.history import rent
from tests.simulator.runpod.client import H100, ORDER, Client
from tests.simulator.runpod.document import Document


def test_a_pods_whole_life_is_told_as_the_document_says(
    client: Client, clock: ManualClock, document: Document
) -> None:
    created = client.create(mounts={"persistent": {"size": 20, "path": "/workspace"}})
    path = f"/v2/pods/{created['id']}"
    for seconds in (0, 10, 60, 5, 600):
        clock.advance(timedelta(seconds=seconds))
        client.call("GET", path)
        client.call("GET", "/v2/pods", includeClusterPods="true")
    client.call("PATCH", path, {"name": "renamed", "locked": True})
    client.call("POST", f"{path}/action", {"action": "stop"})
    client.call("PATCH", path, {"locked": False})
    for action in ("restart", "stop", "start"):
        client.call("POST", f"{path}/action", {"action": action})
    client.call("GET", path)
    client.call("GET", "/v2/billing/pods", bucketSize="hour", lastN="3")
    client.call("DELETE", path)
    client.call("DELETE", path)
    client.call("GET", path)

    assert [answer.status for _, answer in client.said[-3:]] == [204, 404, 404]
    for request, answer in client.said:
        document.check(request, answer)


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/v2/catalog/gpus", {}),
        ("/v2/catalog/gpus", {"include": "AVAILABILITY", "product": "POD", "countryCodes": "RO"}),
        (f"/v2/catalog/gpus/{H100}", {"include": "AVAILABILITY", "product": "POD", "count": "8"}),
        ("/v2/catalog/cpus", {"include": "AVAILABILITY", "product": "POD"}),
        ("/v2/catalog/cpus/cpu5c", {}),
        ("/v2/catalog/datacenters", {"include": "GPU_AVAILABILITY,CPU_AVAILABILITY", "regions": "EUROPE"}),
        ("/v2/catalog/datacenters/US-KS-2", {}),
        ("/v2/catalog/templates", {"source": "community"}),
        ("/v2/account/ssh-keys", {}),
        ("/v2/network-volumes", {}),
        ("/v2/billing/pods", {}),
    ],
)
def test_what_is_only_read_fits_the_document(
    path: str, query: dict[str, str], client: Client, document: Document
) -> None:
    answer = client.call("GET", path, **query)

    assert answer.status == 200
    document.check(*client.said[-1])


def test_volumes_and_keys_are_changed_as_the_document_says(client: Client, document: Document) -> None:
    client.call("PUT", "/v2/account/ssh-keys", {"keys": ["ssh-ed25519 AAAA me@example.com"]})
    volume = client.json("POST", "/v2/network-volumes", {"name": "data", "size": 50, "dataCenter": "US-KS-2"})
    path = f"/v2/network-volumes/{volume['id']}"
    client.call("PATCH", path, {"size": 100})
    client.call("GET", path)
    client.create(mounts={"network": [{"volumeId": volume["id"], "path": "/data"}]})
    client.call("DELETE", path)
    client.call("PATCH", path, {"size": 50})

    assert [answer.status for _, answer in client.said] == [200, 201, 200, 200, 201, 400, 400]
    for request, answer in client.said:
        document.check(request, answer)


def test_a_cluster_and_its_pods_fit_the_document(client: Client, fleet: Fleet, document: Document) -> None:
    pod = rent(fleet, "member", cluster="cluster_1")
    client.call("GET", "/v2/clusters/cluster_1/pods")
    client.call("GET", "/v2/pods", includeClusterPods="true")
    client.call("DELETE", f"/v2/pods/{pod.id}")
    client.call("PATCH", f"/v2/pods/{pod.id}", {"name": "x"})
    client.call("POST", f"/v2/pods/{pod.id}/action", {"action": "stop"})

    assert [answer.status for _, answer in client.said] == [200, 200, 409, 409, 409]
    for request, answer in client.said:
        document.check(request, answer)


@pytest.mark.parametrize(
    "plan",
    [
        PodPlan(runtime="empty"),
        PodPlan(runtime="null"),
        PodPlan(stuck_in="RUNNING"),
        PodPlan(cost="zero"),
        PodPlan(ports_s=None),
        PodPlan(dates="fraction"),
        PodPlan(error_after_s=1),
        PodPlan(exits_after_s=1, stale_runtime_s=999),
    ],
    ids=lambda plan: ",".join(sorted(plan.model_fields_set)),
)
def test_an_odd_pod_that_the_document_allows_still_fits_it(
    plan: PodPlan, client: Client, fleet: Fleet, clock: ManualClock, document: Document
) -> None:
    fleet.plans.default = plan
    pod = client.create()
    clock.advance(timedelta(minutes=5))
    client.pod(pod["id"])

    for request, answer in client.said:
        document.check(request, answer)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"bogus": 1}, "$: additional properties 'bogus' not allowed"),
        ({"gpu": {"id": H100, "kind": "x"}}, "$.gpu: additional properties 'kind' not allowed"),
        ({"gpu": {"id": H100, "count": 0}}, "$.gpu.count: minimum: got 0, want 1"),
        ({"name": ""}, "$.name: minLength: got 0, want 1"),
        ({"disk": "50"}, "$.disk: got string, want int"),
        ({"env": {"A": 1}}, "$.env.A: got number, want string"),
        ({"mounts": {"persistent": {"size": 20}}}, "$.mounts.persistent: missing property 'path'"),
        ({"cloud": "MOON"}, "$.cloud: value must be one of 'SECURE', 'COMMUNITY'"),
    ],
)
def test_what_the_document_forbids_is_refused_with_its_place(
    change: dict[str, object], complaint: str, client: Client, document: Document
) -> None:
    answer = client.call("POST", "/v2/pods", {**ORDER, **change})

    assert answer.status == 422
    assert isinstance(answer.body, dict)
    assert answer.body["errors"] == [complaint]
    document.check_answer(*client.said[-1])


def test_a_pod_without_image_and_template_is_refused(client: Client) -> None:
    without_image = {name: value for name, value in ORDER.items() if name != "image"}

    assert client.call("POST", "/v2/pods", without_image).status == 422
    assert client.call("POST", "/v2/pods", without_image | {"templateId": "30zmvf89kd"}).status == 201
    assert client.call("POST", "/v2/pods", without_image | {"templateId": "vllm-latest"}).status == 422
    assert client.call("POST", "/v2/pods", without_image | {"templateId": "nowhere"}).status == 404


@pytest.mark.parametrize(
    "change",
    [
        {"cpu": {"id": "cpu5c", "vcpuCount": 4}},
        {"gpu": {"id": H100, "minCudaVersion": "12.1", "allowedCudaVersions": ["12.8"]}},
        {
            "mounts": {
                "persistent": {"size": 20, "path": "/a"},
                "network": [{"volumeId": "x", "path": "/b"}],
            }
        },
    ],
)
def test_a_body_that_breaks_a_rule_between_fields_is_a_400(
    change: dict[str, object], client: Client, document: Document
) -> None:
    assert client.call("POST", "/v2/pods", {**ORDER, **change}).status == 400
    document.check(*client.said[-1])


def test_a_key_that_the_document_does_not_name_would_be_noticed(client: Client, document: Document) -> None:
    client.call("GET", "/v2/account/ssh-keys")
    request, answer = client.said[-1]
    body = answer.body
    assert isinstance(body, dict)
    body["surprise"] = 1

    with pytest.raises(AssertionError, match="surprise"):
        document.check(request, answer)
