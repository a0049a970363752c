"""What the account's API can do wrong as a whole, and single calls that go wrong."""

from datetime import timedelta
from typing import Any

import pytest

from simulator.clock import ManualClock
from simulator.runpod import Fleet, Request, RestApi
from simulator.runpod.account import ApiKey, RateLimits
from simulator.runpod.history import rent
from simulator.runpod.quirks import Quirks
from tests.simulator.runpod.client import H100, ORDER, Client
from tests.simulator.runpod.document import Document


@pytest.fixture
def quirks(api: RestApi) -> Quirks:
    return Quirks(api)


def _names(fleet: Fleet) -> list[str]:
    return [sheet.name for sheet in fleet.truths()]


def test_a_listing_can_be_empty_null_or_a_web_page(client: Client, fleet: Fleet, quirks: Quirks) -> None:
    rent(fleet, "train")
    quirks.account.listing = "empty"
    assert client.json("GET", "/v2/pods") == {"pods": []}
    quirks.account.listing = "null"
    assert client.json("GET", "/v2/pods") == {"pods": None}
    quirks.account.listing = "html"
    answer = client.call("GET", "/v2/pods")

    assert (answer.status, answer.content_type) == (502, "text/html")
    assert answer.text is not None
    assert answer.text.startswith("<html>")


def test_a_listing_can_lack_pods_that_exist(client: Client, fleet: Fleet, quirks: Quirks) -> None:
    there, dropped = rent(fleet, "there"), rent(fleet, "dropped")
    quirks.account.listing_drops = frozenset({dropped.id})

    assert [pod["id"] for pod in client.listed()] == [there.id]
    assert client.pod(dropped)["id"] == dropped.id


def test_a_create_can_answer_500_and_create(client: Client, fleet: Fleet, quirks: Quirks) -> None:
    quirks.create_answers_500(created=True)

    assert client.call("POST", "/v2/pods", ORDER).status == 500
    assert _names(fleet) == ["train"]
    assert client.call("POST", "/v2/pods", ORDER).status == 201


def test_a_create_can_answer_500_and_not_create(client: Client, fleet: Fleet, quirks: Quirks) -> None:
    quirks.create_answers_500(created=False)

    assert client.call("POST", "/v2/pods", ORDER).status == 500
    assert _names(fleet) == []


def test_the_answer_to_a_create_can_be_lost(client: Client, fleet: Fleet, quirks: Quirks) -> None:
    quirks.create_answer_is_lost()

    assert client.call("POST", "/v2/pods", ORDER).cut
    assert _names(fleet) == ["train"]


def test_a_create_without_capacity_says_what_was_recorded(
    client: Client, fleet: Fleet, document: Document
) -> None:
    fleet.catalogue.set_stock(H100, "NONE")
    answer = client.call("POST", "/v2/pods", ORDER)

    assert answer.body == {
        "title": "Bad Request",
        "status": 400,
        "detail": "There are no longer any instances available with the requested specifications. "
        "Please refresh and try again.",
    }
    document.check(*client.said[-1])


def test_capacity_can_be_gone_in_one_data_center_only(client: Client, fleet: Fleet) -> None:
    fleet.catalogue.set_stock(H100, "NONE", "US-KS-2")

    assert client.call("POST", "/v2/pods", {**ORDER, "dataCenterIds": ["US-KS-2"]}).status == 400
    assert client.create(dataCenterIds=["US-KS-2", "EU-RO-1"])["dataCenterId"] == "EU-RO-1"


def test_an_unknown_gpu_reads_as_no_capacity(client: Client) -> None:
    assert client.call("POST", "/v2/pods", {**ORDER, "gpu": {"id": "H100 SXM"}}).status == 400


@pytest.mark.parametrize(
    ("balance", "limit", "words"),
    [(1.0, None, "You need at least $5.98 (current: $1.00"), (None, 5.0, "spending limit ($5/hr)")],
)
def test_money_is_asked_before_a_pod_is_rented(
    balance: float | None,
    limit: float | None,
    words: str,
    client: Client,
    fleet: Fleet,
    clock: ManualClock,
    document: Document,
) -> None:
    fleet.purse.put(balance, clock.now())
    fleet.account.switches.spending_limit = limit
    answer = client.call("POST", "/v2/pods", ORDER)

    assert answer.status == 402
    assert words in str(answer.body)
    assert _names(fleet) == []
    document.check(*client.said[-1])


def test_a_stopped_pod_whose_gpus_were_taken_cannot_start(client: Client, fleet: Fleet) -> None:
    pod = rent(fleet, "train", exited=timedelta(hours=0))
    fleet.catalogue.set_stock(H100, "NONE")
    answer = client.call("POST", f"/v2/pods/{pod.id}/action", {"action": "start"})

    assert answer.status == 400
    assert "not enough free GPUs" in str(answer.body)


def test_the_quota_is_counted_told_and_kept(
    client: Client, fleet: Fleet, clock: ManualClock, document: Document
) -> None:
    fleet.account.switches.rate_limits = RateLimits(minute=3)
    answers = [client.call("GET", "/v2/pods") for _ in range(4)]

    assert [answer.status for answer in answers] == [200, 200, 200, 429]
    assert answers[2].headers["RateLimit"].startswith('"minute";r=0;t=60, "hour";r=2997')
    assert answers[3].headers["Retry-After"] == "60"
    for request, answer in client.said:
        document.check(request, answer)
    clock.advance(timedelta(seconds=60))
    assert client.call("GET", "/v2/pods").status == 200


