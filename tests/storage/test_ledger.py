"""The ledger: one row per wish, one per create call, and pod ids that never move."""

import threading
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, IntegrityError

from pods.ids import PodId, ProvisionId, UserId
from pods.ownership import LedgerRecord
from pods.provision.outcomes import Outcome
from pods.provision.stages import Stage
from pods.provision.value import Reach, Said
from storage import ledger, provision_asks
from storage.database import Database
from storage.ledger import ProvisionRecord
from tests.storage.wishes import MINUTE, take, wish, wished, with_call, write


def record(database: Database, provision_id: str = "aaaaaaaa") -> ProvisionRecord:
    found = database.read_now(lambda session: ledger.record(session, provision_id))
    assert found is not None
    return found


def test_a_wish_is_due_at_once_and_comes_back_as_it_was(database: Database, now: datetime) -> None:
    provision = wished(now)
    assert database.run_now(wish(provision, now))

    [taken] = database.run_now(take(now))

    assert ledger.provision_of(taken) == provision
    assert (taken.owner, taken.channel, taken.stage) == ("U1", "C1", "wished")


def test_a_name_in_use_is_refused_and_free_again_afterwards(database: Database, now: datetime) -> None:
    database.run_now(wish(wished(now, "aaaaaaaa"), now))

    while_in_use = database.run_now(wish(wished(now, "bbbbbbbb"), now))
    database.run_now(lambda session: provision_asks.free_name(session, "aaaaaaaa", now))
    afterwards = database.run_now(wish(wished(now, "cccccccc"), now))

    assert (while_in_use, afterwards) == (False, True)
    named = database.read_now(lambda session: ledger.named(session, "train"))
    assert named is not None
    assert named.id == "cccccccc"


