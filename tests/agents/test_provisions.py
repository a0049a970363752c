"""Agents and provisions: asking for one, looking at it, calling it off, trying again, and the ceilings."""

import asyncio
from dataclasses import replace

import pytest
from sqlmodel import col

from pods.ceilings import Ceilings
from pods.provision.outcomes import Outcome
from storage.ledger import provision_of, record
from storage.person import Person
from storage.provision import ProvisionRow
from storage.question import QuestionRow, QuestionState
from storage.rows import change
from tests.agents.house import ANN, BOB, House, letters, recorded, rows
from tests.agents.pods import NOON


async def asked_for(house: House, **data: object) -> str:
    reply = await house.event("pod.provision", {"name": "train", "gpu": "A40", **data})
    assert reply.status == 202, reply.body
    return str(reply.body["provision"])


async def test_a_wish_is_written_down_for_the_agents_owner_and_the_answer_names_it(house: House) -> None:
    key = await asked_for(house, channel="C1", notify="UEVE", count=2, **{"for": "8h"})

    [row] = rows(house, ProvisionRow)
    assert (row.id, row.name, row.owner, row.asker, row.agent) == (key, "train", ANN, "agent:scout", "scout")
    assert (row.door, row.channel, row.notify, row.stage) == ("agent", "C1", "UEVE", "wished")
    wished = house.database.read_now(lambda session: record(session, key))
    assert wished is not None
    assert provision_of(wished).order.gpus == ("NVIDIA A40",)
    assert provision_of(wished).order.count == 2
    assert recorded(house) == [("agent:scout", "provision.asked", key)]
    assert "provisions" in house.woken


async def test_a_wish_sent_twice_makes_one_provision_and_one_answer(house: House) -> None:
    sent = [await house.send("pod.provision", webhook_id="m1", name="train", gpu="A40") for _ in range(2)]

    assert sent[1].body == {**sent[0].body, "duplicate": True}
    assert len(rows(house, ProvisionRow)) == 1


async def test_a_wish_repeated_after_its_name_came_into_use_still_gets_its_first_answer(house: House) -> None:
    first = await house.send("pod.provision", webhook_id="m1", name="train", gpu="A40")
    house.catalogue = ()

    again = await house.send("pod.provision", webhook_id="m1", name="train", gpu="A40")

    assert again.body["provision"] == first.body["provision"]


async def test_the_same_wish_sent_ten_times_at_once_makes_one_provision(house: House) -> None:
    many = [house.send("pod.provision", webhook_id="m1", name="train", gpu="A40") for _ in range(10)]

    answers = await asyncio.gather(*many)

    assert [each.status for each in answers] == [202] * 10
    assert len({each.body["provision"] for each in answers}) == 1
    assert sorted(str(each.body["duplicate"]) for each in answers) == ["False", *["True"] * 9]
    assert len(rows(house, ProvisionRow)) == 1


async def test_options_that_mean_nothing_are_ignored_and_named(house: House) -> None:
    reply = await house.send("pod.provision", name="train", gpu="A40", colour="red", channel="C1")

    assert reply.body["ignored"] == ["data.colour"]


async def test_a_name_in_use_is_refused_before_there_is_a_provision(house: House) -> None:
    await asked_for(house)

    assert (await house.send("pod.provision", name="TRAIN", gpu="A40")).refusal == (409, "name_in_use")
    assert len(rows(house, ProvisionRow)) == 1


async def test_a_word_that_fits_several_gpu_types_is_answered_with_the_list(house: House) -> None:
    reply = await house.send("pod.provision", name="train", gpu="H100")

    assert reply.refusal == (409, "ambiguous")
    assert reply.body["matches"] == [
        "NVIDIA H100 PCIe (80 GB), $2.00 an hour each",
        "NVIDIA H100 SXM (80 GB), $3.00 an hour each",
    ]


async def test_an_unknown_gpu_type_is_answered_with_what_is_like_it(house: House) -> None:
    reply = await house.send("pod.provision", name="train", gpu="A4O")

    assert reply.refusal == (422, "invalid")
    assert reply.body["field"] == "data.gpu"
    assert reply.body["matches"] == ["NVIDIA A40 (48 GB), $0.40 an hour each"]


async def test_while_runpod_is_away_nothing_is_ordered_and_the_same_can_be_sent_again(house: House) -> None:
    house.runpod_is_away = True
    order = {"name": "train", "gpu": "A40"}

    away = await house.event("pod.provision", order, webhook_id="m1")
    house.runpod_is_away = False
    back = await house.event("pod.provision", order, webhook_id="m1")

    assert away.refusal == (503, "provider_unreachable")
    assert (back.status, back.body["duplicate"]) == (202, False)


