"""The clocks: the machine's, one at another pace, and one that a file sets."""

import asyncio
import math
import time
from datetime import UTC, datetime, timedelta

import pytest

from gateways.wall import (
    ClockSettingError,
    PacedClock,
    PaceFile,
    clock_of,
    is_loopback,
    jumped,
    mark,
    parse_pace,
)

START = 1_795_000_000.0


class Machine:
    """The machine's wall clock and its monotonic one, moved by hand."""

    def __init__(self) -> None:
        self.wall, self.monotonic = START, 50.0

    def passes(self, seconds: float) -> None:
        self.wall += seconds
        self.monotonic += seconds


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
def pace_file(tmp_path):
    def write(line: str):
        path = tmp_path / "clock"
        new = tmp_path / "clock.new"
        new.write_text(line)
        return new.replace(path)

    return write


def clock(machine: Machine, line: str) -> PacedClock:
    pace = parse_pace(line)
    return PacedClock(lambda: pace, lambda: machine.wall)


def test_the_systems_clock_is_the_machines():
    assert abs(clock_of("system").now() - datetime.now(UTC)) < timedelta(seconds=5)


def test_a_pace_says_where_time_starts_and_how_fast_it_runs(machine):
    paced = clock(machine, f"{START}:{START}@60")

    assert paced.now() == datetime.fromtimestamp(START, UTC)
    machine.passes(2.5)
    assert paced.now() == datetime.fromtimestamp(START + 150, UTC)
    assert paced.rate == 60


def test_two_processes_with_the_same_line_agree(machine):
    one, other = clock(machine, f"{START - 100}:{START}@7"), clock(machine, f"{START - 100}:{START}@7")

    assert one.now() == other.now()


def test_a_pace_can_be_written_and_read_again():
    pace = parse_pace("1000.5:1795000000@0.25")

    assert parse_pace(str(pace)) == pace


@pytest.mark.parametrize(
    "line",
    ["", "now", "1:2", "1:2@", "1:2@x", "a:2@1", "1:2@-1", "1:2@1e9", "-1:2@1", "1:2@1 # fast", "nan:1@1"],
)
def test_what_is_no_clock_is_refused_with_what_would_be_right(line):
    with pytest.raises(ClockSettingError, match="'<wall>:<start>@<rate>'"):
        clock_of(line)


def test_a_clock_of_another_century_is_refused():
    with pytest.raises(ClockSettingError, match="no time of this century"):
        clock_of("0:0@100000")


def test_a_file_that_sets_another_century_leaves_the_last_pace_in_force(machine, pace_file):
    paced = PacedClock(PaceFile(pace_file(f"{START}:{START}@1")), lambda: machine.wall)

    pace_file("0:0@9999999")

    assert paced.now() == datetime.fromtimestamp(START, UTC)


def test_a_clock_file_that_is_not_there_or_says_nothing_is_refused(tmp_path):
    (tmp_path / "empty").write_text("")

    for name in ("missing", "empty"):
        with pytest.raises(ClockSettingError, match=str(tmp_path / name)):
            clock_of(f"@{tmp_path / name}")


def test_a_changed_file_sets_the_clock_at_the_next_look(machine, pace_file):
    paced = PacedClock(PaceFile(pace_file(f"{START}:{START}@1")), lambda: machine.wall)
    assert paced.now() == datetime.fromtimestamp(START, UTC)

    pace_file(f"{START}:{START + 86400}@1\n")

    assert paced.now() == datetime.fromtimestamp(START + 86400, UTC)
    assert paced.settings_seen == 1


def test_a_file_that_is_broken_later_leaves_the_last_pace_in_force(machine, pace_file):
    path = pace_file(f"{START}:{START}@1")
    paced = PacedClock(PaceFile(path), lambda: machine.wall)

    pace_file("half a li")
    assert paced.now() == datetime.fromtimestamp(START, UTC)
    path.unlink()
    assert paced.now() == datetime.fromtimestamp(START, UTC)
    assert paced.settings_seen == 0


def test_waits_are_told_in_seconds_of_the_machine(machine):
    paced = clock(machine, f"{START}:{START}@60")

    assert paced.seconds_until(paced.now() + timedelta(minutes=5)) == pytest.approx(5.0)
    assert paced.seconds_until(paced.now() - timedelta(minutes=5)) == 0.0


def test_on_a_clock_that_stands_still_the_future_never_comes(machine):
    paced = clock(machine, f"{START}:{START}@0")

    assert paced.seconds_until(paced.now() + timedelta(seconds=1)) == math.inf


async def test_a_fast_clock_is_waited_on_for_as_long_as_the_machine_needs():
    paced = clock_of(f"{time.time():.3f}:{START}@100000")
    goal = paced.now() + timedelta(minutes=30)

    await asyncio.wait_for(paced.sleep_until(goal), timeout=5)

    assert paced.now() >= goal


@pytest.mark.parametrize("line", [f"{START}:{START}@0", "0:0@1"])
async def test_whoever_waits_is_woken_when_the_file_sets_the_clock_beyond(machine, pace_file, line):
    paced = PacedClock(PaceFile(pace_file(line)), lambda: machine.wall)
    waiting = asyncio.create_task(paced.sleep_until(paced.now() + timedelta(days=3)))
    await asyncio.sleep(0)
    assert not waiting.done()

    pace_file(f"{START}:{START + 4 * 86400}@0")

    await asyncio.wait_for(waiting, timeout=2)


@pytest.mark.parametrize("rate", [1, 60, 0.5])
def test_a_clock_that_runs_at_its_pace_has_not_jumped(machine, rate):
    paced = clock(machine, f"{START}:{START}@{rate}")
    before = mark(paced, lambda: machine.monotonic)

    machine.passes(600)

    assert not jumped(paced, before, lambda: machine.monotonic)


@pytest.mark.parametrize("seconds", [30, -30, 3600])
def test_a_clock_that_moved_otherwise_than_the_monotonic_one_has_jumped(machine, seconds):
    paced = clock(machine, "0:0@1")
    before = mark(paced, lambda: machine.monotonic)

    machine.passes(60)
    machine.wall += seconds

    assert jumped(paced, before, lambda: machine.monotonic)


def test_a_small_correction_of_the_machines_time_is_no_jump(machine):
    paced = clock(machine, "0:0@1")
    before = mark(paced, lambda: machine.monotonic)

    machine.passes(60)
    machine.wall += 2

    assert not jumped(paced, before, lambda: machine.monotonic)


def test_a_new_line_in_the_file_is_a_jump_however_small(machine, pace_file):
    paced = PacedClock(PaceFile(pace_file(f"{START}:{START}@1")), lambda: machine.wall)
    before = mark(paced, lambda: machine.monotonic)

    pace_file(f"{START}:{START + 1}@1")

    assert jumped(paced, before, lambda: machine.monotonic)


@pytest.mark.parametrize(
    ("url", "here"),
    [
        ("http://127.0.0.1:8080", True),
        ("http://127.8.9.1/v2", True),
        ("http://[::1]:80/", True),
        ("http://localhost:1/api/", True),
        ("https://api.runpod.io", False),
        ("https://127.0.0.1.evil.example", False),
        ("http://localhost.evil.example", False),
        ("http://0.0.0.0:80", False),
        ("http://user@evil.example:80/127.0.0.1", False),
        ("127.0.0.1", False),
        ("", False),
    ],
)
def test_only_this_machine_is_loopback(url, here):
    assert is_loopback(url) is here
