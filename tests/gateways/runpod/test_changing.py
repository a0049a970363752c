"""Calls that change something: sent once, and never told better or worse than they went."""

from dataclasses import replace

import aiohttp
import pytest

from gateways.runpod.budget import Budget
from gateways.runpod.client import RestRunPod, connected
from gateways.runpod.errors import (
    AnswerUnknown,
    Cannot,
    NotFound,
    RateLimited,
    RefusalReason,
    Refused,
    Unauthorized,
    Unreachable,
)
from gateways.runpod.wire import Login
from pods.snapshot import Snapshot, Unreadable
from pods.warrant import Act, Warrant, issue_warrant

HTML = b"<html>bad gateway</html>"
NO_CAPACITY = [
    "There are no longer any instances available with the requested specifications. Please refresh and try"
    " again.",
    "There are no longer any instances available with the request specifications. Please try again later.",
    "There are no longer any instances available with enough disk space.",
    "create pod: There are no instances currently available.",
    "This machine does not have the resources to deploy your pod. Please try a different machine",
    "could not find any pods with required specifications",
    "There are not enough free GPUs on the host machine to start this pod.",
]
OVER_LIMIT = "INSUFFICIENT_BALANCE: Renting this pod would put you over your current spending limit ($80/hr)"


def warrant(
    act: Act = Act.TERMINATE, *, pod_id: str = "p1", deed_id: str = "d1", fencing: int = 1
) -> Warrant:
    return issue_warrant(act, pod_id=pod_id, deed_id=deed_id, fencing=fencing)


async def test_a_created_pod_is_answered_as_a_snapshot(runpod, provider, answer, pod, order):
    provider.will_answer(answer(201, pod | {"status": "PROVISIONING", "runtime": None}))

    created = await runpod.create(order())

    assert isinstance(created, Snapshot)
    assert created.create_mark == "token-1"
    assert (provider.asked[0].method, provider.asked[0].path) == ("POST", "/v2/pods")


async def test_a_created_pod_that_cannot_be_read_is_still_named(runpod, provider, answer, order):
    provider.will_answer(answer(201, {"id": "new1"}))

    assert await runpod.create(order()) == Unreadable("new1", "its status is none that RunPod documents")


@pytest.mark.parametrize("body", [b"", b"null", b"{}", b'{"id": null}', b'{"id": "../x"}', HTML])
async def test_a_yes_without_a_pod_is_an_unknown_answer(runpod, provider, answer, order, body):
    provider.will_answer(answer(201, body))

    with pytest.raises(AnswerUnknown):
        await runpod.create(order())


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (500, b'{"status": 500, "detail": "boom"}'),
        (502, HTML),
        (504, b""),
        (403, HTML),
        (404, HTML),
        (302, b""),
    ],
)
async def test_a_create_that_was_answered_by_no_clear_no_may_have_created(
    runpod, provider, answer, order, status, body
):
    provider.will_answer(answer(status, body))

    with pytest.raises(AnswerUnknown):
        await runpod.create(order())

    assert len(provider.asked) == 1


async def test_a_create_whose_answer_is_lost_is_not_sent_again(runpod, provider, answer, order):
    provider.will_answer(answer(hang_up=True))

    with pytest.raises(AnswerUnknown):
        await runpod.create(order())

    assert len(provider.asked) == 1


@pytest.fixture
def impatient(runpod) -> RestRunPod:
    return RestRunPod(replace(runpod.wire, timeout=aiohttp.ClientTimeout(total=0.05)))


async def test_a_create_that_is_answered_too_late_may_have_created(impatient, provider, answer, order):
    provider.will_answer(answer(silent=True))

    with pytest.raises(AnswerUnknown):
        await impatient.create(order())

    assert len(provider.asked) == 1


async def test_a_question_that_is_answered_too_late_is_unanswered(impatient, provider, answer):
    provider.will_answer(answer(silent=True))

    with pytest.raises(Unreachable):
        await impatient.get_pod("p1")


async def test_a_create_that_never_left_has_created_nothing(clock, order, unused_tcp_port):
    login = Login(f"http://127.0.0.1:{unused_tcp_port}", "rpa_key")
    async with connected(login, clock, Budget(clock)) as runpod:
        with pytest.raises(Unreachable):
            await runpod.create(order())


@pytest.mark.parametrize("words", NO_CAPACITY)
async def test_every_recorded_text_of_no_capacity_is_understood(runpod, provider, order, words):
    provider.will_refuse(400, words)

    with pytest.raises(Refused) as caught:
        await runpod.create(order())

    assert caught.value.reason is RefusalReason.NO_CAPACITY
    assert words.rstrip(".") in caught.value.sentence
    assert not caught.value.sentence.endswith(".")


