"""An agent's keep and what was announced before it: the end does not come then, and is announced anew."""

from datetime import timedelta

import pytest

from storage.question import Question, ask, question
from tests.agents.house import ANN, House


def asked(house: House, kind: str, reason: str) -> None:
    """Her owner has this in front of her, about the agent's pod."""
    now = house.clock.now()
    ends_at = now + timedelta(hours=1)
    about = Question("q", kind, "p1", "f", reason, ANN, now, None, ends_at=ends_at)
    house.do(lambda session: ask(session, about))


def stands(house: House) -> str:
    found = house.database.read_now(lambda session: question(session, "q"))
    assert found is not None
    return found.state.value


@pytest.mark.parametrize(
    ("kind", "reason"), [("notice", "stale"), ("notice", "fence_passed"), ("card", "stale")]
)
async def test_an_agents_keep_makes_void_what_it_answers(house: House, kind: str, reason: str) -> None:
    house.launched("p1")
    asked(house, kind, reason)

    await house.send("pod.keep", pod_id="p1", for_="8h")

    assert stands(house) == "void"


@pytest.mark.parametrize("reason", ["never_ran", "lost_runtime", "provision_failed", "agent_asks"])
async def test_an_agents_keep_leaves_open_what_only_people_answer(house: House, reason: str) -> None:
    house.launched("p1")
    asked(house, "card", reason)

    await house.send("pod.keep", pod_id="p1", for_="8h")

    assert stands(house) == "open"
