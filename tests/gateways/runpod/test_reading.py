"""Questions to RunPod: what every answer means, and what is asked a second time."""

from datetime import UTC, datetime

import pytest

from gateways.runpod.errors import NotFound, RateLimited, Unauthorized, Unreachable
from pods.snapshot import Absent, Snapshot, Unreadable

HTML = b"<html>error code: 1010</html>"


async def test_a_listing_is_asked_for_with_cluster_pods_and_names_the_key_the_team_and_the_agent(
    runpod, provider, answer, pod
):
    provider.will_answer(answer(200, {"pods": [pod]}))

    listing = await runpod.list_pods()

    assert listing.whole
    assert list(listing.pods) == [pod["id"]]
    [asked] = provider.asked
    assert (asked.method, asked.path, asked.query) == ("GET", "/v2/pods", {"includeClusterPods": "true"})
    assert asked.headers["Authorization"] == "Bearer rpa_key"
    assert asked.headers["X-Team-Id"] == "team_1"
    assert asked.headers["User-Agent"].startswith("podkeeper/")


async def test_a_listing_carries_our_time_and_the_providers(runpod, provider, answer, clock):
    provider.will_answer(answer(200, {"pods": []}, headers={"Date": "Mon, 30 Nov 2026 12:00:03 GMT"}))

    listing = await runpod.list_pods()

    assert listing.at == clock.now()
    assert listing.provider_at == datetime(2026, 11, 30, 12, 0, 3, tzinfo=UTC)


@pytest.mark.parametrize("date", ["yesterday", ""])
async def test_an_odd_date_header_is_an_unknown_time(runpod, provider, answer, date):
    provider.will_answer(answer(200, {"pods": []}, headers={"Date": date}))

    assert (await runpod.list_pods()).provider_at is None


@pytest.mark.parametrize(
    ("status", "body", "content_type", "words"),
    [
        (200, HTML, "text/html", "not in its own form (text/html"),
        (200, b"null", "application/json", "no list of pods"),
        (200, b"", "application/json", "no list of pods"),
        (200, b'{"pods": [', "application/json", "not in its own form"),
        (200, b"[" * 100_000, "application/json", "not in its own form"),
        (200, b"\xff\xfe", "application/json", "not in its own form"),
        (502, HTML, "text/html", "answered 502"),
        (403, HTML, "text/html", "answered 403, not in its own form"),
        (410, b'{"detail": "gone", "status": 410}', "application/json", "answered 410: gone"),
        (500, b'{"detail": "boom", "status": 500}', "application/json", "boom"),
        (302, b"", "text/html", "answered 302"),
        (429, HTML, "text/html", "asks us to wait"),
        (401, b'{"detail": "missing bearer token", "status": 401}', "application/json", "RUNPOD_API_KEY"),
        (403, b'{"detail": "access denied", "status": 403}', "application/json", "access denied"),
        (404, b'{"detail": "not found", "status": 404}', "application/json", "does not know"),
    ],
)
async def test_a_listing_that_is_none_is_not_whole_and_says_why(
    runpod, provider, answer, status, body, content_type, words
):
    provider.will_answer(answer(status, body, content_type))

    listing = await runpod.list_pods()

    assert not listing.whole
    assert listing.pods == {}
    assert words in (listing.why_not_whole or "")


async def test_a_listing_from_a_provider_that_is_not_there_is_not_whole(runpod, provider, answer):
    provider.will_answer(answer(hang_up=True))

    listing = await runpod.list_pods()

    assert not listing.whole
    assert "did not answer" in (listing.why_not_whole or "")
    assert "rpa_key" not in (listing.why_not_whole or "")


async def test_a_pod_is_read_by_its_id(runpod, provider, answer, pod):
    provider.will_answer(answer(200, pod))

    read = await runpod.get_pod(pod["id"])

    assert isinstance(read, Snapshot)
    assert provider.asked[0].path == f"/v2/pods/{pod['id']}"


@pytest.mark.parametrize(
    "body",
    [
        {"title": "Not Found", "status": 404, "detail": "pod not found"},
        {"error": "pod not found to terminate", "status": 404},
    ],
)
async def test_runpods_own_404_is_an_absent_pod(runpod, provider, answer, clock, body):
    provider.will_answer(answer(404, body))

    assert await runpod.get_pod("p1") == Absent("p1", clock.now())


@pytest.mark.parametrize(
    ("body", "content_type"), [(HTML, "text/html"), (b"{}", "application/json"), (b"", "text/plain")]
)
async def test_somebody_elses_404_is_no_absent_pod(runpod, provider, answer, body, content_type):
    provider.will_answer(answer(404, body, content_type))

    with pytest.raises(Unreachable):
        await runpod.get_pod("p1")


async def test_another_pod_than_the_one_asked_for_is_not_taken_for_it(runpod, provider, answer, pod):
    provider.will_answer(answer(200, pod))

    assert isinstance(await runpod.get_pod("other"), Unreadable)


@pytest.mark.parametrize("body", [None, [], "pod"])
async def test_an_answer_without_a_pod_tells_nothing_of_it(runpod, provider, answer, body):
    provider.will_answer(answer(200, body))

    with pytest.raises(Unreachable):
        await runpod.get_pod("p1")