@pytest.mark.parametrize(
    ("status", "words", "reason"),
    [
        (402, "insufficient balance", RefusalReason.BALANCE),
        (402, "something new about money", RefusalReason.BALANCE),
        (400, "You need at least $3.59 (current: $3.01, deficit: $0.58).", RefusalReason.BALANCE),
        (402, OVER_LIMIT, RefusalReason.SPENDING_LIMIT),
        (400, OVER_LIMIT, RefusalReason.SPENDING_LIMIT),
        (400, "mounts: persistent and network exclude each other", RefusalReason.PROVIDER),
        (403, "your account cannot access the requested pool", RefusalReason.PROVIDER),
        (409, "conflict", RefusalReason.PROVIDER),
        (404, "template not found", RefusalReason.INVALID),
        (422, "validation failed", RefusalReason.INVALID),
    ],
)
async def test_a_refused_create_says_why(runpod, provider, order, status, words, reason):
    provider.will_refuse(status, words)

    with pytest.raises(Refused) as caught:
        await runpod.create(order())

    assert caught.value.reason is reason
    assert words.rstrip(".") in caught.value.sentence
    assert len(provider.asked) == 1


async def test_a_rejected_order_names_each_violation(runpod, provider, order):
    provider.will_refuse(422, "validation failed", errors=["$.gpu: count must be >= 1", 7])

    with pytest.raises(Refused, match=r"\$\.gpu: count must be >= 1"):
        await runpod.create(order())


async def test_a_create_without_a_good_key_or_over_the_rate_has_created_nothing(
    runpod, provider, answer, order
):
    provider.will_answer(
        answer(401, {"status": 401}), answer(429, {"status": 429}, headers={"Retry-After": "12"})
    )

    with pytest.raises(Unauthorized):
        await runpod.create(order())
    with pytest.raises(RateLimited):
        await runpod.create(order())

    assert len(provider.asked) == 2


async def test_a_terminate_deletes_the_pod_of_its_warrant(runpod, provider, answer):
    provider.will_answer(answer(204))

    await runpod.terminate(warrant(pod_id="p7"))

    assert [(asked.method, asked.path) for asked in provider.asked] == [("DELETE", "/v2/pods/p7")]


async def test_a_stop_is_an_action_on_the_pod_of_its_warrant(runpod, provider, answer, pod):
    provider.will_answer(answer(200, pod))

    await runpod.stop(warrant(Act.STOP, pod_id="p7"))

    assert [(a.method, a.path, a.body) for a in provider.asked] == [
        ("POST", "/v2/pods/p7/action", {"action": "stop"})
    ]


async def test_a_start_needs_no_warrant(runpod, provider, answer, pod):
    provider.will_answer(answer(200, pod))

    await runpod.start("p7")

    assert provider.asked[0].body == {"action": "start"}


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (409, Cannot),
        (403, Cannot),
        (404, NotFound),
        (401, Unauthorized),
        (429, RateLimited),
        (400, Refused),
        (402, Refused),
        (422, Refused),
        (500, AnswerUnknown),
    ],
)
@pytest.mark.parametrize("act", ["terminate", "stop", "start"])
async def test_an_act_that_was_not_done_says_how(runpod, provider, act, status, error):
    provider.will_refuse(status, "some words")
    given = "p1" if act == "start" else warrant(Act(act))

    with pytest.raises(error):
        await getattr(runpod, act)(given)

    assert len(provider.asked) == 1


@pytest.mark.parametrize(
    ("status", "body"), [(200, HTML), (403, HTML), (404, HTML), (502, HTML), (404, b"{}")]
)
async def test_a_terminate_that_somebody_else_answered_is_unknown(runpod, provider, answer, status, body):
    provider.will_answer(answer(status, body))

    with pytest.raises(AnswerUnknown):
        await runpod.terminate(warrant())


async def test_a_terminate_whose_answer_is_lost_is_not_sent_again(runpod, provider, answer):
    provider.will_answer(answer(hang_up=True))

    with pytest.raises(AnswerUnknown):
        await runpod.terminate(warrant())

    assert len(provider.asked) == 1


def test_the_key_is_not_shown():
    assert "rpa_key" not in repr(Login("https://api.example", "rpa_key"))


async def test_the_call_is_counted_by_its_outcome(runpod, provider, answer, outcomes):
    provider.will_answer(answer(204), answer(409, {"status": 409}))

    await runpod.terminate(warrant())
    with pytest.raises(Cannot):
        await runpod.terminate(warrant(fencing=2))

    assert outcomes == ["ok", "Cannot"]


async def test_a_session_of_ours_is_closed_at_the_end(clock):
    async with connected(Login("http://127.0.0.1:1", "k"), clock, Budget(clock)) as runpod:
        session: aiohttp.ClientSession = runpod.wire.session
        assert not session.closed

    assert session.closed
