"""Whatever nobody ever heard of is answered with what could have been meant."""

import pytest

from pods.ids import PodId
from storage.pod import mark_gone
from storage.provision_asks import free_name
from tests.agents.house import BOB, House
from tests.agents.pods import pod


def gone(house: House, *pod_ids: str) -> None:
    ids = [PodId(pod_id) for pod_id in pod_ids]
    house.do(lambda session: mark_gone(session, ids, house.clock.now(), "404"))


@pytest.mark.parametrize("act", ["provision.cancel", "provision.retry"])
@pytest.mark.parametrize("called", ["train-1", "Train-2", "train.1"])
async def test_a_provision_to_act_on_is_answered_with_those_of_a_like_name(
    house: House, act: str, called: str
) -> None:
    key = house.launched("p1", name="train-1")
    house.launched("p2", name="train-2", owner=BOB, agent="other")

    reply = await house.send(act, provision=called)

    assert reply.refusal == (404, "not_found")
    assert reply.body["matches"] == [f"{key} train-1 ready"]


async def test_a_pod_that_is_gone_is_among_what_could_have_been_meant(house: House) -> None:
    provision = house.launched("p1", name="first-run")
    gone(house, "p1")
    house.do(lambda session: free_name(session, provision, house.clock.now()))

    looked, sent = (
        await house.look("audit?pod=first-rum"),
        await house.send("pod.terminate", pod_id="first-rum"),
    )

    for reply in (looked, sent):
        assert reply.refusal == (404, "not_found")
        assert reply.body["matches"] == ["p1 p1-at-runpod (gone)"]


async def test_pods_that_are_there_come_before_those_that_are_gone(house: House) -> None:
    house.list_pods(*(pod(f"p{n}", name=f"train-{n}") for n in range(8)))
    gone(house, "p0", "p1", "p2", "p3")

    matches = (await house.look("audit?pod=train-x")).body["matches"]

    assert isinstance(matches, list)
    assert [str(match).endswith("(gone)") for match in matches] == [False] * 4 + [True]
