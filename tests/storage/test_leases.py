"""Who works on a row, and whose result counts."""

import asyncio
import threading
from collections.abc import Callable
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from storage import leases
from storage.database import Database
from storage.leases import Lease
from storage.outbox import OutboxRow
from storage.rows import change

MINUTE = timedelta(minutes=1)


def waits(row_id: str, due_at: datetime | None) -> Callable[[Session], None]:
    def work(session: Session) -> None:
        row = OutboxRow(
            id=row_id, dedupe=row_id, target="C1", kind="hello", refs={}, created_at=NEVER, due_at=due_at
        )
        session.add(row)

    return work


NEVER = datetime.fromisoformat("2026-01-01T00:00:00+00:00")


def due_at(now: datetime, limit: int = 10) -> Callable[[Session], list[Lease]]:
    return lambda session: leases.claim_due(session, OutboxRow, now, MINUTE, limit)


def expire(session: Session) -> None:
    change(session, OutboxRow, col(OutboxRow.id).is_not(None), lease_until=NEVER)


def test_what_is_due_is_claimed_the_longest_due_first(database: Database, now: datetime) -> None:
    for row_id, due in (("b", now), ("a", now - MINUTE), ("later", now + MINUTE), ("done", None)):
        database.run_now(waits(row_id, due))

    claimed = database.run_now(due_at(now))

    assert claimed == [Lease("a", 1), Lease("b", 1)]


def test_no_more_is_claimed_than_the_limit(database: Database, now: datetime) -> None:
    for row_id, due in (("b", now), ("a", now - MINUTE)):
        database.run_now(waits(row_id, due))

    assert database.run_now(due_at(now, limit=1)) == [Lease("a", 1)]


def test_a_claimed_row_is_nobody_elses_until_the_lease_runs_out(database: Database, now: datetime) -> None:
    database.run_now(waits("a", now))
    database.run_now(due_at(now))

    meanwhile = database.run_now(due_at(now))
    database.run_now(expire)
    afterwards = database.run_now(due_at(now))

    assert (meanwhile, afterwards) == ([], [Lease("a", 2)])


def test_a_lease_does_not_follow_the_products_clock(database: Database, now: datetime) -> None:
    database.run_now(waits("a", now))
    database.run_now(due_at(now))

    assert database.run_now(due_at(now + timedelta(days=365))) == []


def test_a_released_row_can_be_claimed_at_once(database: Database, now: datetime) -> None:
    database.run_now(waits("a", now))
    [lease] = database.run_now(due_at(now))

    assert database.run_now(lambda session: leases.release(session, OutboxRow, lease))

    assert database.run_now(due_at(now)) == [Lease("a", 2)]


def test_a_result_is_dropped_if_another_has_claimed_the_row_since(database: Database, now: datetime) -> None:
    database.run_now(waits("a", now))
    [late] = database.run_now(due_at(now))
    database.run_now(expire)
    [present] = database.run_now(due_at(now))

    dropped = database.run_now(lambda session: leases.apply(session, OutboxRow, late, ts="late"))
    counted = database.run_now(lambda session: leases.apply(session, OutboxRow, present, ts="present"))

    assert (dropped, counted) == (False, True)
    assert database.read_now(lambda session: session.exec(select(OutboxRow.ts)).one()) == "present"


def test_a_late_result_still_counts_if_nobody_else_claimed_the_row(database: Database, now: datetime) -> None:
    database.run_now(waits("a", now))
    [lease] = database.run_now(due_at(now))
    database.run_now(expire)

    assert database.run_now(lambda session: leases.apply(session, OutboxRow, lease, ts="x"))


def test_a_single_row_is_claimed_by_its_id_due_or_not(database: Database, now: datetime) -> None:
    database.run_now(waits("a", None))

    first = database.run_now(lambda session: leases.claim(session, OutboxRow, "a", MINUTE))
    second = database.run_now(lambda session: leases.claim(session, OutboxRow, "a", MINUTE))
    unknown = database.run_now(lambda session: leases.claim(session, OutboxRow, "b", MINUTE))

    assert (first, second, unknown) == (Lease("a", 1), None, None)


def test_two_at_once_never_get_the_same_row(database: Database, now: datetime) -> None:
    for number in range(20):
        database.run_now(waits(str(number), now))
    together = threading.Barrier(2)
    got: list[list[Lease]] = [[], []]

    def worker(me: int) -> None:
        together.wait()
        while claimed := database.run_now(due_at(now, limit=3)):
            got[me] += claimed

    workers = [threading.Thread(target=worker, args=(me,)) for me in range(2)]
    for thread in workers:
        thread.start()
    for thread in workers:
        thread.join()

    ids = [lease.id for leased in got for lease in leased]
    assert sorted(ids) == sorted(set(ids)) == sorted(str(number) for number in range(20))


async def test_a_claim_does_not_wait_for_a_row_that_another_is_claiming(
    postgres_database: Database, now: datetime
) -> None:
    database = postgres_database
    for row_id, due in (("a", now - MINUTE), ("b", now)):
        database.run_now(waits(row_id, due))
    claimed, go_on = threading.Event(), threading.Event()

    def hold(session: Session) -> list[Lease]:
        mine = due_at(now, limit=1)(session)
        claimed.set()
        go_on.wait()
        return mine

    first = asyncio.create_task(database.run(hold))
    await asyncio.to_thread(claimed.wait)
    try:
        second = await database.run(due_at(now), within=timedelta(seconds=5))
    finally:
        go_on.set()

    assert (await first, second) == ([Lease("a", 1)], [Lease("b", 1)])
