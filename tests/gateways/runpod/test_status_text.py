"""The second witness: asked by the runpod package, and never trusted to answer."""

import json
import logging
import subprocess
import sys

import pytest

from gateways.runpod.budget import Budget
from gateways.runpod.status_text import QUERY, Lost, StatusTexts, StatusTextWitness
from gateways.runpod.wire import Login

EXITED = "Exited by user: Thu Jul 16 2026 16:32:26 GMT+0000 (Coordinated Universal Time)"

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def witness(provider, clock) -> StatusTextWitness:
    return StatusTextWitness(Login(provider.url, "rpa_key"), clock, Budget(clock))


def pods(*entries: object) -> dict[str, object]:
    return {"data": {"myself": {"pods": list(entries)}}}


async def test_every_text_comes_to_the_letter_by_its_pods_id(witness, provider, answer, clock):
    provider.will_answer(answer(200, pods({"id": "p1", "lastStatusChange": EXITED})))

    assert await witness.texts({"p1"}) == StatusTexts(clock.now(), {"p1": EXITED})
    [asked] = provider.asked
    assert (asked.path, asked.body) == ("/graphql", {"query": QUERY})
    assert asked.headers["Authorization"] == "Bearer rpa_key"


@pytest.mark.parametrize("odd", [None, "", "  ", 7, {}, ["x"]])
async def test_a_pod_without_a_text_is_left_out(witness, provider, answer, odd):
    provider.will_answer(
        answer(200, pods({"id": "p1", "lastStatusChange": odd}, {"id": "p2", "lastStatusChange": EXITED}))
    )

    told = await witness.texts({"p1"})

    assert isinstance(told, StatusTexts)
    assert told.texts == {"p2": EXITED}


@pytest.mark.parametrize("entry", [None, 7, [], {}, {"id": None}, {"id": "../x"}])
async def test_an_odd_entry_is_left_out(witness, provider, answer, entry):
    provider.will_answer(answer(200, pods(entry, {"id": "p1", "lastStatusChange": EXITED})))

    told = await witness.texts({"p1"})

    assert isinstance(told, StatusTexts)
    assert told.texts == {"p1": EXITED}


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, b"<html>"),
        (502, b"<html>bad gateway</html>"),
        (403, b"error code: 1010"),
        (200, b"null"),
        (200, b"[]"),
        (200, b'{"errors": []}'),
        (200, b'{"errors": null}'),
        (200, b'{"errors": [{"message": "boom"}], "data": {"myself": {"pods": []}}}'),
        (429, b'{"detail": "slow down"}'),
        (401, b"{}"),
        (200, b'{"data": null}'),
    ],
)
async def test_whatever_odd_comes_is_a_sentence_and_no_exception(witness, provider, answer, status, body):
    provider.will_answer(answer(status, body))

    lost = await witness.texts({"p1"})

    assert isinstance(lost, Lost)
    assert "older API" in lost.sentence
    assert "rpa_key" not in lost.sentence
    assert witness.off is None


async def test_a_lost_connection_is_a_sentence(witness, provider, answer):
    provider.will_answer(answer(hang_up=True))

    assert isinstance(await witness.texts({"p1"}), Lost)


async def test_even_an_exit_of_the_package_is_a_sentence(witness, provider, answer, monkeypatch):
    import runpod.api.graphql

    def leave(*_arguments):
        raise SystemExit(3)

    monkeypatch.setattr(runpod.api.graphql, "run_graphql_query", leave)
    provider.will_answer(answer(200, pods()))

    assert isinstance(await witness.texts({"p1"}), Lost)


@pytest.mark.parametrize("body", [b'{"detail": "gone"}', b"<html>gone</html>", b""])
async def test_a_retired_api_is_told_once_and_never_asked_again(witness, provider, answer, body, capsys):
    provider.will_answer(answer(410, body))

    first = await witness.texts({"p1"})
    calls = len(provider.asked)
    second = await witness.texts({"p1"})

    assert first == second == Lost("RunPod has retired its older API: exit times are our own observation now")
    assert len(provider.asked) == calls
    assert capsys.readouterr().out.count("status_text_witness_off") == 1


@pytest.mark.parametrize(
    "blind", [{"data": {"myself": None}}, pods(), pods({"id": "theirs", "lastStatusChange": "x"})]
)
async def test_a_key_that_cannot_see_the_team_falls_silent_at_the_second_time(
    witness, provider, answer, blind
):
    provider.will_answer(answer(200, blind))

    assert isinstance(await witness.texts({"p1"}), Lost)
    assert witness.off is None
    assert isinstance(await witness.texts({"p1"}), Lost)
    assert witness.off is not None


async def test_one_blind_answer_between_good_ones_is_forgiven(witness, provider, answer):
    good, blind = answer(200, pods({"id": "p1", "lastStatusChange": EXITED})), answer(200, pods())
    provider.will_answer(blind, good, blind, good)

    for _ in range(4):
        await witness.texts({"p1"})

    assert witness.off is None


async def test_an_empty_account_is_not_blindness(witness, provider, answer, clock):
    provider.will_answer(answer(200, pods()))

    for _ in range(3):
        assert await witness.texts(set()) == StatusTexts(clock.now(), {})


async def test_the_witness_keeps_to_the_budget(provider, clock, answer):
    budget = Budget(clock)
    witness = StatusTextWitness(Login(provider.url, "rpa_key"), clock, budget)
    budget.heed('"day";r=0;t=45012')

    assert isinstance(await witness.texts({"p1"}), Lost)
    assert provider.asked == []


def test_nothing_is_ever_filled_into_the_query():
    assert "%" not in QUERY
    assert "{}" not in QUERY
    assert QUERY.count("{") == QUERY.count("}") == 3


def test_the_package_is_imported_late_and_leaves_the_root_logger_alone():
    script = """
import asyncio, json, logging, sys
from gateways.runpod.budget import Budget
from gateways.runpod.status_text import StatusTextWitness
from gateways.runpod.wire import Login
from gateways.wall import clock_of
clock = clock_of("system")
early = "runpod" in sys.modules
asyncio.run(StatusTextWitness(Login("http://127.0.0.1:1", "k"), clock, Budget(clock)).texts({"p1"}))
root = logging.getLogger()
print(json.dumps([early, "runpod" in sys.modules, len(root.handlers), root.level]))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=50
    )

    assert json.loads(done.stdout.splitlines()[-1]) == [False, True, 0, logging.WARNING]
