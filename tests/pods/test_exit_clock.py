"""The latest moment at which a pod can have exited, and what RunPod's text is worth beside it."""

from datetime import datetime, timedelta

import pytest

from pods.episodes import Observation
from pods.exit_clock import ExitSource, ExitTimes, exit_times
from pods.phase import Phase
from pods.status_text import StatusText, Verb, Who
from tests.pods.observing import MAX_GAP, START, every_minute, look, watched
from tests.pods.samples import NOW, ago


def said(at: datetime | None, verb: Verb = Verb.EXITED) -> StatusText:
    return StatusText(verb, Who.USER, at)


def times(*looks: Observation, text: StatusText | None = None) -> ExitTimes:
    return exit_times(watched(*looks), text, NOW, MAX_GAP)


EXITED_AN_HOUR_AGO = [
    look(ago(hours=1, minutes=1), Phase.RUNNING),
    *every_minute(Phase.EXITED, ago(hours=1), NOW),
]
FOUND_EXITED = every_minute(Phase.EXITED, ago(hours=1), NOW)


def test_the_clock_starts_at_the_first_look_that_shows_it_exited() -> None:
    found = times(*EXITED_AN_HOUR_AGO)

    assert found.since == ago(hours=1)
    assert found.shown == (ago(hours=1), ExitSource.OBSERVED)


def test_a_pod_first_seen_exited_counts_from_first_sight_and_shows_no_time() -> None:
    found = times(*FOUND_EXITED)

    assert found.since == ago(hours=1)
    assert found.shown == (None, ExitSource.UNKNOWN)


def test_a_gap_starts_the_clock_anew() -> None:
    found = times(
        look(ago(hours=30), Phase.RUNNING),
        *every_minute(Phase.EXITED, ago(hours=29), ago(hours=3)),
        *every_minute(Phase.EXITED, ago(hours=2), NOW),
    )

    assert found.since == ago(hours=2)


def test_a_restart_between_two_looks_starts_the_clock_anew() -> None:
    found = times(
        look(ago(hours=3), Phase.RUNNING),
        *every_minute(Phase.EXITED, ago(minutes=179), ago(hours=1)),
        *every_minute(Phase.EXITED, ago(minutes=59), NOW, started_at=ago(minutes=59, seconds=30)),
    )

    assert found.since == ago(minutes=59)


def test_running_in_between_starts_the_clock_anew() -> None:
    found = times(
        *every_minute(Phase.EXITED, ago(minutes=30), ago(minutes=20)),
        look(ago(minutes=19), Phase.NO_RUNTIME),
        *every_minute(Phase.EXITED, ago(minutes=18), NOW),
    )

    assert found.since == ago(minutes=18)
    assert not found.first_seen_exited


def test_looks_that_do_not_count_start_no_clock() -> None:
    found = times(
        look(ago(minutes=6), Phase.RUNNING),
        *every_minute(Phase.EXITED, ago(minutes=5), ago(minutes=3), counts=False),
        *every_minute(Phase.EXITED, ago(minutes=2), NOW),
    )

    assert found.since == ago(minutes=2)


def test_while_nobody_looks_there_is_no_answer() -> None:
    found = times(*every_minute(Phase.EXITED, ago(hours=30), ago(minutes=6)))

    assert found.since is None


def test_a_pod_that_is_not_exited_has_no_exit_time() -> None:
    assert times(look(NOW, Phase.RUNNING), text=said(ago(hours=1))) == ExitTimes(None, False, None)


def test_a_valid_text_is_shown_where_we_came_too_late() -> None:
    found = times(*FOUND_EXITED, text=said(ago(hours=30)))

    assert found.provider_at == ago(hours=30)
    assert found.shown == (ago(hours=30), ExitSource.PROVIDER)
    assert found.since == ago(hours=1)


@pytest.mark.parametrize(
    ("at", "why"),
    [
        (ago(minutes=57), "after we saw it exited"),
        (NOW + timedelta(hours=1), "in the future"),
        (ago(hours=1, minutes=4), "before we last saw it run"),
        (None, "without a date"),
    ],
)
def test_a_text_that_contradicts_what_we_saw_is_void(at: datetime | None, why: str) -> None:
    assert times(*EXITED_AN_HOUR_AGO, text=said(at)).provider_at is None, why


def test_a_text_from_before_the_start_is_void() -> None:
    assert times(*FOUND_EXITED, text=said(START - timedelta(hours=1))).provider_at is None


def test_a_text_within_the_tolerance_of_two_clocks_is_believed() -> None:
    assert times(*EXITED_AN_HOUR_AGO, text=said(ago(minutes=58, seconds=1))).provider_at is not None


@pytest.mark.parametrize("verb", [Verb.RENTED, Verb.TERMINATED])
def test_a_text_about_something_else_says_nothing_of_the_exit(verb: Verb) -> None:
    assert times(*FOUND_EXITED, text=said(ago(hours=30), verb)).provider_at is None