@pytest.mark.parametrize("what", ["guest", "stranger", "deleted", "bot"])
async def test_nobody_rents_for_a_guest_a_stranger_a_bot_or_somebody_who_left(
    house: House, what: str
) -> None:
    member = Person(ANN, "Ann", "T1", None, False, False, False, False, NOON)
    house.know(replace(member, **{what: True}))  # type: ignore[arg-type]

    assert (await house.send("pod.provision", name="train", gpu="A40")).refusal == (403, "forbidden")
    assert rows(house, ProvisionRow) == []


@pytest.mark.parametrize("ceilings", [Ceilings(account=1.0), Ceilings(per_owner=1.0), Ceilings(account=0.0)])
async def test_an_order_over_a_ceiling_is_refused(house: House, ceilings: Ceilings) -> None:
    house.terms = replace(house.terms, ceilings=ceilings)
    answers = [await house.send("pod.provision", name=f"train-{n}", gpu="A40") for n in range(4)]

    fits = 2 if (ceilings.account or ceilings.per_owner) else 0
    assert [each.status for each in answers] == [202] * fits + [429] * (4 - fits)
    assert answers[-1].refusal == (429, "over_limit")
    assert len(rows(house, ProvisionRow)) == fits


async def test_a_running_pod_counts_against_the_account_and_its_own_owner_only(house: House) -> None:
    house.launched("p1", name="hers", owner=BOB, agent=None)
    house.terms = replace(house.terms, ceilings=Ceilings(per_owner=0.5))
    assert (await house.send("pod.provision", name="mine", gpu="A40")).status == 202

    house.terms = replace(house.terms, ceilings=Ceilings(account=1.0))
    assert (await house.send("pod.provision", name="more", gpu="A40")).refusal == (429, "over_limit")


async def test_a_dear_order_of_an_agents_waits_for_its_owners_click(house: House) -> None:
    reply = await house.send("pod.provision", webhook_id="m1", name="train", gpu="H100 SXM", count=8)

    assert reply.status == 202
    request = await house.look("requests/m1")
    assert (request.body["state"], request.body["asked"]) == ("asked", ANN)
    [question] = rows(house, QuestionRow)
    assert (question.asked, question.kind) == (ANN, "order")
    assert question.facts["provision"] == reply.body["provision"]
    [letter] = letters(house, "order_question")
    assert letter.target == ANN


@pytest.mark.parametrize(
    ("state", "decision", "expected"),
    [("decided", "go_on", ("working", None)), ("open", None, ("asked", None))],
)
async def test_a_request_that_waited_for_a_click_goes_on_once_it_came(
    house: House, state: str, decision: str | None, expected: tuple[str, None]
) -> None:
    await house.send("pod.provision", webhook_id="m1", name="train", gpu="H100 SXM", count=8)
    is_order = col(QuestionRow.kind) == "order"
    clicked = {"state": QuestionState(state), "decision": decision}
    house.do(lambda session: change(session, QuestionRow, is_order, **clicked))

    request = await house.look("requests/m1")

    assert (request.body["state"], request.body["exit_code"]) == expected


async def test_after_three_pods_that_nobody_reached_the_next_waits_for_a_person(house: House) -> None:
    for n in range(3):
        key = await asked_for(house, name=f"train-{n}")
        house.end(key, Outcome.NEVER_REACHED)

    await house.send("pod.provision", webhook_id="m1", name="fourth", gpu="A40")
    assert (await house.look("requests/m1")).body["state"] == "asked"

    house.clock.advance(hours=7)
    await house.send("pod.provision", webhook_id="m2", name="fifth", gpu="A40")
    assert (await house.look("requests/m2")).body["state"] == "working"


async def test_a_provision_tells_its_stage_its_lines_and_its_money(house: House) -> None:
    key = house.launched("p1")
    house.clock.advance(hours=2)

    look = (await house.look(f"provisions/{key}")).body

    assert (look["id"], look["name"], look["owner"], look["stage"]) == (key, "train", ANN, "ready")
    assert (look["exit_code"], look["pod_id"], look["gpu"]) == (0, "p1", "NVIDIA A40")
    assert (look["usd_per_hour"], look["usd_so_far"]) == (0.4, 0.8)
    lines = look["lines"]
    assert isinstance(lines, list)
    assert lines[0] == {"at": "2026-11-30T12:00:00Z", "line": f"PROVISION: id={key} name=train"}


