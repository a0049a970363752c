"""An agent's power to end pods: what its own provisions made; all else is its owner's to say."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlmodel import col

from pods.guards import Path
from pods.ids import PodId, UserId
from pods.ownership import Claim, ClaimSource, Give
from storage.claim import say
from storage.deed import DeedRow
from storage.keep import Keep, KeepRow, give_keep
from storage.outbox import Letter, send
from storage.pod import mark_gone
from storage.provision_asks import set_head_message
from storage.question import QuestionRow
from storage.rows import change
from storage.switch import Switch, set_switch
from tests.agents.house import ADMIN, ANN, BOB, House, letters, recorded, rows
from tests.agents.pods import pod

DONE, WORKING, ASKED = ("done", 0), ("working", None), ("asked", 76)


async def test_a_pod_of_the_agents_own_provision_becomes_a_deed_for_the_executor(house: House) -> None:
    provision = house.launched("p1")

    sent = await house.send("pod.terminate", webhook_id="m1", pod_id="p1", reason="finished")

    assert await house.came_of(sent) == WORKING
    [deed] = rows(house, DeedRow)
    assert (deed.path, deed.pod_id, deed.actor, deed.owner) == (Path.AGENT, "p1", "agent:scout", ANN)
    assert (deed.agent, deed.provision_id, deed.reason) == ("scout", provision, "finished")
    assert ("agent:scout", "deed.intended", "p1") in recorded(house)
    assert house.woken == ["executor"]


async def test_asking_twice_makes_one_deed_and_both_requests_tell_of_it(house: House) -> None:
    house.launched("p1")
    sent = [await house.send("pod.terminate", pod_id="p1") for _ in range(2)]

    assert len(rows(house, DeedRow)) == 1
    assert [await house.came_of(each) for each in sent] == [WORKING, WORKING]


async def test_asking_at_the_same_moment_makes_one_deed_and_all_requests_tell_of_it(house: House) -> None:
    house.launched("p1")

    sent = await asyncio.gather(*(house.send("pod.terminate", pod_id="p1") for _ in range(8)))

    assert len(rows(house, DeedRow)) == 1
    assert [await house.came_of(each) for each in sent] == [WORKING] * 8


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("acting", WORKING),
        ("confirming", WORKING),
        ("done", DONE),
        ("refused", ("refused", 77)),
        ("undone", ("refused", 77)),
        ("failed", ("chasing", 70)),
    ],
)
async def test_a_request_tells_what_became_of_its_deed(
    house: House, state: str, expected: tuple[str, int | None]
) -> None:
    house.launched("p1")
    sent = await house.send("pod.terminate", pod_id="p1")

    house.do(
        lambda session: change(session, DeedRow, col(DeedRow.pod_id) == "p1", state=state, outcome="so it is")
    )

    assert await house.came_of(sent) == expected


async def test_a_deed_that_takes_longer_than_the_wait_is_being_chased(house: House) -> None:
    house.launched("p1")
    sent = await house.send("pod.terminate", pod_id="p1")

    house.clock.advance(minutes=2)

    assert await house.came_of(sent) == ("chasing", 70)


async def test_a_pod_that_is_gone_already_is_success(house: House) -> None:
    house.launched("p1")
    house.do(lambda session: mark_gone(session, [PodId("p1")], house.clock.now(), "ended elsewhere"))

    assert await house.came_of(await house.send("pod.terminate", pod_id="p1")) == DONE
    assert rows(house, DeedRow) == []


async def test_a_pod_that_nobody_ever_heard_of_is_not_found_with_what_is_like_it(house: House) -> None:
    house.list_pods(pod("p12345"), pod("q9"))

    reply = await house.send("pod.terminate", pod_id="p1234")

    assert reply.refusal == (404, "not_found")
    assert reply.body["matches"] == ["p12345 p12345-at-runpod"]


async def test_a_mistyped_short_name_is_answered_with_the_pod_of_that_name(house: House) -> None:
    for n in range(8):
        house.launched(f"0abc{n}xyz", name=f"p-{n}")

    reply = await house.send("pod.terminate", pod_id="P-22")

    assert reply.refusal == (404, "not_found")
    assert reply.body["matches"] == ["0abc2xyz 0abc2xyz-at-runpod"]


async def test_a_pod_is_ended_by_its_id_and_never_by_its_name(house: House) -> None:
    house.launched("p1", name="train")

    assert (await house.send("pod.terminate", pod_id="train")).refusal == (404, "not_found")
    assert (await house.send("pod.terminate", pod_id="p1-at-runpod")).refusal == (404, "not_found")
    assert rows(house, DeedRow) == []


def of_another_agent(house: House) -> None:
    house.launched("p1", agent="other")


def asked_for_in_slack(house: House) -> None:
    house.launched("p1", agent=None)


def of_another_owner(house: House) -> None:
    house.launched("p1", owner=BOB)


def given_away(house: House) -> None:
    house.launched("p1")
    gift = Give(PodId("p1"), UserId(ANN), UserId(BOB), house.clock.now())
    house.do(lambda session: say(session, gift))


def claimed_only(house: House) -> None:
    house.list_pods(pod("p1"))
    claim = Claim(PodId("p1"), UserId(ANN), house.clock.now(), ClaimSource.AGENT)
    house.do(lambda session: say(session, claim))


def kept(house: House) -> None:
    house.launched("p1")
    now = house.clock.now()
    given = Keep("k1", "p1", ANN, "person", now, now + timedelta(days=1))
    house.do(lambda session: give_keep(session, given))


def kept_unreadably(house: House) -> None:
    house.launched("p1")
    given = Keep("k1", "p1", ANN, "person", house.clock.now(), None)
    house.do(lambda session: give_keep(session, given))


@pytest.mark.parametrize(
    ("how", "asked"),
    [
        (of_another_agent, ANN),
        (asked_for_in_slack, ANN),
        (of_another_owner, BOB),
        (given_away, BOB),
        (claimed_only, ANN),
        (kept, ANN),
        (kept_unreadably, ANN),
    ],
)
async def test_every_other_pod_becomes_a_question_to_its_owner(house: House, how, asked: str) -> None:
    how(house)

    sent = await house.send("pod.terminate", pod_id="p1")

    assert await house.came_of(sent) == ASKED
    assert rows(house, DeedRow) == []
    [question] = rows(house, QuestionRow)
    assert (question.asked, question.asked_by, question.state) == (asked, "agent:scout", "open")
    [card] = letters(house, "card")
    assert (card.target, card.refs) == (asked, {"question": question.id})


async def test_asking_again_while_the_question_is_open_sends_no_second_card(house: House) -> None:
    claimed_only(house)
    sent = [await house.send("pod.terminate", pod_id="p1") for _ in range(3)]

    assert [await house.came_of(each) for each in sent] == [ASKED] * 3
    assert len(rows(house, QuestionRow)) == len(letters(house, "card")) == 1


async def test_above_the_limit_of_a_day_the_owner_is_asked(house: House) -> None:
    for n in range(4):
        house.launched(f"p{n}", name=f"train-{n}")
    sent = [await house.send("pod.terminate", pod_id=f"p{n}") for n in range(4)]

    assert [await house.came_of(each) for each in sent] == [WORKING, WORKING, WORKING, ASKED]

    house.clock.advance(days=1, seconds=1)
    house.launched("p9", name="train-9")
    assert await house.came_of(await house.send("pod.terminate", pod_id="p9")) == WORKING


async def test_a_limit_of_zero_lets_an_agent_end_nothing_by_itself(house: House) -> None:
    house.rules = replace(house.rules, ends_per_day=0)
    house.launched("p1")

    assert await house.came_of(await house.send("pod.terminate", pod_id="p1")) == ASKED


async def test_a_pod_that_is_nobodys_is_refused_and_recorded(house: House) -> None:
    house.list_pods(pod("p1"))

    assert (await house.send("pod.terminate", pod_id="p1")).refusal == (403, "forbidden")
    assert rows(house, QuestionRow) == []
    assert recorded(house) == [("agent:scout", "agent.refused", "p1")]


@pytest.mark.parametrize("protected", [{"locked": True}, {"cluster_member": True}])
async def test_locked_pods_and_cluster_members_are_ended_by_nobody(
    house: House, protected: dict[str, bool]
) -> None:
    house.launched("p1")
    house.list_pods(pod("p1", **protected))

    assert (await house.send("pod.terminate", pod_id="p1")).refusal == (403, "forbidden")
    assert rows(house, DeedRow) == []
    assert rows(house, QuestionRow) == []


async def test_while_paused_nothing_is_ended_and_everything_else_goes_on(house: House) -> None:
    house.launched("p1")
    pause = Switch("paused", "on", ADMIN, house.clock.now())
    house.do(lambda session: set_switch(session, pause))

    assert (await house.send("pod.terminate", pod_id="p1")).refusal == (423, "paused")
    assert rows(house, DeedRow) == []
    going_on: list[tuple[str, dict[str, object]]] = [
        ("run.heartbeat", {"pod_id": "p1"}),
        ("note", {"text": "hi"}),
        ("pod.keep", {"pod_id": "p1", "for": "1h"}),
        ("pod.provision", {"name": "next", "gpu": "A40"}),
    ]
    for kind, data in going_on:
        assert (await house.event(kind, data)).status == 202


async def test_an_agent_keeps_and_unkeeps_the_pods_of_its_own_provisions(house: House) -> None:
    house.launched("p1")

    await house.send("pod.keep", pod_id="p1", for_="8h", reason="long run")
    [keep] = rows(house, KeepRow)
    assert (keep.given_by, keep.kind, keep.reason) == ("agent:scout", "agent", "long run")
    assert keep.until == house.clock.now() + timedelta(hours=8)
    assert keep.told_never_ran_at is None

    await house.send("pod.unkeep", pod_id="p1")
    [keep] = rows(house, KeepRow)
    assert keep.lifted_by == "agent:scout"


async def test_the_thread_of_a_pod_is_drawn_anew_when_its_agent_keeps_and_unkeeps_it(house: House) -> None:
    provision, now = house.launched("p1"), house.clock.now()
    house.do(lambda session: set_head_message(session, provision, send(session, Letter("h", "C", "h"), now)))

    await house.send("pod.keep", pod_id="p1", for_="8h")
    [kept] = letters(house, "h")
    await house.send("pod.unkeep", pod_id="p1")
    [unkept] = letters(house, "h")

    assert (kept.wanted, unkept.wanted) == (2, 3)


async def test_an_agent_does_not_take_away_what_a_person_protects(house: House) -> None:
    kept(house)

    await house.send("pod.unkeep", pod_id="p1")

    [keep] = rows(house, KeepRow)
    assert keep.lifted_at is None
