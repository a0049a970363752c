"""The audit as agents see it: the fleet, or the one pod that was meant."""

import pytest
import structlog.testing
from sqlmodel import col

from storage.provision import ProvisionRow
from storage.rows import change
from tests.agents.house import House
from tests.agents.pods import pod


async def test_the_audit_is_for_the_whole_fleet_or_for_the_pod_that_was_meant(house: House) -> None:
    house.launched("p1")

    for word in ("p1", "train", "TRAIN", "p1-at-runpod"):
        assert (await house.look(f"audit?pod={word}")).body["pods"] == [{"id": "p1"}]
    await house.look("audit")
    assert house.audited == ["p1", "p1", "p1", "p1", None]


async def test_a_name_that_fits_several_pods_is_never_guessed(house: House) -> None:
    house.launched("p1")
    house.list_pods(pod("p1"), pod("p2", name="train"))

    reply = await house.look("audit?pod=train")

    assert reply.refusal == (409, "ambiguous")
    assert reply.body["matches"] == ["p1 p1-at-runpod", "p2 train"]


@pytest.mark.parametrize("query", ["pod=", "pod=%00", "pod=nothing", "pod=" + "x" * 300, "pod=%ff"])
async def test_a_pod_that_nobody_ever_heard_of_is_not_found(house: House, query: str) -> None:
    assert (await house.look(f"audit?{query}")).refusal == (404, "not_found")


async def test_one_pod_at_a_time(house: House) -> None:
    assert (await house.look("audit?pod=a&pod=b")).refusal == (422, "invalid")


async def test_a_row_that_cannot_be_read_is_a_problem_with_the_id_of_the_logs_line(house: House) -> None:
    provision = house.launched("p1")
    house.do(lambda session: change(session, ProvisionRow, col(ProvisionRow.id) == provision, run="{"))

    with structlog.testing.capture_logs() as lines:
        reply = await house.look(f"provisions/{provision}")

    assert reply.refusal == (503, "our_fault")
    [failed] = [line for line in lines if line["event"] == "agents.failed"]
    assert failed["id"] in str(reply.body["detail"])
