"""The simulated clock's line of text."""

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from simulator import clock as clock_module
from simulator.clock import ClockSpecError, ManualClock, WallClock

NEW_YEAR = datetime(2027, 1, 1, tzinfo=UTC)


def test_the_system_clock_is_the_machines() -> None:
    assert abs(WallClock("system").now().timestamp() - time.time()) < 1


def test_a_line_sets_start_and_rate() -> None:
    wall = time.time() - 10
    now = WallClock(f"{wall}:{NEW_YEAR.timestamp()}@60").now()

    assert timedelta(0) <= now - NEW_YEAR - timedelta(minutes=10) < timedelta(minutes=5)


def test_a_rate_of_zero_stands_still() -> None:
    assert WallClock(f"0:{NEW_YEAR.timestamp()}@0").now() == NEW_YEAR


def test_a_file_is_read_again_when_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock_module, "REREAD_EVERY_S", 0)
    file = tmp_path / "clock"
    file.write_text(f"0:{NEW_YEAR.timestamp()}@0\n")
    clock = WallClock(f"@{file}")
    file.write_text("0:0@0\n")

    assert clock.now() == datetime.fromtimestamp(0, UTC)


def test_a_file_that_became_unreadable_leaves_the_last_line_in_force(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock_module, "REREAD_EVERY_S", 0)
    file = tmp_path / "clock"
    file.write_text(f"0:{NEW_YEAR.timestamp()}@0")
    clock = WallClock(f"@{file}")
    file.write_text("")

    assert clock.now() == NEW_YEAR


@pytest.mark.parametrize("spec", ["", "now", "1:2", "1:2@", "a:b@c", "1:2@-3", "@/nowhere/at/all"])
def test_a_line_that_is_no_clock_is_refused_by_name(spec: str) -> None:
    with pytest.raises(ClockSpecError, match=spec.removeprefix("@") or "''"):
        WallClock(spec)


def test_a_manual_clock_goes_where_it_is_sent() -> None:
    clock = ManualClock(NEW_YEAR)
    clock.advance(timedelta(hours=1))
    assert clock.now() == NEW_YEAR + timedelta(hours=1)
    clock.set(NEW_YEAR)
    assert clock.now() == NEW_YEAR


def test_a_time_without_a_zone_is_no_time() -> None:
    with pytest.raises(ValueError, match="no time zone"):
        ManualClock(NEW_YEAR.replace(tzinfo=None))
