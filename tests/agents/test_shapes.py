"""What is sent: too large, no JSON, of the wrong shape, too often, to the wrong place. Each has its code."""

import gzip
import json

import pytest

from storage.database import Database
from tests.agents.house import BOB, House, signed

BODY = '{"type": "note", "timestamp": "2026-11-30T12:00:00Z", "data": {"text": "hello"}}'
EVENTS = "/agents/scout/events"


def event(**changes: object) -> str:
    return json.dumps({**json.loads(BODY), **changes})


@pytest.mark.parametrize("body", [b"", b"{", b'{"a": "\xff"}', b"[" * 50_000, b'{"x": NaN}', b'"\\ud800"'])
async def test_what_is_no_json_is_bad_json(house: House, body: bytes) -> None:
    headers = signed(body.decode("latin-1"), "scout", "m1")

    assert (await house.exchange("POST", EVENTS, headers, body)).refusal == (400, "bad_json")


async def test_a_compressed_body_is_bad_json_and_is_never_opened(house: House) -> None:
    bomb = gzip.compress(bytes(50_000_000))
    headers = [*signed("", "scout", "m1"), (b"content-encoding", b"gzip")]

    assert (await house.exchange("POST", EVENTS, headers, bomb)).refusal == (400, "bad_json")


async def test_256_kib_are_read_and_one_byte_more_is_too_large(house: House) -> None:
    padded = BODY + " " * (256 * 1024 - len(BODY))

    assert (await house.post(padded)).status == 202
    assert (await house.post(padded + " ")).refusal == (413, "too_large")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ("[]", ""),
        ('"note"', ""),
        ("null", ""),
        ("{}", "type"),
        (event(type=5), "type"),
        (event(type="pod.explode"), "type"),
        (event(timestamp=1_764_504_000), "timestamp"),
        (event(timestamp="yesterday"), "timestamp"),
        (event(timestamp="2026-11-30T12:00:00"), "timestamp"),
        (event(timestamp="2026-02-30T12:00:00Z"), "timestamp"),
        (event(data=[]), "data"),
        (event(data={}), "data.text"),
        (event(data={"text": 5}), "data.text"),
        (event(data={"text": ""}), "data.text"),
        (event(data={"text": "x" * 10_001}), "data.text"),
        (event(type="run.launched", data={}), "data.pod_id"),
        (event(type="run.launched", data={"pod_id": None}), "data.pod_id"),
        (event(type="run.launched", data={"pod_id": "a b"}), "data.pod_id"),
        (event(type="run.launched", data={"pod_id": "p", "task": []}), "data.task"),
        (event(type="pod.keep", data={"pod_id": "p"}), "data.for"),
        (event(type="pod.keep", data={"pod_id": "p", "for": "soon"}), "data.for"),
        (event(type="pod.keep", data={"pod_id": "p", "for": "365d"}), "data.for"),
        (event(type="provision.cancel", data={"provision": "NO!"}), "data.provision"),
        (event(type="pod.provision", data={"gpu": "A40"}), "data.name"),
        (event(type="pod.provision", data={"name": "no spaces", "gpu": "A40"}), "data.name"),
        (event(type="pod.provision", data={"name": "train"}), "data.gpu"),
        (event(type="pod.provision", data={"name": "train", "gpu": 5}), "data.gpu"),
        (event(type="pod.provision", data={"name": "train", "gpu": "B9000"}), "data.gpu"),
        (event(type="pod.provision", data={"name": "train", "gpu": "A40", "count": 99}), "data.count"),
        (
            event(type="pod.provision", data={"name": "train", "gpu": "A40", "network_volume": 1.5}),
            "data.network_volume",
        ),
        (
            event(type="pod.provision", data={"name": "train", "gpu": "A40", "channel": "#ops"}),
            "data.channel",
        ),
    ],
)
async def test_json_of_the_wrong_shape_is_invalid_and_names_the_field(
    house: House, body: str, field: str
) -> None:
    reply = await house.post(body)

    assert reply.refusal == (422, "invalid")
    assert reply.body["field"] == field
    assert reply.body["detail"]


@pytest.mark.parametrize(
    ("body", "like"),
    [
        (event(type="run.launched", data={"pod_id": "a b"}), "RunPod's id of a pod"),
        (event(type="provision.cancel", data={"provision": "NO!"}), "a provision's id"),
        (event(type="pod.provision", data={"name": "t", "gpu": "A40", "channel": "#ops"}), "C0123456789"),
        (event(type="pod.provision", data={"name": "t", "gpu": "A40", "notify": "@ann"}), "U0123456789"),
    ],
)
async def test_an_id_that_is_none_is_answered_with_what_one_looks_like(
    house: House, body: str, like: str
) -> None:
    assert like in str((await house.post(body)).body["detail"])


async def test_a_flood_of_one_agent_is_told_when_to_come_again(database: Database) -> None:
    house = House(database, per_minute=2)
    house.add()
    house.add("quiet", BOB)
    for _ in range(2):
        assert (await house.post(BODY)).status == 202
    house.clock.advance(seconds=15)

    flooded = await house.post(BODY)

    assert flooded.refusal == (429, "rate_limited")
    assert flooded.headers["retry-after"] == "45"
    assert (await house.post(BODY, agent="quiet")).status == 202


@pytest.mark.parametrize(
    ("method", "target", "refusal"),
    [
        ("GET", "/agents/scout/events", (405, "method_not_allowed")),
        ("POST", "/agents/scout/audit", (405, "method_not_allowed")),
        ("GET", "/agents/scout/nothing", (404, "not_found")),
        ("GET", "/agents/scout", (404, "not_found")),
    ],
)
async def test_what_the_door_does_not_know_is_a_problem_too(
    house: House, method: str, target: str, refusal: tuple[int, str]
) -> None:
    assert (await house.exchange(method, target, [])).refusal == refusal
