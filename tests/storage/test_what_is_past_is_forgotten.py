"""What was asked, said and seen of a pod is forgotten a quarter after it was gone; the trail never is."""

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from sqlmodel import Session, select

from pods.order import Order
from pods.provision.decision import Policy
from pods.provision.entering import begin
from storage.database import Database
from storage.deed import Deed, intend
from storage.history import EpisodeRow
from storage.ledger import Asked, wish
from storage.outbox import Letter, send
from storage.pod import PodRow
from storage.question import Question, ask, copies, question, shown_in, void
from storage.retention import PAST, prune
from storage.rows import change, insert_new
from storage.said import Said, note_said, said
from storage.trail import Event, record, verify

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
LATER = NOON + PAST + timedelta(seconds=1)
POD = "pod1"
COLUMNS = {
    "sight": "seen", "listed_at": NOON, "shows_life": False, "locked": False, "cluster_member": False,
    "actions": [],
}  # fmt: skip


def a_pod_that_was_asked_about(session: Session, subject: str = POD, *, closed: bool = True) -> None:
    new = Question("q1", "card", subject, "f", "stale", "UANN", NOON, None)
    ask(session, new)
    shown_in(session, "q1", send(session, Letter("card/q1", "UANN", "card"), NOON))
    note_said(session, Said(subject, "stale", NOON, 1, NOON))
    if closed:
        void(session, "q1", NOON, "the pod is gone")


def is_there(session: Session, gone_at: datetime | None) -> None:
    insert_new(session, PodRow, {"pod_id": POD, **COLUMNS})
    change(session, PodRow, PodRow.pod_id == POD, gone_at=gone_at)  # type: ignore[arg-type]
    episode = {"since": NOON, "until": NOON, "phase": "running", "observations": 3, "longest_gap_s": 60.0}
    insert_new(session, EpisodeRow, {"pod_id": POD, **episode})


def left(database: Database, at: datetime = LATER) -> tuple[bool, int, int, int]:
    """Whether the question is remembered, its messages, what was said, what was seen."""
    while database.run_now(partial(prune, now=at)):
        pass
    return database.read_now(
        lambda session: (
            question(session, "q1") is not None,
            len(copies(session, "q1")),
            len(said(session)),
            len(session.exec(select(EpisodeRow)).all()),
        )
    )


def test_of_a_pod_that_is_long_gone_nothing_is_left(database: Database) -> None:
    database.run_now(a_pod_that_was_asked_about)
    database.run_now(partial(is_there, gone_at=NOON))

    assert left(database) == (False, 0, 0, 0)


@pytest.mark.parametrize("gone_at", [None, NOON + timedelta(days=1)])
def test_of_a_pod_that_is_there_or_went_lately_all_is_left(
    database: Database, gone_at: datetime | None
) -> None:
    database.run_now(a_pod_that_was_asked_about)
    database.run_now(partial(is_there, gone_at=gone_at))

    assert left(database) == (True, 1, 1, 1)


def test_a_question_that_is_open_is_never_forgotten(database: Database) -> None:
    database.run_now(partial(a_pod_that_was_asked_about, closed=False))
    database.run_now(partial(is_there, gone_at=NOON))

    assert left(database)[:2] == (True, 1)


def test_what_was_asked_of_an_order_is_left_while_the_order_is_under_way(database: Database) -> None:
    begun = begin("prov1", Order("train", ("A40",)), NOON, Policy())
    database.run_now(lambda session: wish(session, begun, Asked("UANN", "UANN", "slack"), NOON))
    database.run_now(partial(a_pod_that_was_asked_about, subject="prov1"))

    assert left(database) == (True, 1, 1, 0)


def test_what_was_said_of_an_end_is_left_while_the_end_is_under_way(database: Database) -> None:
    deed = Deed("d1", "owner", POD, "f", "UANN", NOON, NOON, None)
    database.run_now(partial(intend, deed=deed))
    database.run_now(partial(a_pod_that_was_asked_about, subject="d1"))

    assert left(database) == (True, 1, 1, 0)


def test_the_trail_forgets_nothing(database: Database) -> None:
    database.run_now(a_pod_that_was_asked_about)
    database.run_now(partial(is_there, gone_at=NOON))
    database.run_now(lambda session: record(session, Event(NOON, "UANN", "question.decided", POD, {})))
    before = database.read_now(verify)

    left(database, LATER + 40 * PAST)

    assert database.read_now(verify) == before