def test_of_two_who_want_a_name_at_once_one_gets_it(database: Database, now: datetime) -> None:
    together, got = threading.Barrier(4), []

    def ask(provision_id: str) -> None:
        together.wait()
        got.append(database.run_now(wish(wished(now, provision_id), now)))

    threads = [threading.Thread(target=ask, args=(f"{letter}" * 8,)) for letter in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(got) == [False, False, False, True]


def test_a_key_is_never_used_again(database: Database, now: datetime) -> None:
    database.run_now(wish(wished(now), now))
    database.run_now(lambda session: provision_asks.free_name(session, "aaaaaaaa", now))

    assert not database.run_now(wish(wished(now), now))


def test_a_create_call_is_in_the_ledger_before_it_has_a_pod(database: Database, now: datetime) -> None:
    database.run_now(wish(wished(now), now))
    [taken] = database.run_now(take(now))

    assert database.run_now(write(taken, with_call(wished(now), now), now))

    tokens = "SELECT token, state, pod_id FROM create_call"
    assert database.read_now(lambda session: session.connection().execute(text(tokens)).all()) == [
        ("token1", "open", None)
    ]
    assert database.read_now(ledger.ledger_records) == {}


def test_only_a_bound_pod_id_makes_a_ledger_record(database: Database, now: datetime) -> None:
    database.run_now(wish(wished(now), now))
    [taken] = database.run_now(take(now))
    database.run_now(write(taken, with_call(wished(now), now, "pod1"), now))

    made = LedgerRecord(PodId("pod1"), ProvisionId("aaaaaaaa"), UserId("U1"), now)
    assert database.read_now(ledger.ledger_records) == {"pod1": made}
    of_pod = database.read_now(lambda session: ledger.record_of_pod(session, "pod1"))
    assert of_pod is not None
    assert of_pod.id == "aaaaaaaa"


def test_a_second_pod_of_a_second_call_is_in_the_ledger_too(database: Database, now: datetime) -> None:
    database.run_now(wish(wished(now), now))
    [taken] = database.run_now(take(now))
    first = with_call(wished(now), now, "pod1")
    both = replace(with_call(first, now, "pod2", number=2), pod=first.pod)

    database.run_now(write(taken, both, now))

    assert database.read_now(ledger.ledger_records).keys() == {"pod1", "pod2"}
    assert record(database).pod_id == "pod1"


def test_a_refused_call_stays_in_the_ledger(database: Database, now: datetime) -> None:
    database.run_now(wish(wished(now), now))
    [taken] = database.run_now(take(now))
    database.run_now(write(taken, with_call(wished(now), now), now, let_go=False))

    database.run_now(write(taken, wished(now), now + MINUTE))

    states = "SELECT token, state FROM create_call"
    assert database.read_now(lambda session: session.connection().execute(text(states)).all()) == [
        ("token1", "refused")
    ]


@pytest.mark.parametrize("other", ["pod2", None])
def test_a_bound_pod_id_never_moves(database: Database, now: datetime, other: str | None) -> None:
    database.run_now(wish(wished(now), now))
    [taken] = database.run_now(take(now))
    database.run_now(write(taken, with_call(wished(now), now, "pod1"), now, let_go=False))

    with pytest.raises(IntegrityError, match="never moves"):
        database.run_now(write(taken, with_call(wished(now), now, other), now))

    assert record(database).pod_id == "pod1"


def test_a_pod_id_is_bound_to_one_provision_only(database: Database, now: datetime) -> None:
    for provision_id, name in (("aaaaaaaa", "one"), ("bbbbbbbb", "two")):
        database.run_now(wish(wished(now, provision_id, name), now))
    first, second = database.run_now(take(now))
    database.run_now(write(first, with_call(wished(now, first.id, first.name), now, "pod1"), now))
    twin = with_call(wished(now, second.id, second.name), now, "pod1", number=2)

    with pytest.raises(IntegrityError):
        database.run_now(write(second, twin, now))

    assert database.read_now(ledger.ledger_records).keys() == {"pod1"}


@pytest.mark.parametrize("table", ["provision", "create_call"])
def test_the_database_refuses_to_forget_the_ledger(database: Database, now: datetime, table: str) -> None:
    database.run_now(wish(wished(now), now))
    [taken] = database.run_now(take(now))
    database.run_now(write(taken, with_call(wished(now), now, "pod1"), now))

    with pytest.raises(DBAPIError, match="forgets nothing"):
        database.run_now(lambda session: session.connection().execute(text(f"DELETE FROM {table}")))

    assert database.read_now(ledger.ledger_records).keys() == {"pod1"}


def test_a_late_result_writes_nothing_at_all(database: Database, now: datetime) -> None:
    database.run_now(wish(wished(now), now))
    [late] = database.run_now(take(now))
    database.run_now(write(late, wished(now), now))
    [_present] = database.run_now(take(now + MINUTE))

    assert not database.run_now(write(late, with_call(wished(now), now, "pod1"), now))

    assert database.read_now(ledger.ledger_records) == {}
    assert record(database).stage == "wished"


def test_lines_are_told_once_in_order_with_their_times(database: Database, now: datetime) -> None:
    database.run_now(wish(wished(now), now))
    [taken] = database.run_now(take(now))
    one = replace(wished(now), lines=(Said(now, "PROVISION: id=aaaaaaaa name=train"),))
    two = replace(one, lines=(*one.lines, Said(now + MINUTE, "WAIT: ssh=20m")))

    for provision in (one, one, two):
        database.run_now(write(taken, provision, now, let_go=False))

    assert database.read_now(lambda session: ledger.lines(session, "aaaaaaaa")) == [
        (now, "PROVISION: id=aaaaaaaa name=train"),
        (now + MINUTE, "WAIT: ssh=20m"),
    ]


def test_calling_off_is_not_overwritten_by_a_reconciler_that_did_not_see_it(
    database: Database, now: datetime
) -> None:
    database.run_now(wish(wished(now), now))
    [taken] = database.run_now(take(now))

    asked = database.run_now(lambda session: provision_asks.call_off(session, "aaaaaaaa", "U2", now))
    database.run_now(write(taken, wished(now), now))

    [again] = database.run_now(take(now))
    assert asked
    assert (again.cancelled_by, again.cancelled_at) == ("U2", now)


def test_a_second_calling_off_changes_nothing(database: Database, now: datetime) -> None:
    database.run_now(wish(wished(now), now))
    database.run_now(lambda session: provision_asks.call_off(session, "aaaaaaaa", "U2", now))

    assert not database.run_now(
        lambda session: provision_asks.call_off(session, "aaaaaaaa", "U3", now + MINUTE)
    )
    assert record(database).cancelled_by == "U2"


def test_what_is_over_cannot_be_called_off(database: Database, now: datetime) -> None:
    database.run_now(wish(wished(now), now))
    [taken] = database.run_now(take(now))
    over = replace(wished(now), stage=Stage.FAILED, outcome=Outcome.NO_CAPACITY)
    database.run_now(write(taken, over, now))

    assert not database.run_now(lambda session: provision_asks.call_off(session, "aaaaaaaa", "U2", now))
    assert (record(database).exit_code, record(database).finished_at) == (69, now)


def test_the_first_time_it_was_reached_stands(database: Database, now: datetime) -> None:
    database.run_now(wish(wished(now), now))
    [taken] = database.run_now(take(now))
    reached = replace(wished(now), reach=Reach(banner=True))

    for at in (now, now + MINUTE):
        database.run_now(write(taken, reached, at, let_go=False))

    assert (record(database).reached_at, record(database).logged_in_at) == (now, None)


def test_a_fence_moves_later_and_never_earlier(database: Database, now: datetime) -> None:
    database.run_now(wish(wished(now), now))
    hours = [now + timedelta(hours=count) for count in (8, 6, 10)]

    def in_force_after(at: datetime) -> datetime | None:
        return database.run_now(lambda session: provision_asks.set_fence(session, "aaaaaaaa", at))

    in_force = [in_force_after(at) for at in hours]

    assert in_force == [hours[0], hours[0], hours[2]]


def test_a_keep_makes_no_fence_where_there_was_none(database: Database, now: datetime) -> None:
    database.run_now(wish(wished(now), now))

    assert not database.run_now(lambda session: provision_asks.move_fence(session, "aaaaaaaa", now))
    assert record(database).fence_at is None
