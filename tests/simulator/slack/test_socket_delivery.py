"""Socket Mode: connections, envelopes, redelivery, and what happens when the line breaks."""

import asyncio

import aiohttp
import pytest
from slack_bolt.async_app import AsyncAck, AsyncApp

from simulator.slack import SlackSimulator
from simulator.slack.jsontypes import JsonObject
from tests.simulator.slack.apps import bare_client, over_socket


def silent(app: AsyncApp) -> None:
    @app.command("/pod")
    async def pod(ack: AsyncAck) -> None:
        await ack()

    @app.event("app_home_opened")
    async def home() -> None: ...


async def url_of(slack: SlackSimulator) -> str:
    return str((await bare_client(slack).apps_connections_open(app_token=slack.app_token))["url"])


async def test_the_first_frame_says_hello_and_counts_the_connections(slack: SlackSimulator) -> None:
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(await url_of(slack)) as one,
        session.ws_connect(await url_of(slack)) as two,
    ):
        first, second = await one.receive_json(), await two.receive_json()

    assert (first["type"], first["num_connections"], second["num_connections"]) == ("hello", 1, 2)
    assert first["connection_info"]["app_id"] == slack.bot.app_id


async def test_a_ticket_is_good_for_one_connection(slack: SlackSimulator) -> None:
    url = await url_of(slack)
    async with aiohttp.ClientSession() as session, session.ws_connect(url):
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await session.ws_connect(url)


async def test_each_envelope_goes_to_one_of_two_connections(slack: SlackSimulator) -> None:
    got: list[int] = []

    def listener(number: int, app: AsyncApp) -> None:
        @app.command("/pod")
        async def pod(ack: AsyncAck) -> None:
            got.append(number)
            await ack()

    async with (
        over_socket(slack, lambda app: listener(1, app)),
        over_socket(slack, lambda app: listener(2, app)),
    ):
        for _ in range(4):
            await slack.people.alice.types("/pod list")

    assert sorted(got) == [1, 1, 2, 2]


async def test_an_acknowledgement_is_counted_and_timed(slack: SlackSimulator) -> None:
    async with over_socket(slack, silent):
        outcome = await slack.people.alice.types("/pod list")

    (delivery,) = slack.log.deliveries_of("slash_commands")
    assert (delivery.acknowledged, delivery.acknowledgements) == (True, 1)
    assert outcome.ack_seconds == delivery.attempts[0].seconds


async def test_a_duplicate_comes_with_the_same_envelope_id(slack: SlackSimulator) -> None:
    slack.faults.duplicate()
    async with over_socket(slack, silent):
        await slack.people.alice.types("/pod list")

    (delivery,) = slack.log.deliveries_of("slash_commands")
    assert (len(delivery.attempts), delivery.acknowledgements) == (2, 2)


async def test_an_envelope_can_be_sent_again_at_any_time(slack: SlackSimulator) -> None:
    async with over_socket(slack, silent):
        await slack.people.alice.types("/pod list")
        (delivery,) = slack.log.deliveries_of("slash_commands")

        again = await slack.redeliver(delivery)

    assert again.error is None
    assert delivery.acknowledgements == 2


async def test_an_event_that_nobody_acknowledges_comes_three_times_more(impatient: SlackSimulator) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(await url_of(impatient)) as socket:
        await socket.receive_json()
        await impatient.people.alice.opens_home()
        frames: list[JsonObject] = [await socket.receive_json() for _ in range(4)]

    assert len({frame["envelope_id"] for frame in frames}) == 1
    assert [(frame["retry_attempt"], frame["retry_reason"]) for frame in frames] == [
        (0, ""),
        (1, "http_timeout"),
        (2, "http_timeout"),
        (3, "http_timeout"),
    ]


async def test_an_event_once_acknowledged_does_not_come_again(slack: SlackSimulator) -> None:
    async with over_socket(slack, silent):
        await slack.people.alice.opens_home()
        await slack.settle()

    (delivery,) = slack.log.deliveries_of("app_home_opened")
    assert [attempt.outcome for attempt in delivery.attempts] == ["acknowledged"]


async def test_an_event_while_nobody_is_connected_is_lost(slack: SlackSimulator) -> None:
    await slack.people.alice.opens_home()
    async with over_socket(slack, silent):
        await slack.settle()

    (delivery,) = slack.log.deliveries_of("app_home_opened")
    assert [attempt.outcome for attempt in delivery.attempts] == ["no_connection"]


async def test_bolt_comes_again_when_it_is_asked_to(slack: SlackSimulator) -> None:
    async with over_socket(slack, silent):
        await slack.faults.refresh_connections()
        await slack.connected()

        assert (await slack.people.alice.types("/pod list")).acknowledged


async def test_bolt_comes_again_after_the_line_was_cut(slack: SlackSimulator) -> None:
    async with over_socket(slack, silent):
        await slack.faults.cut_connections()
        lost = await slack.people.alice.types("/pod list")
        await slack.connected()

        assert lost.error == "dispatch_failed"
        assert (await slack.people.alice.types("/pod list")).acknowledged


async def test_bolt_comes_again_after_slack_was_away(slack: SlackSimulator) -> None:
    async with over_socket(slack, silent):
        await slack.faults.down()
        with pytest.raises(aiohttp.ClientError):
            await bare_client(slack).auth_test()
        slack.faults.up()
        await slack.connected()

        assert (await slack.people.alice.types("/pod list")).acknowledged


async def test_a_delivery_can_be_late(slack: SlackSimulator) -> None:
    slack.faults.delay_delivery(0.2)
    async with over_socket(slack, silent):
        started = asyncio.get_running_loop().time()
        await slack.people.alice.types("/pod list")

    assert asyncio.get_running_loop().time() - started >= 0.2


async def test_nonsense_on_the_line_is_ignored(slack: SlackSimulator) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(await url_of(slack)) as socket:
        await socket.receive_json()
        for frame in ("{", "[]", '{"envelope_id": 7}'):
            await socket.send_str(frame)
        typing = asyncio.create_task(slack.people.alice.types("/pod list"))
        envelope = await socket.receive_json()
        await socket.send_json({"envelope_id": envelope["envelope_id"], "payload": {"text": "by hand"}})
        outcome = await typing

    assert outcome.text == "by hand"
