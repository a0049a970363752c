"""What each event does, and that it does nothing else."""

import json

import pytest

from bot.agents.effects import notes
from pods.ids import PodId, UserId
from pods.ownership import Claim, ClaimSource
from storage.agent_request import NoteRow
from storage.claim import StatementRow, statements
from storage.columns import JsonObject
from storage.deed import DeedRow
from storage.keep import HeartbeatRow, KeepRow
from storage.outbox import Letter, send
from tests.agents.house import ANN, OPS, House, letters, recorded, rows
from tests.agents.pods import NOON, pod

FORBIDDEN = (403, "forbidden")


async def test_a_launched_run_claims_the_pod_for_the_agents_owner_and_says_so_in_the_ops_channel(
    house: House,
) -> None:
    reply = await house.send("run.launched", pod_id="p1", task="sweep", branch="main")

    assert reply.status == 202
    said = house.database.read_now(lambda session: statements(session, "p1"))
    assert said == {PodId("p1"): [Claim(PodId("p1"), UserId(ANN), NOON, ClaimSource.AGENT, unheard=True)]}
    [announced] = letters(house, "claim_announced")
    assert announced.target == OPS
    assert announced.refs["pod"] == "p1"
    assert recorded(house) == [("agent:scout", "pod.claimed", "p1")]
    assert house.woken == ["outbox"]


async def test_a_claim_is_said_once_however_often_it_is_sent(house: House) -> None:
    await house.send("run.launched", pod_id="p1")
    await house.send("run.launched", pod_id="p1")

    assert len(rows(house, StatementRow)) == 1
    assert len(letters(house, "claim_announced")) == 1


async def test_a_claim_by_an_agent_has_the_lists_that_show_the_pod_drawn_anew(house: House) -> None:
    shown: list[JsonObject] = [{"pods": ["p1", "p2"]}, {"pods": ["p2"]}]
    for refs in shown:
        house.do(lambda session, refs=refs: send(session, Letter(str(refs), OPS, "unowned", refs), NOON))  # type: ignore[misc]

    await house.send("run.launched", pod_id="p1")

    drawn = {str(each.refs["pods"]): each.wanted for each in letters(house, "unowned")}
    assert drawn == {"['p1', 'p2']": 2, "['p2']": 1}


async def test_a_heartbeat_for_the_owners_pod_is_written_down(house: House) -> None:
    await house.send("run.launched", pod_id="p1")
    house.clock.advance(minutes=1)

    reply = await house.send("run.heartbeat", pod_id="p1")

    assert reply.status == 202
    [beat] = rows(house, HeartbeatRow)
    assert (beat.pod_id, beat.agent, beat.at, beat.finished_at) == ("p1", "scout", house.clock.now(), None)


async def test_a_finished_run_ends_the_sign_of_life_and_not_the_claim(house: House) -> None:
    await house.send("run.launched", pod_id="p1")

    await house.send("run.finished", pod_id="p1", outcome="ok")

    [beat] = rows(house, HeartbeatRow)
    assert beat.finished_at == house.clock.now()
    assert len(rows(house, StatementRow)) == 1


@pytest.mark.parametrize("kind", ["run.heartbeat", "run.finished"])
async def test_a_sign_of_life_for_somebody_elses_pod_is_refused_and_recorded(house: House, kind: str) -> None:
    house.list_pods(pod("p1"))

    assert (await house.send(kind, pod_id="p1")).refusal == FORBIDDEN

    assert rows(house, HeartbeatRow) == []
    assert recorded(house) == [("agent:scout", "agent.refused", "p1")]


async def test_a_keep_for_a_pod_that_the_agent_only_claims_is_refused_and_recorded(house: House) -> None:
    await house.send("run.launched", pod_id="p1")

    assert (await house.send("pod.keep", pod_id="p1", for_="8h")).refusal == FORBIDDEN
    assert (await house.send("pod.unkeep", pod_id="p1")).refusal == FORBIDDEN

    assert rows(house, KeepRow) == []
    assert recorded(house)[1:] == [("agent:scout", "agent.refused", "p1")] * 2


async def test_a_refused_event_may_be_sent_again_with_the_same_id(house: House) -> None:
    await house.send("run.heartbeat", webhook_id="m1", pod_id="p1")
    await house.send("run.launched", pod_id="p1")

    reply = await house.send("run.heartbeat", webhook_id="m1", pod_id="p1")

    assert (reply.status, reply.body["duplicate"]) == (202, False)


async def test_a_word_that_a_pod_is_gone_is_a_hint_and_nothing_else(house: House) -> None:
    house.list_pods(pod("p1"))

    await house.send("pod.terminated", pod_id="p1")

    assert house.woken == ["observe"]
    assert recorded(house) == []


async def test_a_note_is_kept_apart_and_posted_as_what_it_is(house: House) -> None:
    await house.send("note", webhook_id="m1", text="<!channel> pod p1 is ours", task="sweep")

    [note] = rows(house, NoteRow)
    assert (note.agent, note.id, note.text, note.task) == (
        "scout",
        "m1",
        "<!channel> pod p1 is ours",
        "sweep",
    )
    [posted] = letters(house, "note")
    assert posted.refs == {"agent": "scout", "note": "m1"}


async def test_notes_of_one_task_stand_in_one_thread(house: House) -> None:
    for task in ("sweep", "sweep", "other", None):
        await house.send("note", text="hi", **({"task": task} if task else {}))

    heads = {each.id for each in letters(house, "note_task")}
    threads = [
        each.thread_of for each in sorted(letters(house, "note"), key=lambda each: str(each.refs["note"]))
    ]
    assert len(heads) == 2
    assert threads[0] == threads[1] != threads[2]
    assert threads[3] is None
    assert heads == {threads[0], threads[2]}


async def test_each_of_many_notes_is_posted_in_its_turn(house: House) -> None:
    for _ in range(20):
        await house.send("note", text="again")

    due = sorted(letter.due_at - house.clock.now() for letter in letters(house, "note") if letter.due_at)
    assert [pause.total_seconds() for pause in due] == [0] * 11 + [2 * n for n in range(1, 10)]


async def test_a_note_that_is_not_posted_is_not_taken(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notes, "MOST_WAITING", 3)

    replies = [await house.send("note", text="again") for _ in range(5)]

    assert [reply.status for reply in replies] == [202] * 3 + [429] * 2
    assert (replies[3].body["code"], replies[3].headers["retry-after"]) == ("rate_limited", "60")
    assert len(rows(house, NoteRow)) == len(letters(house, "note")) == 3
    assert recorded(house) == []


async def test_a_note_that_was_refused_is_taken_once_there_is_room(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notes, "MOST_WAITING", 0)
    await house.send("note", webhook_id="m1", text="again")
    monkeypatch.undo()

    reply = await house.send("note", webhook_id="m1", text="again")

    assert (reply.status, reply.body["duplicate"]) == (202, False)
    assert len(letters(house, "note")) == 1


async def test_a_note_with_the_audits_own_report_in_it_makes_no_pod_anybodys(house: House) -> None:
    """Incident I2: the report that named the pods became the proof that they were ours."""
    house.list_pods(pod("p1"), pod("p2"))
    report = json.dumps({"pods": [{"id": "p1", "grade": "proved", "owner": ANN, "verdict": "reap"}]})

    reply = await house.send("note", text=report, task="p1 p1-at-runpod")

    assert reply.status == 202
    assert rows(house, StatementRow) == []
    assert rows(house, KeepRow) == []
    assert rows(house, DeedRow) == []
