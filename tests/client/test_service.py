"""The client and a service that refuses, stumbles, restarts or is not there."""

import json
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from bot.agents.problems import STATUS
from bot.client.address import Address
from bot.client.ending import Ending
from bot.client.service import CODES, PATIENCE_S, Service
from bot.client.wire import Wire
from pods.exit_codes import ExitCode
from tests.client.scripted import SECRET, Asked, Reply, Script, in_turn, problem, serving


@dataclass
class Hourglass:
    """Waits that take no time; what was waited is added up."""

    waited: float = 0
    pauses: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.waited += seconds
        self.pauses.append(seconds)

    def monotonic(self) -> float:
        return self.waited


@dataclass
class Bench:
    """A service to talk to, what it told people, and how long it waited."""

    service: Service
    said: list[str]
    glass: Hourglass
    asked: list[Asked]


def with_service(script: Script, work: Callable[[Bench], None]) -> None:
    with serving(script) as running:
        host, port = running.url.removeprefix("http://").split(":")
        address = Address(host, int(port), tls=False, path="", agent="scout", secret=SECRET)
        said: list[str] = []
        glass = Hourglass()
        service = Service(Wire(address), said.append, glass.sleep, glass.monotonic)
        work(Bench(service, said, glass, running.asked))


LOST = Reply(hang_up=True)
FINE = Reply(202, {"id": "m1"})


def test_an_event_goes_out_signed_with_its_type_its_time_and_its_data() -> None:
    def work(bench: Bench) -> None:
        answer = bench.service.send("note", {"text": "hello"}, "m1")

        [asked] = bench.asked
        assert answer == {"id": "m1"}
        assert (asked.method, asked.target, asked.webhook_id) == ("POST", "/agents/scout/events", "m1")
        assert asked.body is not None
        assert asked.body["type"] == "note"
        assert asked.body["data"] == {"text": "hello"}
        assert str(asked.body["timestamp"]).endswith("+00:00")

    with_service(in_turn(FINE), work)


def test_a_look_signs_its_request_target() -> None:
    def work(bench: Bench) -> None:
        bench.service.look("audit?pod=a%20b")

        assert bench.asked[0].target == "/agents/scout/audit?pod=a%20b"

    with_service(in_turn(Reply(200, {})), work)


EXPECTED = {
    "bad_json": 2,
    "unauthenticated": 77,
    "forbidden": 77,
    "agent_unconfirmed": 77,
    "not_found": 2,
    "method_not_allowed": 2,
    "name_in_use": 2,
    "ambiguous": 2,
    "too_large": 2,
    "invalid": 2,
    "paused": 77,
    "rate_limited": 75,
    "over_limit": 77,
    "provider_unreachable": 75,
    "database_unavailable": 75,
    "our_fault": 75,
}


@pytest.mark.parametrize(("code", "status"), STATUS.items())
def test_each_refusal_of_the_service_has_its_exit_code(code: str, status: int) -> None:
    def work(bench: Bench) -> None:
        with pytest.raises(Ending, match="Because") as ended:
            bench.service.send("note", {}, "m1")

        assert ended.value.code == EXPECTED[code]

    with_service(in_turn(problem(status, code)), work)


def test_every_code_of_the_service_is_known_to_the_client() -> None:
    assert {str(code) for code in STATUS} == set(CODES)


def test_a_refusal_names_the_field_and_lists_what_else_could_be_meant() -> None:
    def work(bench: Bench) -> None:
        with pytest.raises(Ending, match=r"data\.gpu") as ended:
            bench.service.send("pod.provision", {}, "m1")

        assert ended.value.matches == ("H100 PCIe", "H100 SXM")

    reply = problem(422, "invalid", field="data.gpu", matches=["H100 PCIe", "H100 SXM"])
    with_service(in_turn(reply), work)


def test_an_answer_that_got_lost_is_asked_for_again_with_the_same_id() -> None:
    def work(bench: Bench) -> None:
        bench.service.send("pod.terminate", {"pod_id": "p"}, "m1")

        assert [asked.webhook_id for asked in bench.asked] == ["m1", "m1", "m1"]
        assert json.dumps(bench.asked[0].body) == json.dumps(bench.asked[2].body)

    with_service(in_turn(LOST, LOST, FINE), work)


@pytest.mark.parametrize(
    "page", [Reply(502, b"<html>"), Reply(500, {"error": "x"}), Reply(302, b""), Reply(200, b"x")]
)
def test_what_answers_in_the_services_place_for_a_while_is_waited_out(page: Reply) -> None:
    def work(bench: Bench) -> None:
        bench.service.look("audit")
        assert bench.service.look("audit") == {"pods": []}
        assert bench.said[0].startswith("The service does not answer")

    with_service(in_turn(Reply(200, {}), page, Reply(200, {"pods": []})), work)


@pytest.mark.parametrize("status", [502, 503, 504])
def test_a_proxy_that_cannot_reach_the_service_is_waited_out_from_the_start(status: int) -> None:
    def work(bench: Bench) -> None:
        assert bench.service.look("audit") == {"pods": []}

    with_service(in_turn(Reply(status, b"<html>"), Reply(200, {"pods": []})), work)


