"""The client against a whole simulated account, whose every call is held against the published document."""

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import asyncssh
import pytest

from gateways.runpod.budget import Budget
from gateways.runpod.client import RestRunPod, connected
from gateways.runpod.errors import (
    AnswerUnknown,
    Cannot,
    NotFound,
    RateLimited,
    RefusalReason,
    Refused,
    Unauthorized,
)
from gateways.runpod.logs import LogSource
from gateways.runpod.order import VolumeDisk
from gateways.runpod.status_text import StatusTexts, StatusTextWitness
from gateways.runpod.wire import Login
from gateways.ssh.client import Ssh
from gateways.ssh.results import LoggedIn, Ran
from pods.phase import Status
from pods.snapshot import Absent, Snapshot
from pods.warrant import Act, issue_warrant
from simulator.clock import ManualClock
from simulator.runpod import PodPlan, Request, RunPodSimulator
from tests.simulator.runpod.document import Document


@pytest.fixture
async def account(clock) -> AsyncIterator[RunPodSimulator]:
    async with RunPodSimulator(ManualClock(clock.now()), plan=PodPlan.instant()) as account:
        yield account


@pytest.fixture
def login(account) -> Login:
    return Login(account.url, account.api_key)


@pytest.fixture
async def client(login, clock) -> AsyncIterator[RestRunPod]:
    async with connected(login, clock, Budget(clock)) as client:
        yield client


@pytest.fixture
def key() -> asyncssh.SSHKey:
    return asyncssh.generate_private_key("ssh-ed25519")


@pytest.fixture
def wanted(order, key):
    public = key.export_public_key().decode().strip()
    return order(gpu_count=1, public_keys=(public,))


def warrant(pod_id: str, act: Act = Act.TERMINATE, fencing: int = 1):
    return issue_warrant(act, pod_id=pod_id, deed_id=f"end-{pod_id}", fencing=fencing)


def parameters(text: dict[str, Any], request: Request) -> set[str]:
    """The names of the query parameters that the document has for this call."""
    parts = request.path.split("/")
    for template, methods in text["paths"].items():
        wanted = template.split("/")
        fits = len(wanted) == len(parts) and all(w in (p, "{id}") for w, p in zip(wanted, parts, strict=True))
        if fits and request.method.lower() in methods:
            listed = methods[request.method.lower()].get("parameters", [])
            resolved = [
                text["components"]["parameters"][p["$ref"].rsplit("/")[-1]] if "$ref" in p else p
                for p in listed
            ]
            return {parameter["name"] for parameter in resolved if parameter["in"] == "query"}
    return set()


async def test_a_pod_is_rented_found_opened_and_ended(account, client, wanted, key):
    created = await client.create(wanted)
    assert isinstance(created, Snapshot)
    await account.settle()

    read = await client.get_pod(created.pod_id)
    assert isinstance(read, Snapshot)
    assert (read.status, read.shows_life, read.provision_mark, read.create_mark) == (
        Status.RUNNING,
        True,
        "a1b2c3d4",
        "token-1",
    )
    assert read.ssh is not None
    ssh = Ssh(key)
    opened = await ssh.login(read.ssh, pinned=None)
    assert isinstance(opened, LoggedIn)
    ran = await ssh.run(read.ssh, "echo $PODKEEPER_PROVISION", pinned=opened.host_key, seconds=20)
    assert isinstance(ran, Ran)
    assert (ran.exit_status, ran.stdout) == (0, "a1b2c3d4\n")

    await client.terminate(warrant(created.pod_id))

    assert isinstance(await client.get_pod(created.pod_id), Absent)
    listing = await client.list_pods()
    assert listing.whole
    assert created.pod_id not in listing.pods
    assert len(account.fleet.calls.terminates()) == 1


async def test_every_call_is_one_that_the_document_names_down_to_the_last_key(
    account, client, order, shared, mocker
):
    text = json.loads((shared / "specs" / "runpod-rest-v2-openapi.json").read_text())
    handled = mocker.spy(account.api, "handle")
    volume = VolumeDisk(20, "/workspace")

    created = await client.create(order(gpu_count=2, mount=volume, data_centres=("US-KS-2",), env={"A": "b"}))
    await client.list_pods()
    await client.get_pod(created.pod_id)
    await client.stop(warrant(created.pod_id, Act.STOP))
    await client.start(created.pod_id)
    await client.logs(created.pod_id, LogSource.CONTAINER, seconds=0.05)
    await client.logs(created.pod_id, LogSource.SYSTEM, since=account.clock.now(), seconds=0.05)
    await client.gpu_catalogue()
    await client.data_centres()
    await client.network_volumes()
    await client.ssh_keys()
    await client.terminate(warrant(created.pod_id, fencing=2))

    requests = [call.args[-1] for call in handled.call_args_list]
    assert len(requests) == 12
    document = Document(text)
    for request in requests:
        document.check_request(request)
        assert set(request.query) <= parameters(text, request)


async def test_a_file_reaches_the_pod_whole(account, client, wanted, key):
    created = await client.create(wanted)
    await account.settle()
    read = await client.get_pod(created.pod_id)
    assert isinstance(read, Snapshot)
    assert read.ssh is not None

    sent = await Ssh(key).upload(read.ssh, "podkeeper/a1b2c3d4/1/run.sh", b"x" * 300_000, pinned=None)
    found = await Ssh(key).run(
        read.ssh, "stat -c '%a %s' ~/podkeeper/a1b2c3d4/1/run.sh", pinned=None, seconds=20
    )

    assert isinstance(sent, Ran)
    assert isinstance(found, Ran)
    assert (sent.exit_status, found.stdout) == (0, "600 300000\n")


