"""Pods that no listing has shown yet, and pods that are gone: they are known all the same."""

from datetime import timedelta

import pytest

from pods.ids import PodId
from pods.provision.outcomes import Outcome
from storage.deed import STOP, Deed, DeedRow, intend
from storage.pod import PodRow, mark_gone
from storage.provision_asks import free_name
from tests.agents.house import ANN, House, rows
from tests.agents.pods import pod

SOON = (503, "provider_unreachable")


def unlisted(house: House, pod_id: str) -> None:
    """Rented a moment ago: our ledger has it, no listing does."""
    house.launched(pod_id)
    house.do(lambda session: session.delete(session.get(PodRow, pod_id)))


@pytest.mark.parametrize("called", ["p1", "train"])
async def test_a_pod_that_was_just_made_is_not_unknown(house: House, called: str) -> None:
    unlisted(house, "p1")

    meant = (await house.look(f"audit?pod={called}")).body["pod"]

    assert meant == "p1"
    assert (await house.send("pod.terminate", pod_id=meant)).refusal == SOON


@pytest.mark.parametrize("called", ["p1", "train", "p1-at-runpod"])
async def test_a_pod_that_went_days_ago_is_known_by_its_id_and_its_names(house: House, called: str) -> None:
    provision, now = house.launched("p1"), house.clock.now()
    house.list_pods(pod("p1"))
    house.do(lambda session: mark_gone(session, [PodId("p1")], now, "404"))
    house.do(lambda session: free_name(session, provision, now))
    house.clock.advance(hours=50)

    meant = (await house.look(f"audit?pod={called}")).body["pod"]

    assert meant == "p1"
    assert await house.came_of(await house.send("pod.terminate", pod_id=meant)) == ("done", 0)


async def test_a_stop_that_is_under_way_is_not_the_end_that_an_agent_asks_for(house: House) -> None:
    house.launched("p1")
    now = house.clock.now()
    stop = Deed("d", STOP, "p1", "f", ANN, now, now + timedelta(seconds=10), now, owner=ANN)
    house.do(lambda session: intend(session, stop))

    sent = await house.send("pod.terminate", pod_id="p1")

    assert await house.came_of(sent) == ("asked", 76)
    assert [each.path for each in rows(house, DeedRow)] == [STOP]


async def test_a_launch_whose_pod_is_gone_is_not_tried_again(house: House) -> None:
    key = house.launched("p1", outcome=Outcome.PREFLIGHT_FAILED)
    house.do(lambda session: free_name(session, key, house.clock.now()))

    assert (await house.send("provision.retry", provision=key)).refusal == (403, "forbidden")


async def test_a_pod_that_is_gone_is_not_kept(house: House) -> None:
    house.launched("p1")
    house.do(lambda session: mark_gone(session, [PodId("p1")], house.clock.now(), "404"))

    assert (await house.send("pod.keep", pod_id="p1", for_="8h")).refusal == (404, "not_found")
