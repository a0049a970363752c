"""The old GraphQL API, spoken by the real `runpod` package and by a query of one's own."""

import asyncio
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import requests

from simulator.clock import ManualClock
from simulator.runpod import Fleet, RunPodSimulator
from simulator.runpod.history import rent
from tests.simulator.runpod.client import H100, Client

STATUS_QUERY = "query { myself { pods { id desiredStatus lastStatusChange createdAt lastStartedAt } } }"


@pytest.fixture(scope="module")
def package() -> Iterator[Any]:
    import runpod as package

    yield package
    package.api_key = None


@pytest.fixture
def sdk(package: Any, runpod: RunPodSimulator, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("RUNPOD_API_BASE_URL", runpod.url)
    monkeypatch.setattr(package, "api_key", runpod.api_key)
    return package


async def _call(what: Callable[..., Any], *given: Any, **named: Any) -> Any:
    return await asyncio.to_thread(what, *given, **named)


async def test_the_package_sees_pods_as_they_are(sdk: Any, runpod: RunPodSimulator) -> None:
    pod = runpod.rent("train", env={"A": "1"}, count=2)
    (seen,) = await _call(sdk.get_pods)

    assert (seen["id"], seen["name"], seen["gpuCount"], seen["env"]) == (pod.id, "train", 2, ["A=1"])
    assert seen["runtime"]["ports"][0]["publicPort"] == pod.run.ports[22]
    assert seen["machine"]["gpuDisplayName"] == "H100 SXM"
    assert (await _call(sdk.get_pod, pod.id))["desiredStatus"] == "RUNNING"
    assert await _call(sdk.get_pod, "nobody") is None


async def test_the_package_creates_stops_resumes_and_ends(sdk: Any, runpod: RunPodSimulator) -> None:
    made = await _call(
        sdk.create_pod, "made", "runpod/pytorch:1", H100, ports="22/tcp", env={"K": "v"}, volume_in_gb=20
    )
    pod_id = made["id"]
    assert (await _call(sdk.stop_pod, pod_id))["desiredStatus"] == "EXITED"
    assert (await _call(sdk.resume_pod, pod_id, 1))["desiredStatus"] == "RUNNING"
    assert await _call(sdk.terminate_pod, pod_id) is None

    truth = runpod.truth(pod_id)
    assert [t.what for t in truth.transitions] == [
        "created",
        "stopped",
        "started",
        "terminate_asked",
        "ended",
    ]
    assert truth.ended_by == "api:bot"
    assert [call.pod_id for call in runpod.calls.terminates()] == [pod_id]


async def test_the_package_is_told_when_there_is_nothing_to_end(sdk: Any) -> None:
    with pytest.raises(sdk.error.QueryError, match="pod not found to terminate"):
        await _call(sdk.terminate_pod, "nobody")


async def test_the_package_is_told_about_capacity(sdk: Any, runpod: RunPodSimulator) -> None:
    runpod.fleet.catalogue.set_stock(H100, "NONE")

    with pytest.raises(sdk.error.QueryError, match="no longer any instances available"):
        await _call(sdk.create_pod, "made", "runpod/pytorch:1", H100)


async def test_the_package_reads_catalogue_and_account(sdk: Any, runpod: RunPodSimulator) -> None:
    runpod.fleet.account.ssh_keys = ("ssh-ed25519 AAAA me",)

    assert H100 in [gpu["id"] for gpu in await _call(sdk.get_gpus)]
    assert (await _call(sdk.get_gpu, H100))["maxGpuCount"] == 8
    assert (await _call(sdk.get_user))["pubKey"] == "ssh-ed25519 AAAA me"
    await _call(sdk.update_user_settings, "ssh-ed25519 BBBB me")
    assert runpod.fleet.account.ssh_keys == ("ssh-ed25519 BBBB me",)


async def test_a_wrong_key_is_an_authentication_error(sdk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sdk, "api_key", "rpa_wrong")

    with pytest.raises(sdk.error.AuthenticationError):
        await _call(sdk.get_pods)


@pytest.mark.parametrize(
    ("mode", "error"),
    [("gone", KeyError), ("html", requests.exceptions.JSONDecodeError), ("myself_null", TypeError)],
)
async def test_the_packages_odd_exceptions_can_be_provoked(
    mode: Any, error: type[Exception], sdk: Any, runpod: RunPodSimulator
) -> None:
    runpod.quirks.account.graphql = mode

    with pytest.raises(error):
        await _call(sdk.get_pods)


async def test_with_a_team_the_package_sees_no_pods(sdk: Any, runpod: RunPodSimulator) -> None:
    runpod.rent("train")
    runpod.quirks.account.team_id = "team_1"

    assert await _call(sdk.get_pods) == []


def _status_text(client: Client) -> Any:
    return client.json("POST", "/graphql", {"query": STATUS_QUERY})["data"]["myself"]["pods"][0][
        "lastStatusChange"
    ]


@pytest.mark.parametrize(
    ("style", "text"),
    [
        ("utc", "Exited by user: Mon Nov 30 2026 11:00:00 GMT+0000 (Coordinated Universal Time)"),
        ("offset", "Exited by user: Mon Nov 30 2026 07:00:00 GMT-0400 (Eastern Daylight Time)"),
        ("no_parenthesis", "Exited by user: Mon Nov 30 2026 11:00:00 GMT+0000"),
        ("date_only", "Exited by user: Mon Nov 30 2026"),
        ("no_date", "Exited by user: Insufficient balance"),
        ("iso", "Exited by user: 2026-11-30 11:00:00 UTC"),
        ("other_case", "Exited by User: Mon Nov 30 2026 11:00:00 GMT+0000"),
        ("null", None),
        ("contradicting", "Rented by User: Mon Nov 30 2026 11:00:00 GMT+0000 (Coordinated Universal Time)"),
        ("before_start", "Exited by user: Thu Nov 26 2026 08:00:00 GMT+0000"),
    ],
)
def test_the_status_text_comes_in_every_recorded_form(
    style: str, text: str | None, client: Client, fleet: Fleet
) -> None:
    rent(fleet, "train", created=timedelta(hours=52), exited=timedelta(hours=1), status_text=style)

    assert _status_text(client) == text


def test_the_status_text_names_who_stopped_the_pod(client: Client, fleet: Fleet, clock: ManualClock) -> None:
    pod = rent(fleet, "train", created=timedelta(hours=1))
    assert _status_text(client).startswith("Rented by User: ")
    fleet.exit(pod.id)
    assert _status_text(client).startswith("Exited by Runpod: ")
    fleet.start(pod.id, "console:bob")
    fleet.exit(pod.id, "outbid")
    assert _status_text(client).startswith("Outbid: ")


def test_an_empty_balance_is_written_without_a_date(client: Client, fleet: Fleet, clock: ManualClock) -> None:
    rent(fleet, "train", network_volume="vol1", price=1.0)
    fleet.purse.put(1.0, clock.now())
    clock.advance(timedelta(hours=2))

    assert _status_text(client) == "Exited by RunPod: Insufficient balance"


def test_a_pod_that_is_ending_is_written_exited_with_the_text_terminated(
    client: Client, fleet: Fleet
) -> None:
    pod = rent(fleet, "train", terminate_takes_s=3600)
    fleet.terminate(pod.id, "console:bob")
    entry = client.json("POST", "/graphql", {"query": STATUS_QUERY})["data"]["myself"]["pods"][0]

    assert entry["desiredStatus"] == "EXITED"
    assert entry["lastStatusChange"].startswith("Terminated by user: ")


def test_the_text_can_be_anything(client: Client, fleet: Fleet) -> None:
    rent(fleet, "train", status_text_is="Exited by Bob: soon")

    assert _status_text(client) == "Exited by Bob: soon"


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("query { myself { noSuchField } }", "GRAPHQL_VALIDATION_FAILED"),
        ("query { __schema { types { name } } }", "GRAPHQL_VALIDATION_FAILED"),
        ('mutation { podStop(input: {podId: "a"b"}) { id } }', "GRAPHQL_PARSE_FAILED"),
        (None, "BAD_REQUEST"),
    ],
)
def test_a_wrong_query_is_a_400_with_a_code(query: str | None, code: str, client: Client) -> None:
    answer = client.call("POST", "/graphql", {"query": query})
    body: Any = answer.body

    assert (answer.status, body["errors"][0]["extensions"]["code"]) == (400, code)
