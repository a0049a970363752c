"""When a job is due."""

from datetime import UTC, datetime, timedelta

from jobs.triggers import Cron, Every, due_again, latest_slot

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def slot(expression: str, since: str, now: str) -> str | None:
    found = latest_slot(
        Cron(expression, "Europe/Berlin"), datetime.fromisoformat(since), datetime.fromisoformat(now)
    )
    return None if found is None else found.isoformat(timespec="minutes")


def test_a_job_that_never_ran_is_due() -> None:
    assert due_again(Every(timedelta(minutes=1)), None, NOON)


def test_a_job_is_due_again_exactly_when_its_pause_is_over() -> None:
    minute = Every(timedelta(minutes=1))

    assert not due_again(minute, NOON, NOON + timedelta(seconds=59))
    assert due_again(minute, NOON, NOON + timedelta(seconds=60))


def test_a_clock_that_was_set_back_does_not_silence_a_job() -> None:
    assert due_again(Every(timedelta(minutes=1)), NOON, NOON - timedelta(days=1))


def test_only_the_last_of_several_missed_slots_counts() -> None:
    assert slot("0 9 * * *", "2026-03-02T00:00Z", "2026-03-05T12:00Z") == "2026-03-05T08:00+00:00"


def test_there_is_no_slot_between_two_slots() -> None:
    assert slot("0 9 * * *", "2026-03-02T08:00Z", "2026-03-03T07:59Z") is None


def test_day_seven_and_day_zero_are_both_sunday() -> None:
    sunday = "2026-03-01T08:00+00:00"

    assert slot("0 9 * * 7", "2026-02-25T00:00Z", "2026-03-03T00:00Z") == sunday
    assert slot("0 9 * * 0", "2026-02-25T00:00Z", "2026-03-03T00:00Z") == sunday


def test_a_local_time_that_spring_skips_runs_at_the_next_valid_minute() -> None:
    assert slot("30 2 * * *", "2026-03-28T12:00Z", "2026-03-29T12:00Z") == "2026-03-29T01:00+00:00"


def test_a_local_time_that_autumn_brings_twice_runs_once() -> None:
    assert slot("30 2 * * *", "2026-10-25T00:30Z", "2026-10-25T12:00Z") is None
