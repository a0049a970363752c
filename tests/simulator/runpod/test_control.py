"""The control API, and the account as a process of its own."""

import asyncio
import os
import signal
import socket
import sys
import tempfile
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import aiohttp
import asyncssh
import pytest

from simulator.clock import ManualClock
from simulator.runpod import RunPodSimulator
from simulator.runpod.__main__ import main
from tests.simulator.runpod.shell import public, said

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
async def control(runpod: RunPodSimulator) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(f"{runpod.url}/_control/") as session:
        yield session


async def _post(control: aiohttp.ClientSession, verb: str, **given: Any) -> tuple[int, Any]:
    async with control.post(verb, json=given) as answer:
        return answer.status, await answer.json()


async def test_a_past_can_be_made_up_from_another_process(
    control: aiohttp.ClientSession, runpod: RunPodSimulator, clock: ManualClock
) -> None:
    status, made = await _post(
        control, "rent", name="old", by="console:carol", created="PT100H", exited="2026-11-30T11:00:00Z"
    )
    truth = runpod.truth(made["pod"]["id"])

    assert status == 200
    assert truth.created_at == clock.now() - timedelta(hours=100)
    assert [(t.what, t.by) for t in truth.transitions] == [
        ("created", "console:carol"),
        ("stopped", "console:carol"),
    ]


async def test_a_pod_made_there_is_a_real_one(
    control: aiohttp.ClientSession, runpod: RunPodSimulator, key: asyncssh.SSHKey
) -> None:
    _, made = await _post(control, "rent", name="live", env={"PUBLIC_KEY": public(key)})

    assert await said(runpod.fleet.get(made["pod"]["id"]), key, "echo in") == "in"


async def test_the_consoles_verbs_work_and_name_their_person(
    control: aiohttp.ClientSession, runpod: RunPodSimulator
) -> None:
    pod = runpod.rent("train")
    for verb in ("stop", "start", "restart", "lock", "unlock", "terminate"):
        status, _ = await _post(control, f"console.{verb}", pod_id=pod.id, by="console:dan")
        assert status == 200

    done = runpod.truth(pod.id).transitions[1:]
    assert [t.what for t in done] == [
        "stopped",
        "started",
        "restarted",
        "locked",
        "unlocked",
        "terminate_asked",
        "ended",
    ]
    assert {t.by for t in done} == {"console:dan"}


async def test_switches_are_set_and_shown(control: aiohttp.ClientSession, runpod: RunPodSimulator) -> None:
    await _post(control, "quirks.account", listing="empty", null_runtime_data_centers=["US-KS-2"])
    await _post(control, "quirks.next_pod", stuck_in="RUNNING")
    await _post(control, "quirks.answer", method="GET", path="^/v2/", status=503)
    await _post(control, "stock", gpu="NVIDIA L4", level="NONE")
    async with control.get(f"{runpod.url}/_control") as answer:
        shown = await answer.json()

    assert shown["switches"]["listing"] == "empty"
    assert runpod.quirks.account.null_runtime_data_centers == frozenset({"US-KS-2"})
    assert len(runpod.fleet.plans.queued) == 1
    assert len(runpod.api.faults) == 1
    assert runpod.fleet.catalogue.best_stock(runpod.fleet.catalogue.gpus["NVIDIA L4"]) == "NONE"


async def test_the_truth_and_the_calls_can_be_read(
    control: aiohttp.ClientSession, runpod: RunPodSimulator
) -> None:
    pod, _ = runpod.rent("train"), runpod.rent("other")
    async with control.get("truth", params={"pod": pod.id}) as answer:
        sheets = (await answer.json())["pods"]
    async with control.get(f"{runpod.url}/v2/pods") as answer:
        assert answer.status == 401
    async with control.get("calls") as answer:
        calls = (await answer.json())["calls"]

    assert [(sheet["id"], sheet["ended_at"]) for sheet in sheets] == [(pod.id, None)]
    assert [(call["path"], call["status"]) for call in calls] == [("/v2/pods", 401)]


async def test_a_manual_clock_can_be_moved(control: aiohttp.ClientSession, clock: ManualClock) -> None:
    before = clock.now()
    await _post(control, "clock.advance", seconds=90)

    assert clock.now() - before == timedelta(seconds=90)


@pytest.mark.parametrize(
    ("verb", "given", "status", "words"),
    [
        ("no.such.verb", {}, 404, "no verb 'no.such.verb'"),
        ("rent", {"name": "x", "bogus": 1}, 422, "bogus"),
        ("rent", {"name": "x", "created": "yesterday"}, 422, "created"),
        ("rent", {}, 422, "name"),
        ("quirks.pod", {"pod_id": "nobody"}, 409, "pod not found"),
        ("quirks.account", {"listing": "upside down"}, 422, "listing"),
        ("console.stop", {"pod_id": "nobody"}, 409, "pod not found"),
        ("stock", {"gpu": "GTX 970", "level": "NONE"}, 422, "GTX 970"),
        ("quirks.answer", {"method": "GET", "path": "["}, 422, "not a regular expression"),
    ],
)
async def test_a_wrong_verb_or_argument_gets_a_sentence(
    verb: str, given: dict[str, Any], status: int, words: str, control: aiohttp.ClientSession
) -> None:
    answered, body = await _post(control, verb, **given)

    assert answered == status
    assert words in body["error"]


async def test_as_a_process_it_serves_until_it_is_told_to_stop(tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "simulator.runpod", "--clock", "0:1800000000@0", "--api-key", "rpa_demo"),
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    url = (await process.stdout.readline()).decode().strip()
    headers = {"Authorization": "Bearer rpa_demo"}
    async with aiohttp.ClientSession(url, headers=headers) as http, http.get("/v2/pods") as answer:
        assert (answer.status, answer.headers["Date"]) == (200, "Fri, 15 Jan 2027 08:00:00 GMT")
    process.send_signal(signal.SIGTERM)

    assert (await process.communicate())[1] == b""
    assert process.returncode == 0
    assert _left(tmp_path) == []


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_port_that_is_taken_is_said_in_one_line(
    temporary: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["--port", port]) == 1

    why = capsys.readouterr().err
    assert port in why
    assert why.count("\n") == 1
    assert _left(temporary) == []


def test_a_clock_that_is_none_is_said_in_one_line(
    temporary: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--clock", "soon"]) == 1
    assert capsys.readouterr().err.startswith("the clock 'soon' is not understood")
    assert _left(temporary) == []


@pytest.mark.parametrize("port", ["-1", "70000", "http"])
def test_a_port_that_is_none_is_wrong_usage(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([f"--port={port}"])
    assert f"'{port}' is no port" in capsys.readouterr().err


def _left(folder: Path) -> list[Path]:
    return list(folder.iterdir())
