"""Who comes through the door, who does not, and with which status and code."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
import structlog.testing

from storage.agent import agent, remove_agent, rotate_agent, suspend_agents
from storage.agent_request import request_of
from storage.database import Database
from tests.agents.house import ANN, BOB, KEY, House, signed

BODY = '{"type": "note", "timestamp": "2026-11-30T12:00:00Z", "data": {"text": "hello"}}'
EVENTS = "/agents/scout/events"
NOBODY = (401, "unauthenticated")


def event(**changes: object) -> str:
    return json.dumps({**json.loads(BODY), **changes})


async def test_a_signed_event_is_accepted(house: House) -> None:
    reply = await house.post(BODY, webhook_id="m/1")

    assert reply.status == 202
    assert reply.body == {
        "id": "m/1",
        "type": "note",
        "duplicate": False,
        "ignored": [],
        "location": "/agents/scout/requests/m%2F1",
    }


async def test_the_location_of_an_event_tells_what_came_of_it(house: House) -> None:
    sent = await house.post(BODY, webhook_id="m/1?x")

    reply = await house.look(str(sent.body["location"]).removeprefix("/agents/scout/"))

    assert reply.status == 200
    assert reply.body["id"] == "m/1?x"
    assert (reply.body["state"], reply.body["exit_code"]) == ("done", 0)


async def test_the_same_id_again_gets_the_first_answer_and_does_nothing(house: House) -> None:
    first = await house.post(BODY, webhook_id="m1")
    second = await house.post(event(type="run.launched", data={"pod_id": "p1"}), webhook_id="m1")

    assert second.status == 202
    assert second.body == {**first.body, "duplicate": True}


async def test_two_agents_may_use_the_same_id(house: House) -> None:
    house.add("other", BOB)
    await house.post(BODY, webhook_id="m1")

    reply = await house.post(BODY, agent="other", webhook_id="m1")

    assert reply.body["duplicate"] is False


async def test_unknown_fields_are_ignored_and_named(house: House) -> None:
    reply = await house.post(event(colour="red", data={"text": "hi", "size": 2}))

    assert reply.status == 202
    assert reply.body["ignored"] == ["colour", "data.size"]


async def test_an_unknown_agent_is_nobody(house: House) -> None:
    assert (await house.post(BODY, agent="stranger")).refusal == NOBODY


@pytest.mark.parametrize("name", ["-", "%00", "SCOUT", "%ff", "a" * 100, "scout%20"])
async def test_a_name_that_no_agent_can_have_is_nobody(house: House, name: str) -> None:
    reply = await house.exchange("POST", f"/agents/{name}/events", signed(BODY, "-", "m1", 0), BODY)

    assert reply.refusal == NOBODY


async def test_every_unauthenticated_request_gets_the_same_answer(house: House) -> None:
    house.do(lambda session: suspend_agents(session, ANN, house.clock.now()))
    suspended = await house.post(BODY)
    unknown = await house.post(BODY, agent="stranger")
    wrong = await house.exchange("POST", EVENTS, signed(BODY + " ", "scout", "m1"), BODY)

    assert suspended.body == unknown.body == wrong.body
    assert suspended.refusal == NOBODY


@pytest.mark.parametrize("header", [0, 1, 2])
@pytest.mark.parametrize("change", ["missing", "doubled", "non-ascii"])
async def test_odd_signature_headers_are_nobody(house: House, header: int, change: str) -> None:
    headers = signed(BODY, "scout", "m1")
    match change:
        case "missing":
            del headers[header]
        case "doubled":
            headers.append(headers[header])
        case _:
            headers[header] = (headers[header][0], headers[header][1] + "é".encode())

    assert (await house.exchange("POST", EVENTS, headers, BODY)).refusal == NOBODY


@pytest.mark.parametrize("off", [timedelta(minutes=-6), timedelta(minutes=6)], ids=["old", "future"])
async def test_a_signature_of_another_time_is_nobodys(house: House, off: timedelta) -> None:
    headers = signed(BODY, "scout", "m1", off=off)

    assert (await house.exchange("POST", EVENTS, headers, BODY)).refusal == NOBODY


async def test_a_signature_of_another_request_is_nobodys(house: House) -> None:
    first, second = signed(BODY, "scout", "m1"), signed(BODY, "scout", "m2")

    assert (await house.exchange("POST", EVENTS, [second[0], *first[1:]], BODY)).refusal == NOBODY


async def test_a_removed_agent_is_nobody(house: House) -> None:
    house.do(lambda session: remove_agent(session, "scout", house.clock.now()))

    assert (await house.post(BODY)).refusal == NOBODY


async def test_an_agent_added_again_under_an_old_name_has_another_secret(house: House) -> None:
    house.do(lambda session: remove_agent(session, "scout", house.clock.now()))
    house.add("scout", BOB)

    assert (await house.post(BODY)).refusal == NOBODY
    reply = await house.exchange("POST", EVENTS, signed(BODY, "scout", "m1", generation=2), BODY)
    assert reply.status == 202


async def test_after_a_rotation_both_secrets_work_for_a_day_and_then_the_new_one_only(house: House) -> None:
    house.do(lambda session: rotate_agent(session, "scout", house.clock.now()))

    async def status(generation: int, webhook_id: str) -> int:
        return (
            await house.exchange("POST", EVENTS, signed(BODY, "scout", webhook_id, generation), BODY)
        ).status

    assert [await status(1, "m1"), await status(2, "m2")] == [202, 202]
    house.clock.advance(hours=24)
    assert [await status(1, "m3"), await status(2, "m4")] == [401, 202]


@pytest.mark.parametrize("rest", ["requests/m1", "provisions/k1", "audit"])
async def test_an_unconfirmed_agent_may_not_even_look(house: House, rest: str) -> None:
    house.add("fresh", BOB, confirmed=False)

    assert (await house.look(rest, agent="fresh")).refusal == (403, "agent_unconfirmed")


async def test_an_unconfirmed_agent_does_nothing(house: House) -> None:
    house.add("fresh", BOB, confirmed=False)

    assert (await house.post(BODY, agent="fresh", webhook_id="m1")).refusal == (403, "agent_unconfirmed")
    assert house.do(lambda session: request_of(session, "fresh", "m1")) is None


@pytest.mark.parametrize("url", ["sqlite:///{folder}/nowhere/x.db", "postgresql://u:secret@127.0.0.1:1/x"])
async def test_without_a_database_nothing_is_taken_and_that_is_said(tmp_path: Path, url: str) -> None:
    missing = Database(url.format(folder=tmp_path))

    reply = await House(missing).post(BODY)

    missing.close()
    assert reply.refusal == (503, "database_unavailable")
    assert "secret" not in json.dumps(reply.body)


async def test_no_secret_and_no_signature_is_in_the_log(house: House) -> None:
    headers = signed(BODY, "scout", "m1", generation=7)
    with structlog.testing.capture_logs() as logged:
        await house.exchange("POST", EVENTS, headers, BODY)
        await house.post(event(type="nonsense"))

    told = json.dumps(logged)
    assert len(logged) == 2
    assert headers[2][1].decode() not in told
    assert "whsec_" not in told
    assert KEY.hex() not in told


async def test_the_last_sign_of_life_of_an_agent_is_written_down(house: House) -> None:
    house.clock.advance(minutes=5)
    await house.post(BODY)

    seen = house.database.read_now(lambda session: agent(session, "scout"))
    assert seen is not None
    assert seen.last_seen_at == house.clock.now()


async def test_an_agent_removed_meanwhile_is_not_let_in_by_memory(house: House) -> None:
    app = house.app()
    assert (await house.exchange("POST", EVENTS, signed(BODY, "scout", "m1"), BODY, app)).status == 202
    house.do(lambda session: remove_agent(session, "scout", house.clock.now()))

    assert (await house.exchange("POST", EVENTS, signed(BODY, "scout", "m2"), BODY, app)).refusal == NOBODY
    assert house.do(lambda session: request_of(session, "scout", "m2")) is None


async def test_an_agent_rotated_meanwhile_is_let_in_by_its_new_secret(house: House) -> None:
    app = house.app()
    await house.exchange("POST", EVENTS, signed(BODY, "scout", "m1"), BODY, app)
    house.do(lambda session: rotate_agent(session, "scout", house.clock.now()))

    headers = signed(BODY, "scout", "m2", generation=2)

    assert (await house.exchange("POST", EVENTS, headers, BODY, app)).status == 202
