"""RunPod's status text, in every variant that was ever recorded."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pods.status_text import StatusText, Verb, Who, says_terminated, status_text


def utc(year: int, month: int, day: int, hour: int, minute: int, second: int) -> datetime:
    return datetime(year, month, day, hour, minute, second, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "verb", "who", "at"),
    [
        (
            "Rented by User: Tue Dec 16 2025 17:44:56 GMT+0000 (Coordinated Universal Time)",
            Verb.RENTED,
            Who.USER,
            utc(2025, 12, 16, 17, 44, 56),
        ),
        (
            "Rented by User: Fri Jul 12 2024 15:14:40 GMT-0400 (Eastern Daylight Time)",
            Verb.RENTED,
            Who.USER,
            utc(2024, 7, 12, 19, 14, 40),
        ),
        ("Rented by User: Tue Aug 15 2023", Verb.RENTED, Who.USER, None),
        (
            "Rented by User: Wed Jul 29 2026 21:51:59 GMT+0000",
            Verb.RENTED,
            Who.USER,
            utc(2026, 7, 29, 21, 51, 59),
        ),
        (
            "Exited by user: Thu Jul 16 2026 16:32:26 GMT+0000 (Coordinated Universal Time)",
            Verb.EXITED,
            Who.USER,
            utc(2026, 7, 16, 16, 32, 26),
        ),
        (
            "Exited by Runpod: Wed Jul 29 2026 21:56:48 GMT+0000",
            Verb.EXITED,
            Who.RUNPOD,
            utc(2026, 7, 29, 21, 56, 48),
        ),
        ("Exited by RunPod: Insufficient balance", Verb.EXITED, Who.RUNPOD, None),
        (
            "Exited by RunPod: 2026-04-06 19:44:38 UTC",
            Verb.EXITED,
            Who.RUNPOD,
            utc(2026, 4, 6, 19, 44, 38),
        ),
        (
            "Terminated by user: Wed Jul 29 2026 21:56:48 GMT+0000",
            Verb.TERMINATED,
            Who.USER,
            utc(2026, 7, 29, 21, 56, 48),
        ),
        (
            "Terminated by RunPod: Wed Jul 29 2026 21:56:48 GMT+0000",
            Verb.TERMINATED,
            Who.RUNPOD,
            utc(2026, 7, 29, 21, 56, 48),
        ),
        (
            "Outbid: Wed Jul 29 2026 21:56:48 GMT+0000",
            Verb.OUTBID,
            None,
            utc(2026, 7, 29, 21, 56, 48),
        ),
        (
            "Exited by user: Sun Nov 29 2026 08:59:59 GMT+0530 (India Standard Time)",
            Verb.EXITED,
            Who.USER,
            utc(2026, 11, 29, 3, 29, 59),
        ),
    ],
)
def test_each_recorded_variant_is_read(text: str, verb: Verb, who: Who | None, at: datetime | None) -> None:
    assert status_text(text) == StatusText(verb, who, at)


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "Exited",
        "Exited by user",
        "Exited by alice: Thu Jul 16 2026 16:32:26 GMT+0000",
        "Resumed by user: Thu Jul 16 2026 16:32:26 GMT+0000",
        "Running since: Mon Apr 07 2026 10:00:00 GMT+0000",
        "note: Exited by user: Thu Jul 16 2026 16:32:26 GMT+0000",
    ],
)
def test_a_text_of_no_recorded_form_says_nothing(text: str | None) -> None:
    assert status_text(text) is None


@pytest.mark.parametrize(
    "date",
    [
        "Fri Jul 16 2026 16:32:26 GMT+0000",
        "Thu Feb 30 2026 16:32:26 GMT+0000",
        "Thu Jul 16 2026 24:32:26 GMT+0000",
        "Thu Jul 16 2026 16:32:26 GMT+2400",
        "Thu Jul 16 2026 16:32:26",
        "Thu Jul 16 2026 16:32:26 GMT+0000 and more",
        "Thu Xyz 16 2026 16:32:26 GMT+0000",
        "2026-07-16T16:32:26Z",
        "16:32:26",
        "yesterday",
    ],
)
def test_a_date_that_is_not_exactly_right_is_no_date(date: str) -> None:
    assert status_text(f"Exited by user: {date}") == StatusText(Verb.EXITED, Who.USER, None)


@pytest.mark.parametrize(
    ("text", "exits"),
    [("Exited by user", True), ("Outbid", True), ("Rented by User", False), ("Terminated by user", False)],
)
def test_only_an_exit_and_an_outbid_name_an_exit_time(text: str, exits: bool) -> None:
    said = status_text(f"{text}: Thu Jul 16 2026 16:32:26 GMT+0000")

    assert said is not None
    assert (said.exited_at is not None) is exits


@pytest.mark.parametrize(
    ("text", "terminated"),
    [
        ("Terminated by user: whenever", True),
        ("terminated for no reason", True),
        ("Exited by user: terminated", False),
        (None, False),
    ],
)
def test_a_terminate_is_told_by_how_the_text_begins(text: str | None, terminated: bool) -> None:
    assert says_terminated(text) is terminated


@given(st.text())
def test_no_text_at_all_makes_the_reader_stumble(text: str) -> None:
    for whole in (text, f"Exited by user: {text}", f"Exited by user: Thu Jul {text}"):
        said = status_text(whole)
        assert said is None or said.at is None or said.at.utcoffset() is not None
