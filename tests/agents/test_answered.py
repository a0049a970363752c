"""What a request tells once the person who was asked has answered, or has not."""

from datetime import timedelta
from functools import partial

import pytest

from pods.guards import Path
from storage.deed import STOP, Deed, intend
from storage.question import QuestionRow, decide, expire, note_outcome, void
from tests.agents.house import ANN, House, Reply, rows

REFUSED = ("refused", 77)


async def asked(house: House) -> Reply:
    """An agent asks for the end of its owner's pod, which another agent made: so the owner is asked."""
    house.launched("p1", agent="other")
    return await house.send("pod.terminate", pod_id="p1")


def decided(house: House, decision: str, path: str | None) -> None:
    """The one who was asked has pressed something; a deed follows from it, or none."""
    [question] = rows(house, QuestionRow)
    now = house.clock.now()
    house.do(lambda session: decide(session, question.id, ANN, decision, now, now + timedelta(hours=1)))
    if path is not None:
        deed = Deed("d1", path, "p1", question.fingerprint, ANN, now, now, now, question_id=question.id)
        house.do(lambda session: intend(session, deed))
        house.do(lambda session: note_outcome(session, question.id, decision, deed.id))


@pytest.mark.parametrize(
    ("decision", "path", "expected"),
    [
        ("terminate", Path.OWNER, ("working", None)),
        ("stop", STOP, REFUSED),
        ("keep", None, REFUSED),
        ("not_mine", None, REFUSED),
    ],
)
async def test_a_request_tells_what_the_one_who_was_asked_has_decided(
    house: House, decision: str, path: str | None, expected: tuple[object, object]
) -> None:
    sent = await asked(house)
    house.clock.advance(minutes=5)

    decided(house, decision, path)

    assert await house.came_of(sent) == expected


@pytest.mark.parametrize("how", [expire, partial(void, why="it changed")])
async def test_a_question_that_nobody_answered_ends_the_request(house: House, how) -> None:
    sent = await asked(house)
    [question] = rows(house, QuestionRow)
    house.clock.advance(days=8)

    house.do(partial(how, question_id=question.id, at=house.clock.now()))

    assert await house.came_of(sent) == REFUSED


async def test_an_earlier_answer_about_the_same_pod_is_no_answer_to_a_new_request(house: House) -> None:
    await asked(house)
    decided(house, "keep", None)
    house.clock.advance(days=1)

    sent = await house.send("pod.terminate", pod_id="p1")

    assert await house.came_of(sent) == ("asked", 76)
