"""What is kept of the logs of runs is forgotten a month after it last grew; other small states never are."""

from datetime import UTC, datetime, timedelta

from storage.database import Database
from storage.listing import recall, remember
from storage.retention import LOGS, prune
from storage.run_log import LogTail, grown, put_tail, tail

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


async def test_the_end_of_a_log_is_forgotten_a_month_after_it_last_grew(database: Database) -> None:
    await database.run(
        lambda session: put_tail(session, "ab12cd34", 1, "bootstrap", LogTail(5, 5, "hello"), NOON)
    )
    await database.run(lambda session: prune(session, NOON + LOGS))
    assert await database.read(lambda session: tail(session, "ab12cd34", 1, "bootstrap")) is not None
    await database.run(lambda session: prune(session, NOON + LOGS + timedelta(seconds=1)))
    assert await database.read(lambda session: tail(session, "ab12cd34", 1, "bootstrap")) is None


async def test_other_small_states_are_kept(database: Database) -> None:
    await database.run(lambda session: remember(session, "witness", LogTail(), NOON))
    await database.run(lambda session: prune(session, NOON + 10 * LOGS))
    assert await database.read(lambda session: recall(session, "witness", LogTail)) is not None


def test_a_known_failure_is_remembered_when_its_line_is_long_gone() -> None:
    known = grown(LogTail(), "Stale file handle (os error 116)\n", 33, 33)
    known = grown(known, "x" * 50_000, 50_033, 50_033)
    assert known.failures == ("stale_file_handle",)
    assert "116" not in known.text
