"""What reaches the bot, by which way, how often, and in which shape: handled once, never a traceback."""

import asyncio
import hashlib
import hmac
import threading
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from urllib.parse import urlencode

import aiohttp
import pytest
from sqlmodel import col, func, select

from bot.service import Pace
from bot.slack.answering import answer
from bot.table import Run, Tables, Typed, Verb
from jobs.house import House
from storage.columns import JsonObject
from storage.inbox import InboxRow, receive
from tests.bot.talk import Talk, serving
from tests.world import World


async def rows(world: World) -> int:
    return await world.house.db.read(lambda session: session.exec(select(func.count(col(InboxRow.id)))).one())


def with_verb(name: str, run: Run) -> Tables:
    verb = Verb(usage=name, does="does it", example=name, run=run)
    return Tables(verbs={name: verb}, clicks={}, forms={}, events={})


async def test_the_same_envelope_three_times_is_handled_once(world: World):
    handled = []

    async def count(house: House, typed: Typed) -> None:
        handled.append(typed.key)
        await answer(house, typed, "counted")

    async with serving(world, tables=with_verb("count", count)) as bot:
        talk = Talk(world, bot)
        await talk.types(world.slack.people.alice, "/pod count")
        [delivery] = world.slack.log.deliveries_of("slash_commands")
        await world.slack.redeliver(delivery)
        await world.slack.redeliver(delivery, attempt=1)
        await talk.settled()

    assert len(handled) == 1
    assert delivery.acknowledgements == 3


async def test_a_slow_handler_keeps_nobody_waiting_for_the_acknowledgement(world: World):
    finish = asyncio.Event()

    async def slow(house: House, typed: Typed) -> None:
        await finish.wait()
        await answer(house, typed, "done at last")

    async with serving(world, tables=with_verb("slow", slow)) as bot:
        outcome = await world.slack.people.alice.types("/pod slow")
        finish.set()
        await bot.inbox.drain()

        assert outcome.acknowledged
        assert outcome.ack_seconds is not None
        assert outcome.ack_seconds < 1
        await world.slack.people.alice.sees("done at last")


async def test_eight_commands_at_once_are_all_acknowledged_in_time(world: World, talk: Talk):
    alice = world.slack.people.alice

    outcomes = await asyncio.gather(*(alice.types("/pod help") for _ in range(8)))

    assert [outcome.error for outcome in outcomes] == [None] * 8


async def test_a_command_that_cannot_be_taken_down_is_told_so_and_not_done(world: World):
    held, release = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def hold(_session: object) -> None:
        loop.call_soon_threadsafe(held.set)
        release.wait(50)

    async with serving(world, pace=Pace(take_down_within=timedelta(milliseconds=100))) as bot:
        holding = asyncio.create_task(world.house.db.run(hold))
        await held.wait()
        outcome = await world.slack.people.alice.types("/pod help")
        release.set()
        await holding
        await Talk(world, bot).settled()

    assert "I could not take this down" in outcome.text
    assert await rows(world) == 0


async def test_what_a_crash_left_over_is_handled_once_by_a_later_pass(world: World):
    handled = []

    async def note(house: House, typed: Typed) -> None:
        handled.append(typed.key)

    payload: JsonObject = {"user_id": world.slack.people.alice.id, "text": "note"}
    async with serving(world, tables=with_verb("note", note)) as bot:
        await world.house.db.run(
            lambda session: receive(session, "left over", "slack.command", payload, world.clock.now())
        )
        await bot.inbox.run()
        await bot.inbox.run()

    assert handled == ["left over"]


async def test_a_handler_that_fails_for_good_apologises_with_an_id(world: World):
    async def broken(house: House, typed: Typed) -> None:
        raise RuntimeError("on purpose")

    async with serving(world, tables=with_verb("broken", broken)) as bot:
        await world.slack.people.alice.types("/pod broken")
        for _ in range(6):
            await bot.inbox.drain()
            await world.passes(timedelta(hours=1))
            await bot.inbox.run()

        seen = await world.slack.people.alice.sees("Something went wrong here")

    assert "slack.command" in seen.plain


async def test_an_unknown_button_is_acknowledged_and_explained(world: World, talk: Talk):
    alice = world.slack.people.alice

    outcome = await alice.sends_action("no_such_button", "1")
    await talk.settled()

    assert outcome.acknowledged
    await alice.sees("of an older version of me")


async def test_a_click_without_channel_or_message_is_handled(world: World, talk: Talk):
    alice = world.slack.people.alice

    outcome = await alice.sends_action("deed_undo", "no such deed", on=None)
    await talk.settled()

    assert outcome.acknowledged
    await alice.sees("I know of no such act")


