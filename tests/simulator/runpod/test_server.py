"""The account on a real socket: slow, cut and streamed answers, outages, a clock of its own."""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import aiohttp
import pytest

from simulator.clock import ManualClock
from simulator.runpod import RunPodSimulator
from tests.simulator.runpod.client import ORDER


@pytest.fixture
async def http(runpod: RunPodSimulator) -> AsyncIterator[aiohttp.ClientSession]:
    headers = {"Authorization": f"Bearer {runpod.api_key}"}
    async with aiohttp.ClientSession(runpod.url, headers=headers) as session:
        yield session


async def test_a_pod_is_rented_and_ended_over_http(
    runpod: RunPodSimulator, http: aiohttp.ClientSession
) -> None:
    async with http.post("/v2/pods", json=ORDER) as answer:
        assert (answer.status, answer.headers["Date"]) == (201, "Mon, 30 Nov 2026 12:00:00 GMT")
        pod = await answer.json()
    async with http.delete(f"/v2/pods/{pod['id']}") as answer:
        assert (answer.status, await answer.read()) == (204, b"")

    assert runpod.truth(pod["id"]).ended_by == "api:bot"


async def test_an_error_is_sent_as_a_problem(http: aiohttp.ClientSession) -> None:
    async with http.get("/v2/pods/nobody") as answer:
        assert (answer.status, answer.content_type) == (404, "application/problem+json")
        assert await answer.json() == {"title": "Not Found", "status": 404, "detail": "pod not found"}


async def test_a_body_that_is_not_json_is_a_400(http: aiohttp.ClientSession) -> None:
    async with http.post("/v2/pods", data=b"{", headers={"Content-Type": "application/json"}) as answer:
        assert answer.status == 400


async def test_a_lost_answer_ends_the_connection_and_the_pod_is_there(
    runpod: RunPodSimulator, http: aiohttp.ClientSession
) -> None:
    runpod.quirks.create_answer_is_lost()

    with pytest.raises(aiohttp.ClientError):
        await http.post("/v2/pods", json=ORDER)
    assert [sheet.name for sheet in runpod.fleet.truths()] == ["train"]


async def test_an_answer_can_be_slow(runpod: RunPodSimulator, http: aiohttp.ClientSession) -> None:
    runpod.quirks.account.slow_s = 5

    with pytest.raises(TimeoutError):
        await http.get("/v2/pods", timeout=aiohttp.ClientTimeout(total=0.2))
    assert len(runpod.calls) == 1


async def test_one_call_can_be_slow_and_right(runpod: RunPodSimulator, http: aiohttp.ClientSession) -> None:
    runpod.quirks.answer("GET", "^/v2/pods$", delay_s=0.2)
    started = asyncio.get_running_loop().time()
    async with http.get("/v2/pods") as answer:
        assert await answer.json() == {"pods": []}

    assert asyncio.get_running_loop().time() - started >= 0.2


async def test_a_provider_that_went_down_comes_back_on_the_same_port(
    runpod: RunPodSimulator, http: aiohttp.ClientSession
) -> None:
    pod = runpod.rent("train")
    await runpod.goes_down()
    with pytest.raises(aiohttp.ClientConnectorError):
        await http.get("/v2/pods")
    await runpod.comes_back()
    async with http.get("/v2/pods") as answer:
        assert [entry["id"] for entry in (await answer.json())["pods"]] == [pod.id]


async def _events(answer: aiohttp.ClientResponse, count: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    async for line in answer.content:
        if line.startswith(b"data: "):
            found.append(json.loads(line[6:]))
            if len(found) == count:
                break
    return found


async def test_logs_begin_with_the_tail_and_go_on_as_they_grow(
    runpod: RunPodSimulator, http: aiohttp.ClientSession, clock: ManualClock
) -> None:
    pod = runpod.rent("train", container_log=((0, "first"), (1, "second"), (60, "third")))
    clock.advance(timedelta(seconds=10))
    async with http.get(f"/v2/pods/{pod.id}/logs", params={"source": "container", "tail": "1"}) as answer:
        assert (answer.content_type, answer.headers["Cache-Control"]) == ("text/event-stream", "no-cache")
        (second,) = await _events(answer, 1)
        clock.advance(timedelta(seconds=60))
        (third,) = await _events(answer, 1)

    assert (second["line"], third["line"]) == ("second", "third")
    assert second["ts"] == "2026-11-30T12:00:01.000000Z"


async def test_logs_can_resume_after_a_time(
    runpod: RunPodSimulator, http: aiohttp.ClientSession, clock: ManualClock
) -> None:
    pod = runpod.rent("train", container_log=((0, "first"), (30, "second")))
    clock.advance(timedelta(seconds=60))
    async with http.get(f"/v2/pods/{pod.id}/logs", params={"since": "2026-11-30T12:00:10Z"}) as answer:
        assert [line["line"] for line in await _events(answer, 1)] == ["second"]


async def test_the_system_log_tells_of_the_pull_and_can_stall(
    runpod: RunPodSimulator, http: aiohttp.ClientSession, clock: ManualClock
) -> None:
    pod = runpod.rent("train", pull_s=120, system_log_stalls_after_s=30)
    clock.advance(timedelta(seconds=100))
    async with http.get(f"/v2/pods/{pod.id}/logs", params={"source": "system"}) as answer:
        lines = [line["line"] for line in await _events(answer, 5)]

    assert lines[1].startswith("pulling image runpod/pytorch")
    assert lines[4] == "layer 3/12: Pull complete"


@pytest.mark.parametrize("params", [{"source": "x"}, {"tail": "-1"}, {"tail": "9999"}, {"since": "now"}])
async def test_a_wrong_question_about_logs_is_a_422(
    params: dict[str, str], runpod: RunPodSimulator, http: aiohttp.ClientSession
) -> None:
    pod = runpod.rent("train")
    async with http.get(f"/v2/pods/{pod.id}/logs", params=params) as answer:
        assert answer.status == 422
