"""The clocks' memory: slots, passes, switches, verdicts, listings, and what is forgotten."""

import threading
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import partial

import pytest
from pydantic import ValidationError
from sqlalchemy import func
from sqlmodel import SQLModel, select

from pods.witness import Witness
from storage import inbox, job, listing, outbox, retention, switch, verdict
from storage.database import Database
from storage.inbox import InboxRow
from storage.listing import ListingPass
from storage.outbox import Letter, OutboxRow
from storage.switch import Switch
from storage.verdict import CurrentVerdict

HOUR = timedelta(hours=1)


def count(database: Database, row: type[SQLModel]) -> int:
    return database.read_now(lambda session: session.exec(select(func.count()).select_from(row)).one())


def test_of_two_who_come_at_once_one_wins_a_slot(database: Database, now: datetime) -> None:
    together, won = threading.Barrier(4), []

    def come() -> None:
        together.wait()
        won.append(database.run_now(lambda session: job.win_slot(session, "digest", now, now)))

    threads = [threading.Thread(target=come) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(won) == [False, False, False, True]


def test_the_last_slot_of_a_job_is_known(database: Database, now: datetime) -> None:
    for slot in (now, now + HOUR):
        database.run_now(partial(job.win_slot, job="digest", slot=slot, now=now))

    assert database.read_now(partial(job.last_slot, job="digest")) == now + HOUR
    assert database.read_now(partial(job.last_slot, job="other")) is None


def test_the_last_pass_of_a_job_is_known_and_no_more(database: Database, now: datetime) -> None:
    for n in range(3):
        at = now + n * HOUR
        database.run_now(partial(job.pass_started, job="observe", at=at))
        database.run_now(partial(job.pass_ended, job="observe", at=at, complete=n == 2, sentence=f"pass {n}"))

    last = database.read_now(job.passes)

    assert last == {"observe": job.JobPass("observe", now + 2 * HOUR, now + 2 * HOUR, True, "pass 2")}


def test_a_switch_that_was_never_set_is_off(database: Database, now: datetime) -> None:
    before = database.read_now(partial(switch.is_on, key="paused"))
    paused = Switch("paused", "on", "U1", now)
    database.run_now(partial(switch.set_switch, switch=paused))

    assert (before, database.read_now(partial(switch.is_on, key="paused"))) == (False, True)
    assert database.read_now(switch.switches) == {"paused": paused}


def test_the_current_verdict_is_the_last_one(database: Database, now: datetime) -> None:
    first = CurrentVerdict("pod1", "keep", "running", None, now)
    second = CurrentVerdict("pod1", "reap", "stale", "disarmed", now + HOUR)
    for current in (first, second):
        database.run_now(partial(verdict.put_verdicts, changed=[current]))

    assert database.read_now(verdict.current_verdicts) == {"pod1": second}


def test_the_verdict_of_a_pod_that_left_the_list_is_forgotten(database: Database, now: datetime) -> None:
    many = [CurrentVerdict(f"pod{n}", "keep", "running", None, now) for n in range(1200)]
    database.run_now(partial(verdict.put_verdicts, changed=many))

    database.run_now(partial(verdict.forget_verdicts, pod_ids=[f"pod{n}" for n in range(1199)]))

    assert set(database.read_now(verdict.current_verdicts)) == {"pod1199"}


def test_one_listing_is_dealt_with_once_and_only_the_last_few_are_kept(
    database: Database, now: datetime
) -> None:
    def one(n: int) -> ListingPass:
        return ListingPass(now + n * HOUR, None, True, True, n)

    recorded = [database.run_now(partial(listing.record_listing, listing=one(n))) for n in (*range(30), 29)]

    assert recorded == [True] * 30 + [False]
    kept = database.read_now(listing.last_listings)
    assert [last.pods for last in kept] == list(range(29, 29 - listing.KEPT, -1))


def test_when_the_account_was_last_seen_whole_is_known_however_many_listings_ago(
    database: Database, now: datetime
) -> None:
    assert database.read_now(listing.last_complete) is None

    for n in range(2 * listing.KEPT):
        looked = ListingPass(now + n * HOUR, None, True, n in (0, 3), n)
        database.run_now(partial(listing.record_listing, listing=looked))

    assert database.read_now(listing.last_complete) == now + 3 * HOUR
    assert len(database.read_now(partial(listing.last_listings, limit=99))) == listing.KEPT + 1


def test_a_small_state_is_remembered_in_its_own_type(database: Database, now: datetime) -> None:
    witness = Witness(now, frozenset({"pod1", "pod2"}))  # type: ignore[arg-type]
    database.run_now(partial(listing.remember, name="witness", state=witness, at=now))

    assert database.read_now(partial(listing.recall, name="witness", kind=Witness)) == witness
    assert database.read_now(partial(listing.recall, name="other", kind=Witness)) is None


def test_a_damaged_state_is_not_taken_for_another(database: Database, now: datetime) -> None:
    paused = Switch("paused", "on", "U1", now)
    database.run_now(partial(listing.remember, name="witness", state=paused, at=now))

    with pytest.raises(ValidationError):
        database.read_now(partial(listing.recall, name="witness", kind=ListingPass))


def handled(database: Database, keys: Iterable[str], now: datetime) -> None:
    for key in keys:
        database.run_now(lambda session, k=key: inbox.receive(session, k, "x", {}, now))  # type: ignore[misc]
    for taken in database.run_now(lambda session: inbox.take_due(session, now, HOUR, 5000)):
        database.run_now(partial(inbox.done, taken=taken, at=now))


def test_what_was_handled_long_ago_is_forgotten_and_what_waits_is_not(
    database: Database, now: datetime
) -> None:
    handled(database, ("a", "b"), now)
    database.run_now(lambda session: inbox.receive(session, "waits", "x", {}, now))
    later = now + retention.INBOX + HOUR

    forgotten = [database.run_now(partial(retention.prune, now=at)) for at in (now, later, later)]

    assert forgotten == [0, 2, 0]
    assert count(database, InboxRow) == 1


def test_a_message_that_is_still_redrawn_is_not_forgotten(database: Database, now: datetime) -> None:
    ids = [
        database.run_now(partial(outbox.send, letter=Letter(name, "C1", "x"), now=now))
        for name in ("told", "waits")
    ]
    for sent in database.run_now(lambda session: outbox.take_due(session, now, HOUR, 1)):
        database.run_now(partial(outbox.delivered, sent=sent, channel="C1", ts="1", at=now))

    database.run_now(partial(retention.prune, now=now + retention.OUTBOX + HOUR))

    left = database.read_now(lambda session: list(session.exec(select(OutboxRow.id))))
    assert len(left) == 1
    assert left[0] in ids