async def test_every_teammates_pod_is_in_the_listing_with_the_providers_time(account, client, clock):
    pods = [account.rent(f"pod-{n}", by="console:carol", created=account.ago(hours=n + 1)) for n in range(5)]

    listing = await client.list_pods()

    assert listing.whole
    assert set(listing.pods) == {pod.id for pod in pods}
    assert all(isinstance(pod, Snapshot) and pod.created_at is not None for pod in listing.pods.values())
    assert listing.provider_at == clock.now()


async def test_a_stop_and_a_start_are_seen(account, client):
    pod = account.rent("mine")

    await client.stop(warrant(pod.id, Act.STOP))
    stopped = await client.get_pod(pod.id)
    await client.start(pod.id)
    started = await client.get_pod(pod.id)

    assert isinstance(stopped, Snapshot)
    assert isinstance(started, Snapshot)
    assert (stopped.status, started.status) == (Status.EXITED, Status.RUNNING)


async def test_what_the_pods_status_forbids_cannot_be_done(account, client):
    pod = account.rent("mine")

    with pytest.raises(Cannot):
        await client.start(pod.id)


@pytest.mark.parametrize("created", [True, False])
async def test_a_create_that_answers_500_is_unknown_whether_or_not_it_created(
    account, client, wanted, created
):
    account.quirks.create_answers_500(created=created)

    with pytest.raises(AnswerUnknown):
        await client.create(wanted)

    marks = [pod.create_mark for pod in (await client.list_pods()).pods.values() if isinstance(pod, Snapshot)]
    assert marks == (["token-1"] if created else [])


async def test_a_create_whose_answer_is_lost_is_made_once(account, client, wanted):
    account.quirks.create_answer_is_lost()

    with pytest.raises(AnswerUnknown):
        await client.create(wanted)

    assert len((await client.list_pods()).pods) == 1


async def test_no_capacity_and_no_money_are_told_apart(account, client, wanted):
    account.fleet.catalogue.set_stock(wanted.gpu_id, "NONE")
    with pytest.raises(Refused) as caught:
        await client.create(wanted)
    assert caught.value.reason is RefusalReason.NO_CAPACITY

    account.fleet.catalogue.set_stock(wanted.gpu_id, "HIGH")
    account.fleet.purse.put(0.0, account.clock.now())
    with pytest.raises(Refused) as caught:
        await client.create(wanted)
    assert caught.value.reason is RefusalReason.BALANCE


@pytest.mark.parametrize("odd", ["null", "html"])
async def test_an_odd_listing_is_not_whole(account, client, odd):
    account.rent("somebodys")
    account.quirks.account.listing = odd

    assert not (await client.list_pods()).whole


async def test_a_terminate_that_answers_404_is_told_although_the_pod_is_still_there(account, client):
    pod = account.rent("mine")
    account.quirks.terminate_answers(404)

    with pytest.raises(NotFound):
        await client.terminate(warrant(pod.id))

    assert isinstance(await client.get_pod(pod.id), Snapshot)


async def test_calls_of_others_use_up_what_we_could_have_used(account, client, clock):
    account.quirks.others_call(59)
    began = clock.now()

    await client.ssh_keys()
    with pytest.raises(RateLimited):
        await client.ssh_keys()

    assert clock.now() - began <= timedelta(minutes=2)


async def test_a_wrong_key_is_told(account, clock):
    async with connected(Login(account.url, "rpa_wrong"), clock, Budget(clock)) as client:
        with pytest.raises(Unauthorized):
            await client.ssh_keys()
        assert not (await client.list_pods()).whole


async def test_the_catalogue_the_centres_the_volumes_and_the_keys_are_read(client):
    gpus = await client.gpu_catalogue()

    assert any(gpu.gpu_id == "NVIDIA H100 80GB HBM3" and gpu.secure_usd_per_hour for gpu in gpus)
    assert await client.data_centres()
    assert isinstance(await client.network_volumes(), tuple)
    assert isinstance(await client.ssh_keys(), tuple)


async def test_the_systems_log_tells_of_a_pods_start(account, client):
    pod = account.rent("mine")

    lines = await client.logs(pod.id, LogSource.SYSTEM, seconds=0.3)

    assert lines
    assert all(line.source is LogSource.SYSTEM and line.at is not None for line in lines)


@pytest.mark.filterwarnings("ignore")
async def test_the_second_witness_hears_when_a_pod_exited(account, login, clock):
    pod = account.rent("old", created=account.ago(hours=100), exited=account.ago(hours=30))

    told = await StatusTextWitness(login, clock, Budget(clock)).texts({pod.id})

    assert isinstance(told, StatusTexts)
    assert told.texts[pod.id].startswith("Exited by user: ")


@pytest.mark.filterwarnings("ignore")
async def test_the_second_witness_falls_silent_when_its_api_is_gone(account, login, clock):
    account.quirks.account.graphql = "gone"
    witness = StatusTextWitness(login, clock, Budget(clock))

    await witness.texts({"p1"})

    assert "retired" in (witness.off or "")
