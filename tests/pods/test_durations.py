from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pods.durations import continues_duration, format_duration, parse_duration


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("90s", timedelta(seconds=90)),
        ("45m", timedelta(minutes=45)),
        ("8h", timedelta(hours=8)),
        ("2d", timedelta(days=2)),
        ("1w", timedelta(weeks=1)),
        ("1h30m", timedelta(minutes=90)),
        ("1h 30m", timedelta(minutes=90)),
        ("2 days", timedelta(days=2)),
        ("2\u00a0days", timedelta(days=2)),
        (" 8H ", timedelta(hours=8)),
        ("1 week 2 days", timedelta(days=9)),
    ],
)
def test_a_duration_is_read_as_it_was_meant(typed: str, meant: timedelta) -> None:
    assert parse_duration(typed) == meant


@pytest.mark.parametrize(
    "typed",
    ["", "h", "8", "1.5h", "-8h", "8hh", "30m1h", "1h1h", "1h30", "8 parsecs", "٨h", "9" * 9 + "h", "8h x"],
)
def test_what_is_no_duration_is_refused_with_a_right_example(typed: str) -> None:
    with pytest.raises(ValueError, match=r"not a duration.*`1h30m`"):
        parse_duration(typed)


def test_no_time_at_all_is_refused() -> None:
    with pytest.raises(ValueError, match="`0s` is no time at all"):
        parse_duration("0s")


def test_no_time_at_all_is_fine_where_it_has_a_meaning() -> None:
    assert parse_duration("0s", zero_is_fine=True) == timedelta(0)


def test_an_unknown_unit_is_named() -> None:
    with pytest.raises(ValueError, match="`parsecs` is no unit of time"):
        parse_duration("8 parsecs")


def test_a_huge_text_is_cut_in_the_answer() -> None:
    with pytest.raises(ValueError, match=r"^.{0,200}$"):
        parse_duration("x" * 100_000)


def test_a_bare_number_goes_on_with_its_unit_only() -> None:
    assert continues_duration("2", "days")
    assert not continues_duration("2", "foo")
    assert not continues_duration("2h", "days")


@pytest.mark.parametrize(
    ("duration", "typed"),
    [
        (timedelta(minutes=20), "20m"),
        (timedelta(minutes=90), "1h30m"),
        (timedelta(days=14), "14d"),
        (timedelta(seconds=90), "1m30s"),
        (timedelta(0), "0s"),
        (timedelta(seconds=2, milliseconds=900), "2s"),
    ],
)
def test_a_duration_is_printed_as_people_type_it(duration: timedelta, typed: str) -> None:
    assert format_duration(duration) == typed


@given(st.integers(min_value=1, max_value=10**9))
def test_what_is_printed_is_read_back_as_the_same(seconds: int) -> None:
    duration = timedelta(seconds=seconds)
    assert parse_duration(format_duration(duration)) == duration


@given(st.text(max_size=40))
def test_any_text_is_a_positive_duration_or_refused_with_a_sentence(text: str) -> None:
    try:
        answer: object = parse_duration(text) > timedelta(0)
    except ValueError as error:
        answer = "write it like" in str(error)
    assert answer is True


def test_a_negative_duration_is_not_printed() -> None:
    with pytest.raises(ValueError, match="negative"):
        format_duration(timedelta(seconds=-1))
