"""Agents' events are forgotten after a month, but for what may still come to something."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from pods.order import Order
from pods.provision.decision import Policy
from pods.provision.entering import begin
from storage.agent_request import Note, accept, note, request_of, write_note
from storage.database import Database
from storage.deed import Deed, intend, undo
from storage.ledger import Asked, wish
from storage.question import Question, ask, void
from storage.retention import NOTES, REQUESTS, prune

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
LATER = NOON + REQUESTS + timedelta(seconds=1)
POLICY = Policy()


@dataclass(frozen=True)
class Asking:
    """What a request is about, and how far it has come."""

    state: str = "done"
    pod_id: str | None = None
    provision_id: str | None = None
    deed_id: str | None = None


def is_remembered(database: Database, asking: Asking, at: datetime = LATER) -> bool:
    """Whether a request of noon is, once what is old has been forgotten at that time."""
    columns = {"agent": "scout", "id": "m1", "type": "x", "answer": {}, "at": NOON, "updated_at": NOON}
    nothing = {"exit_code": None, "text": None, "asked": None}
    asked = {name: getattr(asking, name) for name in ("state", "pod_id", "provision_id", "deed_id")}
    database.run_now(partial(accept, request={**columns, **nothing, **asked}))
    database.run_now(partial(prune, now=at))
    return database.read_now(lambda session: request_of(session, "scout", "m1")) is not None


def test_what_is_done_is_forgotten_after_a_month(database: Database) -> None:
    assert not is_remembered(database, Asking())


def test_it_is_remembered_until_then(database: Database) -> None:
    assert is_remembered(database, Asking(), LATER - timedelta(seconds=2))


@pytest.mark.parametrize("over", [False, True])
def test_the_wish_for_an_end_is_remembered_until_the_end_is_over(database: Database, over: bool) -> None:
    deed = Deed("d1", "agent", "p1", "f", "agent:scout", NOON, NOON, NOON)
    database.run_now(partial(intend, deed=deed))
    if over:
        database.run_now(partial(undo, deed_id="d1", at=NOON, by="UANN"))

    assert is_remembered(database, Asking("working", "p1", deed_id="d1")) is not over


@pytest.mark.parametrize("over", [False, True])
def test_an_order_is_remembered_while_it_is_under_way(database: Database, over: bool) -> None:
    begun = begin("ab12cd34", Order("train", ("NVIDIA A40",)), NOON, POLICY)
    database.run_now(partial(wish, provision=begun, asked=Asked("UANN", "agent:scout", "agent"), now=NOON))
    provision = "gone0000" if over else begun.id

    assert is_remembered(database, Asking("working", provision_id=provision)) is not over


@pytest.mark.parametrize("over", [False, True])
def test_what_a_person_was_asked_is_remembered_while_the_question_is_open(
    database: Database, over: bool
) -> None:
    card = Question("q1", "card", "p1", "f", "agent_asks", "UANN", NOON, None)
    database.run_now(partial(ask, question=card))
    if over:
        database.run_now(partial(void, question_id="q1", at=NOON, why="gone"))

    assert is_remembered(database, Asking("asked", "p1")) is not over


def test_a_note_is_forgotten_long_after_it_was_told(database: Database) -> None:
    written = Note("scout", "m1", NOON, None, "hello")
    recent = replace(written, id="m2", at=NOON + NOTES)
    for each in (written, recent):
        database.run_now(partial(write_note, note=each))

    database.run_now(partial(prune, now=NOON + NOTES + timedelta(seconds=1)))

    left = [database.read_now(partial(note, agent="scout", note_id=each.id)) for each in (written, recent)]
    assert left == [None, recent]
