"""How RunPod's JSON is read: what is odd is unknown, never an error and never a fact."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateways.runpod.json_values import Json, moment
from gateways.runpod.pod_json import read_listing, read_pod
from pods.phase import Status
from pods.snapshot import Mounts, Snapshot, SshEndpoint, Unreadable

AT = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def snapshot(pod: dict[str, Json]) -> Snapshot:
    read = read_pod(pod, "p1")
    assert isinstance(read, Snapshot)
    return read


def test_a_documented_pod_is_read_whole(pod):
    read = snapshot(pod)

    assert read == Snapshot(
        pod_id="p1",
        name="train-a1b2c3d4",
        status=Status.RUNNING,
        shows_life=True,
        created_at=datetime(2026, 6, 1, 12, 0, tzinfo=UTC),
        started_at=datetime(2026, 6, 1, 12, 2, tzinfo=UTC),
        gpu_type="NVIDIA GeForce RTX 4090",
        gpu_count=2,
        usd_per_hour=0.44,
        data_center="US-KS-2",
        cloud="SECURE",
        image="runpod/pytorch:1.0.2-cu1281-torch280-ubuntu2404",
        mounts=Mounts(persistent_gb=20, persistent_path="/workspace"),
        container_disk_gb=50,
        ssh=SshEndpoint("195.26.233.3", 34446),
        locked=False,
        cluster_member=False,
        provision_mark="a1b2c3d4",
        create_mark="token-1",
        actions=("stop", "restart", "terminate"),
    )


def test_of_a_pods_environment_only_our_marks_are_kept(pod):
    assert "s3cret" not in repr(snapshot(pod))


def test_a_network_volume_is_read(pod):
    read = snapshot(pod | {"mounts": {"network": [{"volumeId": "vol_1", "path": "/data"}]}})

    assert read.mounts == Mounts(network_volumes=("vol_1",), network_path="/data")


@pytest.mark.parametrize(
    "odd", [None, 0, "", "   ", {}, [], -1, True, "x y", float("nan"), float("inf"), 10**400]
)
@pytest.mark.parametrize(
    ("field", "attribute"),
    [
        ("createdAt", "created_at"),
        ("startedAt", "started_at"),
        ("cost", "usd_per_hour"),
        ("disk", "container_disk_gb"),
    ],
)
def test_an_odd_field_is_unknown_and_harms_no_other(pod, field, attribute, odd):
    read = snapshot(pod | {field: odd})

    assert getattr(read, attribute) is None
    assert read.gpu_count == 2


@pytest.mark.parametrize(
    "field", ["gpu", "mounts", "ssh", "env", "image", "cloud", "dataCenterId", "actions", "name"]
)
@pytest.mark.parametrize("odd", [None, 0, {}, [], True])
def test_an_odd_part_never_makes_the_pod_unreadable(pod, field, odd):
    assert snapshot(pod | {field: odd}).created_at is not None


@pytest.mark.parametrize(
    "field",
    ["name", "gpu", "mounts", "ssh", "env", "image", "cost", "createdAt", "runtime", "actions", "disk"],
)
def test_a_missing_field_never_makes_the_pod_unreadable(pod, field):
    del pod[field]

    assert isinstance(read_pod(pod, "p1"), Snapshot)


@pytest.mark.parametrize("status", [None, "", "running", "PAUSED", 1, {}, []])
def test_a_pod_of_unknown_status_is_unreadable(pod, status):
    assert isinstance(read_pod(pod | {"status": status}, "p1"), Unreadable)


@pytest.mark.parametrize("runtime", ["up", 1, [], True, [{"uptime": 5}]])
def test_a_runtime_that_is_no_object_makes_the_pod_unreadable_rather_than_dead(pod, runtime):
    assert isinstance(read_pod(pod | {"runtime": runtime}, "p1"), Unreadable)


@pytest.mark.parametrize(
    "runtime",
    [
        None,
        {},
        {"uptime": 0},
        {"uptime": None, "ports": [], "gpus": []},
        {"uptime": True},
        {"cpu": {"util": 5}},
    ],
)
def test_a_runtime_without_uptime_ports_or_gpus_shows_no_life(pod, runtime):
    assert not snapshot(pod | {"runtime": runtime, "ssh": {"proxy": {}, "direct": None}}).shows_life


@pytest.mark.parametrize("runtime", [{"uptime": 1}, {"ports": [{"private": 22}]}, {"gpus": [{"util": 0}]}])
def test_an_uptime_a_port_or_a_gpu_shows_life(pod, runtime):
    assert snapshot(pod | {"runtime": runtime, "ssh": None}).shows_life


def test_a_direct_ssh_endpoint_shows_life_without_a_runtime(pod):
    assert snapshot(pod | {"runtime": None}).shows_life


def test_the_proxys_endpoint_shows_no_life_because_it_is_filled_before_the_pod_is_ready(pod):
    pod["ssh"]["direct"] = None

    assert not snapshot(pod | {"runtime": None}).shows_life


@pytest.mark.parametrize("direct", [{"host": "a b", "port": 22}, {"host": "-oProxyCommand=x", "port": 22}])
@pytest.mark.parametrize("port", [0, 70000, "22", None])
def test_an_endpoint_that_is_none_is_not_offered(pod, direct, port):
    pod["ssh"]["direct"] = direct
    assert snapshot(pod).ssh is None

    pod["ssh"]["direct"] = {"host": "195.26.233.3", "port": port}
    assert snapshot(pod).ssh is None


@pytest.mark.parametrize("locked", [True, None, "false", 0, {}])
def test_only_a_plain_false_means_unlocked(pod, locked):
    assert snapshot(pod | {"locked": locked}).locked


def test_a_missing_lock_counts_as_locked(pod):
    del pod["locked"]

    assert snapshot(pod).locked


@pytest.mark.parametrize("cluster", [{"id": "c1", "rank": 0}, {}, "c1"])
def test_whatever_stands_under_cluster_makes_a_member(pod, cluster):
    assert snapshot(pod | {"cluster": cluster}).cluster_member


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2026-03-13T20:00:00Z", datetime(2026, 3, 13, 20, 0, tzinfo=UTC)),
        ("2026-03-13T20:00:00.123456789Z", datetime(2026, 3, 13, 20, 0, 0, 123456, tzinfo=UTC)),
        ("2026-03-13T22:00:00+02:00", datetime(2026, 3, 13, 20, 0, tzinfo=UTC)),
        ("2026-08-20 06:16:19.436 +0000 UTC", datetime(2026, 8, 20, 6, 16, 19, 436000, tzinfo=UTC)),
        ("2026-08-20 06:16:19.43 +0000 UTC", datetime(2026, 8, 20, 6, 16, 19, 430000, tzinfo=UTC)),
        ("2026-08-20 06:16:19 -0400 EDT", datetime(2026, 8, 20, 10, 16, 19, tzinfo=UTC)),
    ],
)
def test_a_time_is_read_as_rfc_3339_and_as_go_prints_it(written, meant):
    assert moment(written) == meant


@pytest.mark.parametrize(
    "written",
    [
        "2026-03-13T20:00:00",
        "2026-03-13",
        "0001-01-01T00:00:00Z",
        "1970-01-01T00:00:00Z",
        "yesterday",
        "",
        1781265779,
        "2026-13-40T20:00:00Z",
        "9999-12-31T23:59:59-14:00",
        "2026-08-20 06:16:19 +9900 UTC",
    ],
)
def test_a_time_without_offset_or_before_2000_is_unknown(written):
    assert moment(written) is None


def test_a_listing_is_whole_although_one_pod_in_it_cannot_be_read(pod):
    broken = pod | {"id": "broken", "status": "?"}

    listing = read_listing({"pods": [pod, broken]}, at=AT, provider_at=None)

    assert listing.whole
    assert isinstance(listing.pods["broken"], Unreadable)
    assert isinstance(listing.pods[pod["id"]], Snapshot)


def test_an_empty_list_is_a_whole_listing():
    assert read_listing({"pods": []}, at=AT, provider_at=None).whole


@pytest.mark.parametrize("bad_id", [None, "", 7, "../x", "a b", {}, "x" * 65, "a/b", "pod\n"])
def test_an_entry_without_a_readable_id_makes_the_listing_not_whole(pod, bad_id):
    listing = read_listing({"pods": [pod, pod | {"id": bad_id}]}, at=AT, provider_at=None)

    assert not listing.whole
    assert listing.why_not_whole == "1 of 2 entries have no readable id"
    assert list(listing.pods) == [pod["id"]]


@pytest.mark.parametrize("body", [None, [], {}, {"pods": None}, {"pods": {}}, "pods", 3])
def test_an_answer_without_a_list_is_no_whole_listing(body):
    assert not read_listing(body, at=AT, provider_at=None).whole


def test_a_pod_that_is_listed_twice_cannot_be_read(pod):
    listing = read_listing({"pods": [pod, pod | {"status": "EXITED"}]}, at=AT, provider_at=None)

    assert isinstance(listing.pods[pod["id"]], Unreadable)


@given(json_values)
def test_no_json_whatever_breaks_the_reading_of_a_listing(value):
    read_listing(value, at=AT, provider_at=None)
    read_listing({"pods": [value]}, at=AT, provider_at=None)
    read_pod(value, "p1")


@given(
    st.dictionaries(
        st.sampled_from(["runtime", "ssh", "gpu", "mounts", "cost", "locked", "env"]), json_values
    )
)
def test_no_odd_part_whatever_breaks_the_reading_of_a_pod(parts):
    read_pod({"id": "p1", "status": "RUNNING", **parts}, "p1")
