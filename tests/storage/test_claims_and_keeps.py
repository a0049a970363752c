"""What was said in structured form comes back in order; what was said in words does not come along."""

import shutil
from collections.abc import Iterator
from dataclasses import fields
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import text

from pods.ids import PodId, UserId
from pods.keeps import KeepTag
from pods.ownership import Claim, ClaimSource, Confirmation, Give, Objection, Ruling, Statement, Withdrawal
from storage import claim, keep
from storage.claim import HandOver, StatementRow
from storage.columns import FreeText
from storage.database import Database
from storage.keep import Heartbeat, Keep
from storage.rows import table_of

HOUR = timedelta(hours=1)
POD = PodId("pod1")
ALICE, BOB, EVE = UserId("U1"), UserId("U2"), UserId("U3")


def every_kind(now: datetime) -> list[Statement]:
    return [
        Claim(POD, ALICE, now, ClaimSource.AGENT),
        Objection(POD, ALICE, BOB, now + HOUR),
        Confirmation(POD, ALICE, EVE, now + 2 * HOUR),
        Withdrawal(POD, ALICE, now + 3 * HOUR),
        Give(POD, ALICE, BOB, now + 4 * HOUR),
        Ruling(POD, BOB, EVE, now + 5 * HOUR),
    ]


def test_every_kind_of_statement_comes_back_as_it_was_in_order(database: Database, now: datetime) -> None:
    for statement in reversed(every_kind(now)):
        database.run_now(partial(claim.say, statement=statement))
    database.run_now(partial(claim.say, statement=Claim(PodId("pod10"), BOB, now, ClaimSource.PERSON)))

    said = database.read_now(claim.statements)

    assert said[POD] == every_kind(now)
    assert set(said) == {"pod1", "pod10"}
    assert database.read_now(lambda session: claim.statements(session, POD)) == {POD: every_kind(now)}


def test_a_button_finds_its_statement_by_id(database: Database, now: datetime) -> None:
    statement = every_kind(now)[0]
    statement_id = database.run_now(partial(claim.say, statement=statement))

    assert database.read_now(lambda session: claim.statement(session, statement_id)) == statement
    assert database.read_now(lambda session: claim.statement(session, "other")) is None


def test_no_column_of_statements_takes_words() -> None:
    assert [column for column in table_of(StatementRow).c if isinstance(column.type, FreeText)] == []


def test_a_gift_becomes_a_statement_once_it_is_accepted(database: Database, now: datetime) -> None:
    offered = HandOver("h1", POD, ALICE, BOB, ALICE, now)
    database.run_now(partial(claim.offer, hand_over=offered))
    before = database.read_now(claim.statements)

    accepted = [database.run_now(partial(claim.accept, offered=offered, at=now + HOUR)) for _ in range(2)]

    assert (before, accepted) == ({}, [True, False])
    assert database.read_now(claim.statements) == {POD: [Give(POD, ALICE, BOB, now + HOUR)]}


def test_keeps_reach_the_judgement_without_their_reasons(database: Database, now: datetime) -> None:
    given = Keep("k1", POD, ALICE, "person", now, now + HOUR, told_never_ran_at=now, reason="not ours, mine")
    database.run_now(partial(keep.give_keep, keep=given))

    tags = database.read_now(keep.keep_tags)

    assert tags == {POD: [KeepTag(POD, ALICE, now, now + HOUR, told_never_ran_at=now)]}
    assert "reason" not in {field.name for field in fields(KeepTag)}


def test_a_keep_without_a_readable_end_is_kept_as_one(database: Database, now: datetime) -> None:
    database.run_now(partial(keep.give_keep, keep=Keep("k1", POD, ALICE, "person", now, None)))

    assert database.read_now(keep.keep_tags)[POD][0].until is None


@pytest.mark.parametrize("until", [HOUR, None])
def test_lifting_takes_away_what_stands(database: Database, now: datetime, until: timedelta | None) -> None:
    end = now + until if until else None
    database.run_now(partial(keep.give_keep, keep=Keep("k1", POD, ALICE, "person", now, end)))
    database.run_now(partial(keep.give_keep, keep=Keep("old", POD, ALICE, "person", now - HOUR, now)))

    lifted = database.run_now(lambda session: keep.lift_keeps(session, POD, BOB, now))

    assert lifted == 1
    kept = {given.id: given.lifted_by for given in database.read_now(partial(keep.keeps_of, pod_id=POD))}
    assert kept == {"k1": BOB, "old": None}


def test_the_last_heartbeat_of_each_agent_is_kept(database: Database, now: datetime) -> None:
    beats = [Heartbeat(POD, "a", now), Heartbeat(POD, "b", now), Heartbeat(POD, "a", now + HOUR, now + HOUR)]
    for beat in beats:
        database.run_now(partial(keep.beat, heartbeat=beat))

    last = database.read_now(keep.heartbeats)[POD]

    assert sorted(last, key=lambda beat: beat.agent) == [beats[2], beats[1]]


@pytest.fixture
def damageable(migrated_sqlite: Path, tmp_path: Path) -> Iterator[Database]:
    """SQLite takes any text for a time."""
    database = Database(f"sqlite:///{shutil.copy(migrated_sqlite, tmp_path / 'test.db')}")
    yield database
    database.close()


@pytest.mark.parametrize("column", ["until", "given_at", "lifted_at", "told_never_ran_at"])
def test_a_keep_with_a_time_that_is_none_is_one_without_a_known_end(
    damageable: Database, now: datetime, column: str
) -> None:
    for pod_id in ("pod1", "pod2"):
        given = Keep(f"keep-{pod_id}", pod_id, ALICE, "person", now, now + HOUR, lifted_at=now)
        damageable.run_now(partial(keep.give_keep, keep=given))
    damage = text(f"UPDATE keep SET {column} = 'soon' WHERE pod_id = 'pod1'")
    damageable.run_now(lambda session: session.connection().execute(damage))

    tags = damageable.read_now(keep.keep_tags)
    [shown] = damageable.read_now(lambda session: keep.keeps_of(session, "pod1"))

    assert [(tag.until, tag.lifted_at) for tag in tags[POD]] == [(None, None)]
    assert [tag.until for tag in tags[PodId("pod2")]] == [now + HOUR]
    assert (shown.given_by, shown.until) == (ALICE, None)