async def test_a_click_of_no_known_shape_breaks_nothing(world: World, talk: Talk):
    alice = world.slack.people.alice
    world.slack.office.settings = replace(world.slack.office.settings, ack_within=0.1)
    await alice.sends_payload(
        "interactive", {"type": "block_actions", "actions": [{"action_id": 7}], "user": {}}
    )

    assert "/pod help" in await talk.types(alice, "/pod help")


async def test_the_bot_comes_back_after_its_connection_was_cut(world: World, talk: Talk):
    await world.slack.faults.cut_connections()
    await world.slack.connected(within=55)

    assert "/pod help" in await talk.types(world.slack.people.alice, "/pod help")


async def test_the_bot_follows_when_slack_refreshes_its_connections(world: World, talk: Talk):
    await world.slack.faults.refresh_connections()
    await world.slack.connected(within=55)

    assert "/pod help" in await talk.types(world.slack.people.alice, "/pod help")


async def test_no_question_is_asked_before_the_acknowledgement(world: World):
    async def nothing(house: House, typed: Typed) -> None:
        return None

    async with serving(world, tables=with_verb("nothing", nothing)) as bot:
        before = len(world.slack.log.calls)
        await world.slack.people.alice.types("/pod nothing")
        await bot.inbox.drain()

        assert world.slack.log.calls[before:] == []


async def test_typing_as_phones_do_is_understood(world: World, talk: Talk):
    told = await talk.types(world.slack.people.alice, "/pod help\u00a0 “list”")

    assert "`/pod list [mine|all]`" in told


@pytest.fixture
async def address(world: World) -> AsyncIterator[str]:
    async with serving(world, http=True) as bot:
        yield f"{bot.url}/slack/events"


FORM = "application/x-www-form-urlencoded"


def body_of(world: World) -> bytes:
    fields = {
        "command": "/pod",
        "text": "help",
        "user_id": world.slack.people.alice.id,
        "trigger_id": "1.2.3",
    }
    return urlencode({**fields, "channel_id": world.slack.channel("#general").id}).encode()


def signed(world: World, body: bytes, timestamp: str | None = None) -> dict[str, str]:
    at = timestamp or str(int(time.time()))
    digest = hmac.new(world.slack.signing_secret.encode(), b"v0:" + at.encode() + b":" + body, hashlib.sha256)
    return {
        "content-type": FORM,
        "x-slack-request-timestamp": at,
        "x-slack-signature": f"v0={digest.hexdigest()}",
    }


async def post(address: str, body: bytes, headers: dict[str, str]) -> int:
    async with (
        aiohttp.ClientSession() as session,
        session.post(address, data=body, headers=headers) as answer,
    ):
        return answer.status


async def test_signed_http_is_answered_like_socket_mode(world: World):
    async with serving(world, http=True) as bot:
        told = await Talk(world, bot).types(world.slack.people.alice, "/pod help")

    assert "/pod help [command]" in told


async def test_a_replay_does_nothing(world: World, address: str):
    body = body_of(world)
    headers = signed(world, body)

    assert [await post(address, body, headers) for _ in range(3)] == [200, 200, 200]
    assert await rows(world) == 1


@pytest.mark.parametrize(
    "spoilt",
    [
        {"x-slack-request-timestamp": "abc"},
        {"x-slack-request-timestamp": "1"},
        {"x-slack-request-timestamp": ""},
        {"x-slack-signature": "v0=0000"},
        {"x-slack-signature": ""},
        {"x-slack-signature": "v0=\u00fcnlocked"},
    ],
    ids=["no number", "too old", "no timestamp", "wrong", "none", "not ascii"],
)
async def test_what_slack_did_not_sign_is_refused(world: World, address: str, spoilt: dict[str, str]):
    body = body_of(world)

    assert await post(address, body, {**signed(world, body), **spoilt}) == 401
    assert await rows(world) == 0


async def test_a_body_that_is_no_text_is_refused(world: World, address: str):
    body = b"\xff\xfe\x00payload"

    assert await post(address, body, signed(world, body)) == 401


@pytest.mark.parametrize(
    "body",
    [b"payload=%7Bbroken", b"payload=%5B1%5D", b"payload=" + b"[" * 100_000, b"{broken", b"payload=7"],
    ids=["broken", "a list", "too deep", "broken JSON", "a number"],
)
async def test_a_signed_body_that_cannot_be_read_is_a_bad_request(world: World, address: str, body: bytes):
    assert await post(address, body, signed(world, body)) == 400
    assert await rows(world) == 0


async def test_a_huge_body_is_refused_unread(world: World, address: str):
    body = b"text=" + b"x" * 1_040_000

    assert await post(address, body, signed(world, body)) == 413


async def test_without_a_signing_secret_there_is_no_door_for_http(world: World, talk: Talk):
    body = body_of(world)

    assert await post(f"{talk.service.url}/slack/events", body, signed(world, body)) == 404