def test_other_peoples_scripts_use_up_the_quota(client: Client, quirks: Quirks) -> None:
    quirks.others_call(60)

    assert client.call("GET", "/v2/pods").status == 429


def test_a_terminate_that_was_not_let_through_was_asked_for_all_the_same(
    client: Client, fleet: Fleet, quirks: Quirks
) -> None:
    pod = rent(fleet, "train")
    quirks.too_many_requests()
    client.call("DELETE", f"/v2/pods/{pod.id}")

    assert [(call.pod_id, call.status) for call in fleet.calls.terminates()] == [(pod.id, 429)]


def test_a_date_header_tells_the_simulated_time_or_a_wrong_one(client: Client, quirks: Quirks) -> None:
    assert client.call("GET", "/v2/pods").headers["Date"] == "Mon, 30 Nov 2026 12:00:00 GMT"
    quirks.clock_is_off(timedelta(minutes=-3))
    assert client.call("GET", "/v2/pods").headers["Date"] == "Mon, 30 Nov 2026 11:57:00 GMT"


def test_a_provider_that_is_down_answers_nothing_and_does_nothing(
    client: Client, fleet: Fleet, quirks: Quirks
) -> None:
    quirks.account.down = True

    assert client.call("POST", "/v2/pods", ORDER).cut
    assert _names(fleet) == []


@pytest.mark.parametrize(
    ("headers", "detail"),
    [({}, "missing bearer token"), ({"authorization": "Bearer nobody"}, "invalid bearer token")],
)
def test_a_missing_or_wrong_key_is_a_401(
    headers: dict[str, str], detail: str, api: RestApi, document: Document
) -> None:
    request = Request("GET", "/v2/pods", headers={"user-agent": "test", **headers})
    answer = api.handle(request)

    assert answer.body == {"title": "Unauthorized", "status": 401, "detail": detail}
    document.check_answer(request, answer)


def test_a_key_that_may_only_read_gets_a_403(client: Client, fleet: Fleet, document: Document) -> None:
    fleet.account.keys = {"rpa_reader": ApiKey("reader", read_only=True)}

    assert client.call("GET", "/v2/pods").status == 200
    assert client.call("POST", "/v2/pods", ORDER).status == 403
    document.check(*client.said[-1])


def test_a_lost_scope_sees_no_pods_and_404s(client: Client, fleet: Fleet) -> None:
    pod = rent(fleet, "train")
    fleet.account.keys = {"rpa_scopeless": ApiKey("bot", sees_pods=False)}

    assert client.listed() == []
    assert client.call("GET", f"/v2/pods/{pod.id}").status == 404


@pytest.mark.parametrize(("team", "sees"), [("team_1", 1), ("team_2", 0), (None, 0)])
def test_without_its_team_a_call_sees_no_pods(
    team: str | None, sees: int, api: RestApi, fleet: Fleet
) -> None:
    rent(fleet, "train")
    fleet.account.switches.team_id = "team_1"
    request = Request.by(fleet.account.first_key(), "GET", "/v2/pods")
    headers = {**request.headers, **({"x-team-id": team} if team else {})}
    body: Any = api.handle(Request("GET", "/v2/pods", headers=headers)).body

    assert len(body["pods"]) == sees


def test_a_bare_user_agent_is_turned_away_at_the_door(api: RestApi, fleet: Fleet) -> None:
    bearer = {"authorization": f"Bearer {fleet.account.first_key()}"}
    for agent in ({}, {"user-agent": "Python-urllib/3.11"}):
        answer = api.handle(Request("GET", "/v2/pods", headers=bearer | agent))
        assert (answer.status, answer.text) == (403, "error code: 1010")


def test_faults_are_used_up_one_by_one_and_by_path(client: Client, quirks: Quirks) -> None:
    quirks.answer("GET", "^/v2/pods$", status=503, times=2)
    quirks.html_502(path="ssh-keys$")

    assert client.call("GET", "/v2/catalog/gpus").status == 200
    assert [client.call("GET", "/v2/pods").status for _ in range(3)] == [503, 503, 200]
    assert client.call("GET", "/v2/account/ssh-keys").content_type == "text/html"


def test_a_terminate_can_be_answered_wrongly_call_by_call(
    client: Client, fleet: Fleet, quirks: Quirks
) -> None:
    pod = rent(fleet, "train")
    quirks.terminate_answers(404)
    quirks.terminate_answers(500, ended=True)

    assert client.call("DELETE", f"/v2/pods/{pod.id}").status == 404
    assert fleet.truth(pod.id).ended_at is None
    assert client.call("DELETE", f"/v2/pods/{pod.id}").status == 500
    assert fleet.truth(pod.id).ended_call == 2


def test_all_can_be_well_again(client: Client, fleet: Fleet, quirks: Quirks) -> None:
    quirks.account.listing = "html"
    quirks.no_answer(times=5)
    quirks.every_pod(stuck_in="RUNNING")
    quirks.clear()

    assert client.call("GET", "/v2/pods").status == 200
    assert fleet.plans.default.stuck_in is None


def test_reads_need_not_be_kept_in_the_log(client: Client, fleet: Fleet) -> None:
    fleet.calls.keeps_reads = False
    client.call("GET", "/v2/pods")
    client.create()

    assert [(call.number, call.operation) for call in fleet.calls] == [(2, "create")]
