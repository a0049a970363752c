"""The workspace driven over its control API, from the same process and from another one."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import ClientSession
from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from simulator.slack import SlackSimulator
from simulator.slack.jsontypes import Json, JsonObject
from tests.simulator.slack.apps import button, over_socket, plain

ROOT = Path(__file__).parents[3]


@pytest.fixture
async def http() -> AsyncIterator[ClientSession]:
    async with ClientSession() as session:
        yield session


def listeners(app: AsyncApp) -> None:
    @app.command("/pod")
    async def pod(ack: AsyncAck) -> None:
        await ack("taken")

    @app.action("end")
    async def end(ack: AsyncAck) -> None:
        await ack()


async def test_a_person_can_be_made_to_type(slack: SlackSimulator, http: ClientSession) -> None:
    async with over_socket(slack, listeners):
        url = f"{slack.control_url}/people/alice/types"
        async with http.post(url, json={"text": "/pod list", "in": "#gpu-ops"}) as response:
            outcome = await response.json()

    assert (outcome["ok"], outcome["text"]) == (True, "taken")
    await slack.people.alice.sees("taken", in_="#gpu-ops")


async def test_a_person_can_be_made_to_click_on_one_message(
    slack: SlackSimulator, client: AsyncWebClient, http: ClientSession
) -> None:
    async with over_socket(slack, listeners):
        blocks: list[JsonObject] = [{"type": "actions", "elements": [button("End", "end")]}]
        posted = await client.chat_postMessage(channel="C0GPUOPS", text="x", blocks=blocks)
        on = {"channel": "C0GPUOPS", "ts": posted["ts"]}
        async with http.post(
            f"{slack.control_url}/people/bob/clicks", json={"label": "End", "on": on}
        ) as response:
            outcome = await response.json()

    assert outcome["ok"]
    assert len(slack.log.deliveries_of("block_actions")) == 1


async def test_a_screen_is_that_persons(
    slack: SlackSimulator, client: AsyncWebClient, http: ClientSession
) -> None:
    await client.chat_postEphemeral(channel="C0GPUOPS", user="U0BOB", text="psst")

    async def texts(name: str) -> list[str]:
        async with http.get(f"{slack.control_url}/people/{name}") as response:
            screen = await response.json()
        return [message["plain"] for place in screen["places"] for message in place["messages"]]

    assert (await texts("bob"), await texts("alice")) == (["psst"], [])


async def test_a_form_is_filled_and_closed(
    slack: SlackSimulator, client: AsyncWebClient, http: ClientSession
) -> None:
    field: JsonObject = {
        "type": "input",
        "block_id": "name",
        "label": plain("Name"),
        "element": {"type": "plain_text_input", "action_id": "value"},
    }
    view: JsonObject = {"type": "modal", "title": plain("F"), "submit": plain("Go"), "blocks": [field]}
    await client.views_open(trigger_id=slack.office.triggers.issue("U0BOB"), view=view)

    async with http.post(
        f"{slack.control_url}/people/bob/fills", json={"values": {"Name": "gpu-7"}}
    ) as response:
        filled = await response.json()
    async with http.post(f"{slack.control_url}/people/bob/dismisses", json={}) as response:
        closed = await response.json()

    assert "Name: {gpu-7}" in filled["text"]
    assert closed["ok"]
    assert slack.people.bob.modal is None


async def test_changes_are_waited_for(
    slack: SlackSimulator, client: AsyncWebClient, http: ClientSession
) -> None:
    since = slack.workspace.changes.version
    url = f"{slack.control_url}/changes?since={since}&within=5"

    async def wait() -> int:
        async with http.get(url) as response:
            return int((await response.json())["version"])

    waiting = asyncio.create_task(wait())
    await client.chat_postMessage(channel="C0GPUOPS", text="x")

    assert await waiting > since


async def test_a_fault_can_be_asked_for(
    slack: SlackSimulator, client: AsyncWebClient, http: ClientSession
) -> None:
    body = {"method": "auth.test", "status": 503}
    async with http.post(f"{slack.control_url}/faults/http", json=body) as response:
        assert response.status == 200
    async with http.post(f"{slack.api_url}auth.test") as response:
        assert response.status == 503


async def test_the_log_can_be_read(
    slack: SlackSimulator, client: AsyncWebClient, http: ClientSession
) -> None:
    await client.auth_test()
    async with http.get(f"{slack.control_url}/log") as response:
        log = await response.json()

    assert [call["method"] for call in log["calls"]] == ["auth.test"]


@pytest.mark.parametrize(
    ("path", "body", "sentence"),
    [
        ("people/nobody/types", {"text": "x"}, "there is nobody called 'nobody'"),
        ("people/bob/types", {}, "text is missing"),
        ("people/bob/types", {"text": "x", "in": "#nowhere"}, "there is no place '#nowhere'"),
        ("people/bob/dances", {}, "people cannot 'dances'"),
        ("people/bob/clicks", {"label": "End"}, "sees no 'End' to press"),
        ("people/bob/clicks", {"label": "End", "on": {"channel": "C9", "ts": "1"}}, "there is no message"),
        ("people/bob/submits", {}, "no modal is open"),
        ("faults/earthquake", {}, "there is no fault 'earthquake'"),
        ("faults/error", {"colour": "red"}, "colour"),
        ("people/bob/types", [], "the body is no JSON object"),
    ],
)
async def test_a_wrong_request_is_answered_with_a_sentence(
    slack: SlackSimulator, http: ClientSession, path: str, body: Json, sentence: str
) -> None:
    async with http.post(f"{slack.control_url}/{path}", json=body) as response:
        answer = await response.json()

    assert response.status == 400
    assert sentence in answer["error"]


async def test_a_foreign_page_cannot_post_here(slack: SlackSimulator, http: ClientSession) -> None:
    body = json.dumps({"text": "hello"})
    headers = {"content-type": "text/plain"}
    async with http.post(f"{slack.control_url}/people/bob/types", data=body, headers=headers) as response:
        assert response.status == 400
    assert slack.people.bob.messages() == []


async def test_it_runs_as_a_process_of_its_own(tmp_path: Path, http: ClientSession) -> None:
    manifest = tmp_path / "manifest.json"
    manifest.write_text(json.dumps({"oauth_config": {"scopes": {"bot": ["team:read"]}}}))
    options = ["--manifest", str(manifest), "--clock", "0:4102444800@0"]
    arguments = [sys.executable, "-m", "simulator.slack", *options]
    process = await asyncio.create_subprocess_exec(*arguments, stdout=asyncio.subprocess.PIPE, cwd=ROOT)
    assert process.stdout is not None
    facts = json.loads(await process.stdout.readline())
    client = AsyncWebClient(base_url=facts["api_url"], token=facts["bot_token"], retry_handlers=[])
    answer = await client.team_info()
    async with http.get(f"{facts['control_url']}/log") as response:
        log = await response.json()
    process.terminate()

    assert answer.headers["x-oauth-scopes"] == "team:read"
    assert log["calls"][0]["at"].startswith("2100-01-01T00:00:00")
    assert await process.wait() == 0


async def test_a_manifest_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    manifest = tmp_path / "manifest.json"
    manifest.write_text("{")
    arguments = [sys.executable, "-m", "simulator.slack", "--manifest", str(manifest)]
    process = await asyncio.create_subprocess_exec(*arguments, stderr=asyncio.subprocess.PIPE, cwd=ROOT)
    _, said = await process.communicate()

    assert process.returncode == 1
    assert f"the manifest {manifest} cannot be read" in said.decode()
