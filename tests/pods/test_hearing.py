"""The table of who hears of what, and when: as written by hand, and each of its cells kept."""

import re
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from pods.hearing import HEARING, Matter, Say, Start, State, Times, Wait, Who, due
from pods.policy import Policy
from pods.quiet import QuietHours
from tests.pods.samples import NOW

TABLE = Path(__file__).with_name("hearing_table.txt").read_text().splitlines()
ROWS = [[cell.strip() for cell in row.split("|")] for row in TABLE if not row.startswith("#")][1:]
CELLS = [
    (State(state), known, cell)
    for state, *cells in ROWS
    for known, cell in zip((True, False), cells, strict=True)
]
UNIT = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}
SETTINGS = {"grace": timedelta(minutes=20), "hard_cap": timedelta(minutes=60)}
QUIET_NOW = QuietHours(time(8), time(21), ZoneInfo("UTC"))
MINUTE = timedelta(minutes=1)


def duration(word: str) -> timedelta:
    if word in SETTINGS:
        return SETTINGS[word]
    number = re.fullmatch(r"(\d+)([mhd])", word)
    assert number is not None
    return int(number[1]) * UNIT[number[2]]


def said_in(cell: str) -> list[timedelta]:
    """The times after the beginning at which this cell speaks, within its first twenty days."""
    first, again, *every = cell.split(";")[0].split(" / ")
    begin = duration(first)
    if again == "doubling":
        return [begin * 2**n for n in range(14)]
    offsets = [duration(word) for word in again.split() if word != "-"]
    if every[0] != "-":
        step = duration(every[0])
        offsets += [n * step for n in range(1, 21) if n * step > max(offsets, default=timedelta(0))]
    return [begin, *(begin + offset for offset in offsets)]


def read(cell: str) -> Times | None:
    if cell == "-":
        return None
    schedule, who, *marks = (part.strip() for part in cell.split(";"))
    first, again, *every = schedule.split(" / ")
    doubling = again == "doubling"
    return Times(
        first=Start(first) if first in SETTINGS else duration(first),
        who=frozenset(Who(word) for word in who.split()),
        again=() if doubling else tuple(duration(word) for word in again.split() if word != "-"),
        every=None if doubling or every[0] == "-" else duration(every[0]),
        doubling=doubling,
        urgent="urgent" in marks,
        in_digest="digest" in marks,
    )


@pytest.mark.parametrize(("state", "known", "cell"), CELLS)
def test_the_table_is_the_one_written_by_hand(state: State, known: bool, cell: str) -> None:
    row = HEARING[state]

    assert (row.owner_known if known else row.owner_unknown) == read(cell)


def test_every_state_has_a_row() -> None:
    assert [State(row[0]) for row in ROWS] == list(HEARING) == list(State)


@pytest.mark.parametrize(("state", "known", "cell"), CELLS)
def test_each_cell_speaks_at_its_times_and_at_no_others(state: State, known: bool, cell: str) -> None:
    spoken: list[timedelta] = []
    first_said_at = last_said_at = None

    for minute in range(0, 20 * 24 * 60, 5):
        now = NOW + minute * MINUTE
        matter = Matter(state, known, NOW, first_said_at=first_said_at, last_said_at=last_said_at)
        if isinstance(due(matter, now, None, Policy()), Say):
            spoken.append(now - NOW)
            first_said_at, last_said_at = first_said_at or now, now

    expected = [] if cell == "-" else said_in(cell)
    assert spoken == [moment for moment in expected if moment < timedelta(days=20)]


def say(state: State, known: bool = True, **different: Any) -> Say | Wait:
    return due(Matter(state, known, NOW - timedelta(days=30), **different), NOW, QUIET_NOW, Policy())


@pytest.mark.parametrize(("state", "known", "cell"), [case for case in CELLS if case[2] != "-"])
def test_only_what_is_urgent_breaks_quiet_hours(state: State, known: bool, cell: str) -> None:
    answer = say(state, known)

    if "urgent" in cell:
        assert isinstance(answer, Say)
    else:
        assert answer == Wait(datetime(2026, 11, 30, 21, 0, tzinfo=UTC))


def test_the_second_time_something_urgent_is_said_the_ops_channel_hears_it_too() -> None:
    long_ago = NOW - timedelta(days=2)

    first = say(State.PROVISION_FAILED)
    second = say(State.PROVISION_FAILED, first_said_at=long_ago, last_said_at=long_ago)

    assert first == Say(frozenset({Who.OWNER, Who.ASKER}), urgent=True, mention=True)
    assert second == Say(frozenset({Who.OWNER, Who.ASKER, Who.OPS}), urgent=True, mention=True)


def test_where_the_owner_is_unknown_nobody_is_mentioned() -> None:
    assert say(State.NEVER_RAN, known=False) == Say(frozenset({Who.OPS}), urgent=True, mention=False)


def test_what_was_missed_while_we_were_down_is_said_once() -> None:
    began = NOW - timedelta(days=3)
    matter = Matter(State.NEVER_RAN, True, began)
    after = Matter(State.NEVER_RAN, True, began, first_said_at=NOW, last_said_at=NOW)

    assert isinstance(due(matter, NOW, None, Policy()), Say)
    assert due(after, NOW, None, Policy()) == Wait(NOW + timedelta(hours=1))


def test_a_living_owner_or_a_knowing_keep_puts_off_the_first_time() -> None:
    later = NOW + timedelta(hours=3)

    assert say(State.NEVER_RAN, not_before=later) == Wait(later)


def test_the_grace_of_the_settings_decides_when_a_pod_that_never_ran_is_told() -> None:
    matter = Matter(State.NEVER_RAN, True, NOW)

    assert due(matter, NOW, None, Policy(never_ran_grace=timedelta(minutes=7))) == Wait(NOW + 7 * MINUTE)