@pytest.mark.parametrize("pod_id", ["../account/ssh-keys", "", "a/b", "a?x=1", "p1\n", "é"])
async def test_an_id_that_leads_elsewhere_is_never_sent(runpod, provider, pod_id):
    with pytest.raises(NotFound):
        await runpod.get_pod(pod_id)

    assert provider.asked == []


async def test_a_question_is_asked_again_until_it_is_answered(runpod, provider, answer, pod, outcomes):
    provider.will_answer(answer(hang_up=True), answer(502, HTML, "text/html"), answer(200, pod))

    assert isinstance(await runpod.get_pod(pod["id"]), Snapshot)
    assert outcomes == ["Unreachable", "Unreachable", "ok"]


async def test_a_question_is_asked_three_times_at_most(runpod, provider, answer):
    provider.will_answer(answer(503, HTML, "text/html"))

    with pytest.raises(Unreachable):
        await runpod.get_pod("p1")

    assert len(provider.asked) == 3


async def test_a_question_that_was_refused_for_the_key_is_not_asked_again(runpod, provider):
    provider.will_refuse(401, "missing bearer token")

    with pytest.raises(Unauthorized):
        await runpod.ssh_keys()

    assert len(provider.asked) == 1


async def test_retry_after_is_waited_for_before_the_next_call(runpod, provider, answer, pod, clock):
    began = clock.now()
    provider.will_answer(answer(429, {"status": 429}, headers={"Retry-After": "12"}), answer(200, pod))

    await runpod.get_pod(pod["id"])

    assert (clock.now() - began).total_seconds() == 12


async def test_a_long_retry_after_is_told_instead_of_waited_for(runpod, provider, answer):
    provider.will_answer(answer(429, {"status": 429}, headers={"Retry-After": "900"}))

    with pytest.raises(RateLimited) as caught:
        await runpod.get_pod("p1")

    assert caught.value.retry_after.total_seconds() == 900
    assert len(provider.asked) == 1


async def test_a_redirect_is_not_followed_with_our_key(runpod, provider, answer):
    provider.will_answer(answer(302, b"", "text/html", headers={"Location": provider.url + "elsewhere"}))

    with pytest.raises(Unreachable):
        await runpod.ssh_keys()

    assert {asked.path for asked in provider.asked} == {"/v2/account/ssh-keys"}


async def test_outside_words_are_shortened_and_freed_of_control_characters(runpod, provider, answer):
    provider.will_answer(answer(500, {"status": 500, "detail": "a\n\x1b[31mb" + "x" * 500}))

    with pytest.raises(Unreachable) as caught:
        await runpod.get_pod("p1")

    assert "a [31mb" in caught.value.sentence
    assert caught.value.sentence.endswith("… (shortened)")
    assert len(caught.value.sentence) < 400


async def test_the_catalogue_shows_prices_per_cloud_and_stock_for_pods(runpod, provider, answer):
    gpu = {
        "id": "NVIDIA GeForce RTX 4090",
        "name": "RTX 4090",
        "pool": None,
        "manufacturer": "NVIDIA",
        "memory": 24,
        "secure": True,
        "community": False,
        "price": {"secure": 0.44, "community": 0.31},
        "maxCount": {"secure": 8, "community": 4},
        "availability": "HIGH",
        "dataCenters": [
            {"id": "US-KS-2", "name": "US Kansas 2", "availability": "HIGH"},
            {"id": "EU-RO-1", "name": "EU Romania 1", "availability": "NONE"},
        ],
    }
    provider.will_answer(answer(200, {"gpus": [gpu, {"name": "no id"}, None]}))

    [read] = await runpod.gpu_catalogue()

    assert provider.asked[0].query == {"include": "AVAILABILITY", "product": "POD"}
    assert (read.secure_usd_per_hour, read.community_usd_per_hour, read.stock) == (0.44, None, "HIGH")
    assert read.data_centres == ("US-KS-2",)


async def test_data_centres_and_network_volumes_are_read(runpod, provider, answer):
    provider.will_answer(
        answer(200, {"dataCenters": [{"id": "US-TX-3", "name": "US Texas 3", "region": "NORTH_AMERICA"}]}),
        answer(200, {"networkVolumes": [{"id": "v1", "name": "data", "size": 50, "dataCenter": "EU-RO-1"}]}),
    )

    [centre] = await runpod.data_centres()
    [volume] = await runpod.network_volumes()

    assert (centre.centre_id, centre.name) == ("US-TX-3", "US Texas 3")
    assert (volume.volume_id, volume.gb, volume.data_centre) == ("v1", 50, "EU-RO-1")


@pytest.mark.parametrize("question", ["gpu_catalogue", "data_centres", "network_volumes", "ssh_keys"])
@pytest.mark.parametrize(
    "body", [None, [], {}, {"gpus": None, "dataCenters": {}, "networkVolumes": 1, "keys": "k"}]
)
async def test_an_answer_without_the_list_asked_for_is_no_empty_list(
    runpod, provider, answer, question, body
):
    provider.will_answer(answer(200, body))

    with pytest.raises(Unreachable, match="has no list of"):
        await getattr(runpod, question)()