async def test_an_agent_sees_its_owners_provisions_and_nobody_elses(house: House) -> None:
    hers = house.launched("p1", owner=BOB, agent="other")

    assert (await house.look(f"provisions/{hers}")).refusal == (404, "not_found")
    assert (await house.look("provisions/%00")).refusal == (404, "not_found")


async def test_a_provision_that_nobody_ever_heard_of_is_answered_with_what_is_like_it(house: House) -> None:
    key = house.launched("p1")

    reply = await house.look("provisions/train")

    assert reply.refusal == (404, "not_found")
    assert reply.body["matches"] == [f"{key} train ready"]


async def test_calling_off_asks_the_service_and_ends_as_the_provision_does(house: House) -> None:
    key = await asked_for(house)
    await house.send("provision.cancel", webhook_id="m1", provision=key)

    [row] = rows(house, ProvisionRow)
    assert (row.cancelled_by, row.cancelled_at) == ("agent:scout", house.clock.now())
    assert (await house.look("requests/m1")).body["exit_code"] is None

    house.end(key, Outcome.CALLED_OFF)
    request = (await house.look("requests/m1")).body
    assert (request["state"], request["exit_code"]) == ("done", 85)
    assert request["text"] == "`train` was called off. No pod is left."


async def test_calling_off_is_not_over_while_the_pod_is_still_being_ended(house: House) -> None:
    key = await asked_for(house)
    await house.send("provision.cancel", webhook_id="m1", provision=key)
    being_ended = {"stage": "ended", "finished_at": house.clock.now()}
    house.do(lambda session: change(session, ProvisionRow, col(ProvisionRow.id) == key, **being_ended))

    request = (await house.look("requests/m1")).body
    await house.send("provision.cancel", webhook_id="m2", provision=key)
    again = (await house.look("requests/m2")).body

    assert (request["state"], request["exit_code"]) == ("working", None)
    assert (again["state"], again["exit_code"]) == ("working", None)


async def test_calling_off_a_pod_whose_end_did_not_take_says_that_it_is_still_there(house: House) -> None:
    key = await asked_for(house)
    await house.send("provision.cancel", webhook_id="m1", provision=key)

    house.end(key, Outcome.NOT_TERMINATED)

    request = (await house.look("requests/m1")).body
    assert (request["state"], request["exit_code"]) == ("done", 82)
    assert "nothing left" not in str(request["text"])


async def test_there_is_nothing_to_call_off_of_a_provision_that_has_ended(house: House) -> None:
    key = house.launched("p1")

    await house.send("provision.cancel", webhook_id="m1", provision=key)

    request = (await house.look("requests/m1")).body
    assert (request["state"], request["exit_code"]) == ("done", 0)
    [row] = rows(house, ProvisionRow)
    assert row.cancelled_at is None


@pytest.mark.parametrize("kind", ["provision.cancel", "provision.retry"])
async def test_an_agent_does_nothing_to_a_provision_that_was_not_its_wish(house: House, kind: str) -> None:
    other_agents = house.launched("p1", agent="other", name="one")
    somebody_elses = house.launched("p2", owner=BOB, agent="other", name="two")

    assert (await house.send(kind, provision=other_agents)).refusal == (403, "forbidden")
    assert (await house.send(kind, provision=somebody_elses)).refusal == (404, "not_found")
    assert all(row.cancelled_at is None and row.retry_at is None for row in rows(house, ProvisionRow))


async def test_a_failed_provision_that_left_its_pod_alive_can_be_tried_again(house: House) -> None:
    key = house.launched("p1", outcome=Outcome.PREFLIGHT_FAILED)
    house.clock.advance(minutes=1)

    await house.send("provision.retry", webhook_id="m1", provision=key)

    [row] = rows(house, ProvisionRow)
    assert (row.retry_by, row.retry_at) == ("agent:scout", house.clock.now())
    assert (await house.look("requests/m1")).body["state"] == "working"


async def test_a_provision_that_went_well_cannot_be_tried_again(house: House) -> None:
    key = house.launched("p1")

    assert (await house.send("provision.retry", provision=key)).refusal == (403, "forbidden")


async def test_a_mistyped_data_centre_is_answered_with_the_nearest_and_orders_nothing(house: House) -> None:
    reply = await house.send("pod.provision", name="train", gpu="A40", dc="EU-R0-1")
    assert reply.refusal == (422, "invalid")
    assert reply.body["field"] == "data.dc"
    assert reply.body["matches"] == ["EU-RO-1"]
    assert rows(house, ProvisionRow) == []