@pytest.mark.parametrize(
    ("page", "said"),
    [
        (Reply(404, b"<html>"), "it answered 404 Not Found"),
        (Reply(301, b"", {"Location": "https://x/"}), "it answered 301 Moved Permanently, to https://x/"),
        (Reply(200, b"welcome"), "it answered 200 OK"),
        (Reply(401, {"message": "who are you?"}), "it answered 401 Unauthorized"),
        (Reply(404, {"code": 404, "title": "nothing"}), "it answered 404 Not Found"),
        (Reply(404, {"code": "nothing"}), "it answered 404 Not Found"),
        (Reply(500, {"error": "x"}), "it answered 500 Internal Server Error"),
    ],
)
def test_somebody_else_at_the_address_is_75_at_once_and_is_told_of(page: Reply, said: str) -> None:
    def work(bench: Bench) -> None:
        with pytest.raises(Ending, match=r"PODKEEPER_URL \(http://127\.0\.0\.1:\d+\)") as ended:
            bench.service.look("audit")

        assert ended.value.code is ExitCode.UNREACHABLE
        assert ended.value.sentence.endswith(f"is no Podkeeper: {said}.")
        assert bench.glass.waited == 0

    with_service(in_turn(page), work)


def test_what_does_not_speak_http_is_75_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        answering = threading.Thread(target=_greets, args=(server,))
        answering.start()
        glass = Hourglass()
        here = Address("127.0.0.1", server.getsockname()[1], tls=False, path="", agent="scout", secret=SECRET)
        with pytest.raises(Ending, match="it does not speak HTTP") as ended:
            Service(Wire(here), lambda _: None, glass.sleep, glass.monotonic).look("audit")
        answering.join()

    assert (ended.value.code, glass.waited) == (ExitCode.UNREACHABLE, 0)


def _greets(server: socket.socket) -> None:
    connection, _ = server.accept()
    with connection:
        connection.sendall(b"SSH-2.0-x\r\n")
        connection.recv(65536)


def test_a_service_that_stays_away_is_waited_for_five_minutes_and_then_it_is_75() -> None:
    def work(bench: Bench) -> None:
        with pytest.raises(Ending) as ended:
            bench.service.look("audit")

        assert ended.value.code is ExitCode.UNREACHABLE
        assert bench.glass.waited == pytest.approx(PATIENCE_S, abs=2)

    with_service(in_turn(LOST), work)


def test_a_service_that_was_never_there_is_75_at_once() -> None:
    glass = Hourglass()
    nobody = Address("127.0.0.1", 1, tls=False, path="", agent="scout", secret=SECRET)
    service = Service(Wire(nobody), lambda _: None, glass.sleep, glass.monotonic)

    with pytest.raises(Ending, match="PODKEEPER_URL") as ended:
        service.look("audit")

    assert ended.value.code is ExitCode.UNREACHABLE
    assert glass.waited == 0


def test_a_database_that_is_away_for_a_moment_is_waited_for_once_the_service_was_heard() -> None:
    def work(bench: Bench) -> None:
        bench.service.look("provisions/x")

        assert bench.service.look("provisions/x") == {"stage": "creating"}

    away = problem(503, "database_unavailable")
    with_service(in_turn(Reply(200, {}), away, away, Reply(200, {"stage": "creating"})), work)


def test_an_event_that_meets_a_missing_database_is_75_at_once() -> None:
    def work(bench: Bench) -> None:
        bench.service.look("audit")
        with pytest.raises(Ending) as ended:
            bench.service.send("note", {}, "m1")

        assert ended.value.code is ExitCode.UNREACHABLE
        assert bench.glass.waited == 0

    with_service(in_turn(Reply(200, {}), problem(503, "database_unavailable")), work)


def test_who_sent_too_much_waits_as_long_as_told_and_sends_the_same_again() -> None:
    def work(bench: Bench) -> None:
        bench.service.send("note", {}, "m1")

        assert bench.glass.pauses == [7]
        assert [asked.webhook_id for asked in bench.asked] == ["m1", "m1"]

    too_much = problem(429, "rate_limited")
    with_service(in_turn(Reply(429, too_much.body, {"Retry-After": "7"}), FINE), work)


def test_who_still_sends_too_much_after_waiting_ends_with_75() -> None:
    def work(bench: Bench) -> None:
        with pytest.raises(Ending) as ended:
            bench.service.send("note", {}, "m1")

        assert ended.value.code is ExitCode.UNREACHABLE
        assert len(bench.asked) == 4

    with_service(in_turn(problem(429, "rate_limited")), work)


def test_over_a_limit_is_not_tried_again() -> None:
    def work(bench: Bench) -> None:
        with pytest.raises(Ending) as ended:
            bench.service.send("pod.provision", {}, "m1")

        assert ended.value.code is ExitCode.REFUSED
        assert len(bench.asked) == 1

    with_service(in_turn(problem(429, "over_limit")), work)


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_a"])
def test_what_is_no_secret_is_wrong_usage(secret: str) -> None:
    with pytest.raises(Ending, match="PODKEEPER_AGENT_SECRET") as ended:
        Wire(Address("127.0.0.1", 1, tls=False, path="", agent="scout", secret=secret))

    assert ended.value.code is ExitCode.USAGE
