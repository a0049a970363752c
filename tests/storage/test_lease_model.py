"""The lease, driven at random: whatever crashes and however late results come, an effect counts once.

The same machine without the fencing number is a mutant that must be caught.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from shutil import copyfile

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test
from sqlalchemy import Engine
from sqlmodel import Session, col, select, update

from storage import leases
from storage.engine import parsed, writing_engine
from storage.inbox import InboxRow
from storage.leases import Lease
from storage.rows import change, table_of

START = datetime.fromisoformat("2001-01-01T12:00:00+00:00")
Apply = Callable[[Session, Lease, int], bool]


@dataclass(frozen=True)
class Worker:
    """Somebody who holds a lease, and the count as he saw it when he claimed."""

    lease: Lease
    seen: int


def fenced(session: Session, lease: Lease, count: int) -> bool:
    return leases.release(session, InboxRow, lease, attempts=count)


def unfenced(session: Session, lease: Lease, count: int) -> bool:
    table = table_of(InboxRow)
    result = update(table).where(table.c.id == lease.id).values(attempts=count, lease_until=None)
    return session.exec(result).rowcount == 1


def machine(engine: Engine, apply: Apply) -> type[RuleBasedStateMachine]:
    """Workers count to as far as they can, each adding one to what it saw."""

    class Workers(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.at_work: list[Worker] = []
            self.counted = 0
            with Session(engine) as session:
                change(session, InboxRow, col(InboxRow.id).is_not(None), attempts=0, lease_until=None)
                session.commit()

        @rule(the_last_lease_ran_out=st.booleans())
        def claims(self, the_last_lease_ran_out: bool) -> None:
            with Session(engine) as session:
                if the_last_lease_ran_out:
                    change(session, InboxRow, col(InboxRow.id).is_not(None), lease_until=START)
                claimed = leases.claim_due(session, InboxRow, START, timedelta(hours=1), 1)
                seen = session.exec(select(InboxRow.attempts)).one()
                session.commit()
            self.at_work += [Worker(lease, seen) for lease in claimed]

        @precondition(lambda self: self.at_work)
        @rule(data=st.data())
        def crashes(self, data: st.DataObject) -> None:
            self.at_work.remove(data.draw(st.sampled_from(self.at_work)))

        @precondition(lambda self: self.at_work)
        @rule(data=st.data())
        def writes_its_result(self, data: st.DataObject) -> None:
            worker = data.draw(st.sampled_from(self.at_work))
            self.at_work.remove(worker)
            with Session(engine) as session:
                self.counted += apply(session, worker.lease, worker.seen + 1)
                stored = session.exec(select(InboxRow.attempts)).one()
                session.commit()
            assert stored == self.counted, "a result was written over another"

    return Workers


@pytest.fixture
def engine(migrated_file: Path, tmp_path: Path) -> Iterator[Engine]:
    file = tmp_path / "lease.db"
    copyfile(migrated_file, file)
    engine = writing_engine(parsed(f"sqlite:///{file}"))
    with Session(engine) as session:
        session.add(InboxRow(id="a", kind="count", payload={}, received_at=START, due_at=START))
        session.commit()
    yield engine
    engine.dispose()


QUICK = settings(max_examples=60, stateful_step_count=20, suppress_health_check=list(HealthCheck))


def test_with_the_fencing_number_every_result_counts_once(engine: Engine) -> None:
    run_state_machine_as_test(machine(engine, fenced), settings=QUICK)


def test_without_the_fencing_number_a_lost_result_is_found(engine: Engine) -> None:
    with pytest.raises(AssertionError, match="written over another"):
        run_state_machine_as_test(
            machine(engine, unfenced),
            settings=settings(QUICK, derandomize=True, database=None, phases=[Phase.generate]),
        )
