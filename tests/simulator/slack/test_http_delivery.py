"""Signed HTTP: what the app gets, and what Slack makes of its answers."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import pytest
from aiohttp import web
from slack_sdk.signature import SignatureVerifier

from simulator.slack import SlackSimulator
from simulator.slack.delivery.http import signature
from tests.simulator.slack.apps import served


@dataclass
class Recorder:
    """An app that keeps what it gets and answers what it is told to."""

    answer: Callable[[], web.Response] = lambda: web.Response()
    got: list[tuple[bytes, dict[str, str]]] = field(default_factory=list)

    async def __call__(self, request: web.Request) -> web.Response:
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.got.append((await request.read(), headers))
        return self.answer()


def as_handler(recorder: Recorder) -> Callable[[web.Request], Awaitable[web.Response]]:
    return recorder.__call__


async def test_every_request_passes_slacks_own_verifier(slack: SlackSimulator) -> None:
    recorder = Recorder()
    async with served(as_handler(recorder)) as url:
        await slack.use_http(url, verify=False)
        await slack.people.alice.types("/pod list")
        await slack.people.alice.opens_home()
        await slack.people.alice.sends_action("end", "p1")

    verifier = SignatureVerifier(slack.signing_secret)
    assert [verifier.is_valid_request(body, headers) for body, headers in recorder.got] == [True] * 3


def test_the_signature_is_the_one_that_slack_documents() -> None:
    secret, body = "8f742231b10e8888abcd99yyyzzz85a5", b"token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J"
    expected = SignatureVerifier(secret).generate_signature(timestamp="1531420618", body=body)

    assert signature(secret, "1531420618", body) == expected


async def test_each_kind_has_its_own_encoding(slack: SlackSimulator) -> None:
    recorder = Recorder()
    async with served(as_handler(recorder)) as url:
        await slack.use_http(url, verify=False)
        await slack.people.alice.types("/pod list")
        await slack.people.alice.sends_action("end", "p1")
        await slack.people.alice.opens_home()

    (command, _), (click, _), (event, headers) = recorder.got
    assert b"command=%2Fpod&text=list" in command
    assert click.startswith(b"payload=%7B")
    assert headers["content-type"] == "application/json"
    assert b'"type": "event_callback"' in event


async def test_a_request_url_has_to_echo_the_challenge(slack: SlackSimulator) -> None:
    async with served(as_handler(Recorder())) as url:
        with pytest.raises(ConnectionError, match="url_verification"):
            await slack.use_http(url)


async def test_a_plain_body_is_the_answer_of_a_command(slack: SlackSimulator) -> None:
    recorder = Recorder(lambda: web.Response(text="as plain text"))
    async with served(as_handler(recorder)) as url:
        await slack.use_http(url, verify=False)

        assert (await slack.people.alice.types("/pod list")).text == "as plain text"


@pytest.mark.parametrize("status", [404, 500])
async def test_another_status_than_200_is_a_failed_dispatch(slack: SlackSimulator, status: int) -> None:
    async with served(as_handler(Recorder(lambda: web.Response(status=status)))) as url:
        await slack.use_http(url, verify=False)

        assert (await slack.people.alice.types("/pod list")).error == "dispatch_failed"


async def test_nobody_at_the_address_is_a_failed_dispatch(slack: SlackSimulator) -> None:
    async with served(as_handler(Recorder())) as url:
        await slack.use_http(url, verify=False)

    assert (await slack.people.alice.types("/pod list")).error == "dispatch_failed"


async def test_a_refused_event_comes_three_times_more_with_its_reason(slack: SlackSimulator) -> None:
    recorder = Recorder(lambda: web.Response(status=500))
    async with served(as_handler(recorder)) as url:
        await slack.use_http(url, verify=False)
        await slack.people.alice.opens_home()
        await slack.workspace.changes.wait_for(lambda: len(recorder.got) == 4, 2)
        await slack.settle()

    retries = [headers.get("x-slack-retry-num") for _, headers in recorder.got]
    assert retries == [None, "1", "2", "3"]
    assert recorder.got[1][1]["x-slack-retry-reason"] == "http_error"
    assert len({body for body, _ in recorder.got}) == 1


async def test_an_app_can_forbid_redelivery(slack: SlackSimulator) -> None:
    recorder = Recorder(lambda: web.Response(status=500, headers={"x-slack-no-retry": "1"}))
    async with served(as_handler(recorder)) as url:
        await slack.use_http(url, verify=False)
        await slack.people.alice.opens_home()
        await slack.settle()

    assert len(recorder.got) == 1
