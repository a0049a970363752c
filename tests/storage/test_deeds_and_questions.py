"""One act on a pod at a time; one open question about a state; the first decision wins."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

import pytest
from sqlmodel import Session, col

from storage import deed, question, said
from storage.database import Database
from storage.deed import Deed, DeedState
from storage.question import Question, QuestionState
from storage.rows import change
from storage.said import Said

HOUR = timedelta(hours=1)


def intended(now: datetime, deed_id: str = "d1", pod_id: str = "pod1", path: str = "owner") -> Deed:
    return Deed(
        id=deed_id,
        path=path,
        pod_id=pod_id,
        fingerprint="f1",
        actor="U1",
        created_at=now,
        not_before=now,
        due_at=now,
        owner="U1",
    )


def intend(act: Deed) -> Callable[[Session], bool]:
    return lambda session: deed.intend(session, act)


def asked(now: datetime, question_id: str = "q1", fingerprint: str = "f1") -> Question:
    return Question(
        id=question_id,
        kind="card",
        pod_id="pod1",
        fingerprint=fingerprint,
        reason="stale",
        asked="U1",
        opened_at=now,
        expires_at=now + HOUR,
        facts={"usd": 1.5},
    )


def ask(card: Question) -> Callable[[Session], bool]:
    return lambda session: question.ask(session, card)


def decide(by: str, decision: str, at: datetime) -> Callable[[Session], bool]:
    return lambda session: question.decide(session, "q1", by, decision, at, at + HOUR)


def stored(database: Database) -> Question:
    found = database.read_now(lambda session: question.question(session, "q1"))
    assert found is not None
    return found


def finish(database: Database, deed_id: str, state: DeedState, at: datetime) -> None:
    this = col(deed.DeedRow.id) == deed_id
    database.run_now(lambda session: change(session, deed.DeedRow, this, state=state, finished_at=at))


def test_a_pod_has_one_act_under_way_at_most(database: Database, now: datetime) -> None:
    first = database.run_now(intend(intended(now)))
    second = database.run_now(intend(intended(now, "d2", path="never_ran")))
    elsewhere = database.run_now(intend(intended(now, "d3", "pod2")))

    assert (first, second, elsewhere) == (True, False, True)
    assert set(database.read_now(deed.open_deeds)) == {"pod1", "pod2"}


def test_a_pod_can_have_another_act_after_the_first_is_over(database: Database, now: datetime) -> None:
    database.run_now(intend(intended(now)))
    finish(database, "d1", DeedState.REFUSED, now)

    assert database.run_now(intend(intended(now + HOUR, "d2")))
    assert [act.id for act in database.read_now(lambda session: deed.deeds_of(session, "pod1"))] == [
        "d2",
        "d1",
    ]


def test_an_act_that_has_not_begun_can_be_undone_once(database: Database, now: datetime) -> None:
    database.run_now(intend(intended(now)))

    undone = [database.run_now(lambda session: deed.undo(session, "d1", now, "U1")) for _ in range(2)]

    assert undone == [True, False]
    act = database.read_now(lambda session: deed.deed(session, "d1"))
    assert act is not None
    assert (act.state, act.due_at, act.finished_at) == (DeedState.UNDONE, None, now)


def test_an_act_that_has_begun_cannot_be_undone(database: Database, now: datetime) -> None:
    database.run_now(intend(replace(intended(now), state=DeedState.ACTING)))

    assert not database.run_now(lambda session: deed.undo(session, "d1", now, "U1"))


def test_limits_count_what_was_intended_and_neither_undone_nor_refused(
    database: Database, now: datetime
) -> None:
    for number, state in enumerate(DeedState):
        act = replace(intended(now, f"d{number}", f"pod{number}", "stale"), state=state)
        database.run_now(intend(act))
    database.run_now(intend(intended(now - HOUR, "old", "old", "stale")))
    database.run_now(intend(intended(now, "other", "other", "never_ran")))

    counted = database.read_now(lambda session: deed.count_since(session, "stale", now))
    of_somebody_else = database.read_now(lambda session: deed.count_since(session, "stale", now, owner="U2"))

    assert (counted, of_somebody_else) == (len(DeedState) - 2, 0)


def test_an_episode_has_had_its_deed_once_it_was_attempted(database: Database, now: datetime) -> None:
    for number, state in enumerate([DeedState.REFUSED, DeedState.UNDONE, DeedState.FAILED], 1):
        act = intended(now, f"d{number}", f"pod{3 - number + 1}", "never_ran")
        database.run_now(intend(replace(act, episode="e1")))
        finish(database, f"d{number}", state, now)

    acted = database.read_now(lambda session: deed.episodes_with_deed(session, "never_ran"))

    assert acted == {("pod1", "e1")}


def test_there_is_one_open_question_about_a_state(database: Database, now: datetime) -> None:
    answers = [database.run_now(ask(asked(now, f"q{number}"))) for number in (1, 2)]
    other_state = database.run_now(ask(asked(now, "q3", "f2")))

    assert (answers, other_state) == ([True, False], True)
    opened = database.read_now(lambda session: question.open_questions(session, "U1"))
    assert [card.id for card in opened] == ["q1", "q3"]


def test_after_it_is_closed_the_same_can_be_asked_again(database: Database, now: datetime) -> None:
    database.run_now(ask(asked(now)))
    database.run_now(lambda session: question.expire(session, "q1", now + HOUR))

    assert database.run_now(ask(asked(now + HOUR, "q2")))


def test_a_question_comes_back_as_it_was_asked(database: Database, now: datetime) -> None:
    database.run_now(ask(asked(now)))

    assert stored(database) == asked(now)


def test_the_first_decision_wins(database: Database, now: datetime) -> None:
    database.run_now(ask(asked(now)))

    decisions = [
        database.run_now(decide(by, what, now)) for by, what in (("U1", "keep"), ("U2", "terminate"))
    ]

    assert decisions == [True, False]
    assert (stored(database).decided_by, stored(database).decision) == ("U1", "keep")


@pytest.mark.parametrize("late", [timedelta(0), HOUR])
def test_a_decision_after_its_time_counts_for_nothing(
    database: Database, now: datetime, late: timedelta
) -> None:
    database.run_now(ask(asked(now)))

    assert not database.run_now(decide("U1", "terminate", now + HOUR + late))
    assert stored(database).state is QuestionState.OPEN


def test_a_question_does_not_expire_before_its_time(database: Database, now: datetime) -> None:
    database.run_now(ask(asked(now)))

    assert not database.run_now(lambda session: question.expire(session, "q1", now))
    assert database.run_now(lambda session: question.expire(session, "q1", now + HOUR))
    assert stored(database).state is QuestionState.EXPIRED


def test_a_void_question_cannot_be_decided(database: Database, now: datetime) -> None:
    database.run_now(ask(asked(now)))
    database.run_now(lambda session: question.void(session, "q1", now, "it was started again"))

    assert not database.run_now(decide("U1", "terminate", now))
    assert (stored(database).state, stored(database).outcome) == (QuestionState.VOID, "it was started again")


def test_the_first_delivery_of_a_notice_stands(database: Database, now: datetime) -> None:
    database.run_now(ask(asked(now)))
    for at in (now, now + HOUR):
        database.run_now(partial(question.note_delivery, question_id="q1", at=at))

    assert stored(database).delivered_at == now


def test_every_copy_of_a_card_is_known(database: Database, now: datetime) -> None:
    database.run_now(ask(asked(now)))
    for message_id in ("m2", "m1", "m2"):
        database.run_now(partial(question.shown_in, question_id="q1", message_id=message_id))

    assert database.read_now(lambda session: question.copies(session, "q1")) == ["m1", "m2"]


def test_a_state_is_said_once_for_each_time(database: Database, now: datetime) -> None:
    first = Said("pod1", "stale", now, 1, now)
    second = Said("pod1", "stale", now, 2, now + HOUR)

    told = [database.run_now(partial(said.note_said, said=s)) for s in (first, first, second)]

    assert told == [True, False, True]
    assert database.read_now(said.said) == {("pod1", "stale"): [first, second]}


def test_a_state_that_began_anew_is_said_anew(database: Database, now: datetime) -> None:
    database.run_now(lambda session: said.note_said(session, Said("pod1", "stale", now, 1, now)))

    assert database.run_now(
        lambda session: said.note_said(session, Said("pod1", "stale", now + HOUR, 1, now + HOUR))
    )


@pytest.mark.parametrize(("answer", "ours"), [(204, True), (404, True), (500, False), (None, False)])
def test_an_end_that_the_provider_did_not_take_explains_no_absence(
    database: Database, now: datetime, answer: int | None, ours: bool
) -> None:
    tried = {"state": DeedState.CONFIRMING, "attempts": 1, "answer_status": answer, "read_back_status": 404}
    database.run_now(intend(replace(intended(now), **tried)))  # type: ignore[arg-type]

    assert (database.run_now(deed.ended_and_read_back) == {"pod1"}) is ours
