"""What a history remembers of the looks at a pod."""

from datetime import datetime, timedelta

import pytest

from pods.episodes import Change, counts, first, in_gap, observe, watched_from_birth
from pods.has_run import Sign
from pods.phase import Phase
from tests.pods.observing import MAX_GAP, START, every_minute, look, watched
from tests.pods.samples import ago

MINUTE = timedelta(minutes=1)


def test_polls_extend_an_episode_and_do_not_add_one() -> None:
    history = watched(*every_minute(Phase.RUNNING, ago(minutes=10), ago(minutes=5)))

    assert history.episode.since == ago(minutes=10)
    assert history.episode.until == ago(minutes=5)
    assert history.episode.observations == 6
    assert history.episode.longest_gap == MINUTE


def test_another_phase_opens_an_episode() -> None:
    history = watched(look(ago(minutes=2), Phase.RUNNING))

    history, change = observe(history, look(ago(minutes=1), Phase.EXITED), MAX_GAP)

    assert change is Change.OPENED
    assert (history.episode.phase, history.episode.since) == (Phase.EXITED, ago(minutes=1))


def test_another_start_time_opens_an_episode_of_the_same_phase() -> None:
    history = watched(look(ago(minutes=2), Phase.RUNNING))

    history, change = observe(
        history, look(ago(minutes=1), Phase.RUNNING, started_at=ago(seconds=90)), MAX_GAP
    )

    assert change is Change.OPENED
    assert history.episode.started_at == ago(seconds=90)


def test_a_start_time_that_is_missing_once_is_not_a_restart() -> None:
    history = watched(look(ago(minutes=3), Phase.NO_RUNTIME))

    history, missing = observe(history, look(ago(minutes=2), Phase.NO_RUNTIME, started_at=None), MAX_GAP)
    history, back = observe(history, look(ago(minutes=1), Phase.NO_RUNTIME), MAX_GAP)

    assert (missing, back) == (Change.EXTENDED, Change.EXTENDED)
    assert history.has_run is None


@pytest.mark.parametrize("late", [ago(minutes=1), ago(minutes=2)])
def test_a_doubled_or_late_answer_counts_for_nothing(late: datetime) -> None:
    history = watched(look(ago(minutes=3), Phase.NO_RUNTIME), look(ago(minutes=1), Phase.NO_RUNTIME))

    again, change = observe(history, look(late, Phase.RUNNING), MAX_GAP)

    assert (again, change) == (history, Change.IGNORED)


def test_a_gap_is_longer_than_max_gap_and_not_as_long() -> None:
    as_long = watched(look(ago(minutes=10), Phase.NO_RUNTIME), look(ago(minutes=5), Phase.NO_RUNTIME))
    longer = watched(
        look(ago(minutes=10), Phase.NO_RUNTIME), look(ago(minutes=5, seconds=-1), Phase.NO_RUNTIME)
    )

    assert as_long.gapless
    assert not longer.gapless


def test_looks_that_do_not_count_leave_a_gap() -> None:
    blind = every_minute(Phase.NO_RUNTIME, ago(minutes=9), ago(minutes=5), counts=False)

    history = watched(look(ago(minutes=10), Phase.NO_RUNTIME), *blind, look(ago(minutes=4), Phase.NO_RUNTIME))

    assert not history.gapless
    assert history.counting == 2


def test_a_clock_that_jumped_back_is_a_gap_and_the_history_goes_on() -> None:
    history = watched(look(ago(minutes=1), Phase.NO_RUNTIME))

    history, change = observe(
        history, look(ago(hours=3), Phase.NO_RUNTIME, counts=False, after_gap=True), MAX_GAP
    )
    history, _ = observe(history, look(ago(hours=2), Phase.NO_RUNTIME), MAX_GAP)

    assert change is Change.EXTENDED
    assert not history.gapless
    assert history.last_seen_at == ago(hours=2)


def test_there_is_a_gap_now_if_nothing_has_counted_for_longer_than_max_gap() -> None:
    history = watched(look(ago(minutes=5), Phase.RUNNING))

    assert not in_gap(history, ago(), MAX_GAP)
    assert in_gap(history, ago(seconds=-1), MAX_GAP)


def test_a_sign_of_having_run_never_expires() -> None:
    history = watched(
        look(ago(hours=3), Phase.RUNNING), *every_minute(Phase.NO_RUNTIME, ago(hours=2), ago(hours=1))
    )

    assert (history.has_run, history.has_run_at) == (Sign.RUNTIME, ago(hours=3))


@pytest.mark.parametrize(
    ("phase", "different", "sign"),
    [
        (Phase.RUNNING, {}, Sign.RUNTIME),
        (Phase.ERROR, {"shows_life": True}, Sign.RUNTIME),
        (Phase.ALLOCATING, {"shows_life": True}, Sign.RUNTIME),
        (Phase.EXITED, {}, Sign.EXITED),
        (Phase.NO_RUNTIME, {"started_at": ago(minutes=1)}, Sign.RESTARTED),
        (Phase.NO_RUNTIME, {}, None),
        (Phase.ALLOCATING, {}, None),
        (Phase.ERROR, {}, None),
    ],
)
def test_what_counts_as_having_run(phase: Phase, different: dict[str, object], sign: Sign | None) -> None:
    history = watched(look(ago(minutes=2), Phase.NO_RUNTIME), look(ago(minutes=1), phase, **different))

    assert history.has_run is sign


@pytest.mark.parametrize(
    ("created", "called", "watched_from_its_birth"),
    [
        (ago(minutes=15), None, True),
        (ago(minutes=15, seconds=1), None, False),
        (ago(minutes=11), ago(minutes=15), True),
        (ago(minutes=11), ago(minutes=15, seconds=1), False),
        (None, ago(minutes=15), True),
        (None, None, False),
    ],
)
def test_watched_from_birth_means_first_listed_within_max_gap_of_it(
    created: datetime | None, called: datetime | None, watched_from_its_birth: bool
) -> None:
    history = watched(*every_minute(Phase.NO_RUNTIME, ago(minutes=10), ago()))

    answer = watched_from_birth(history, created, called, ago(), MAX_GAP)

    assert answer is watched_from_its_birth


def test_a_pod_whose_last_counting_look_is_long_ago_is_not_watched() -> None:
    history = watched(*every_minute(Phase.NO_RUNTIME, ago(minutes=10), ago(minutes=6)))

    assert not watched_from_birth(history, ago(minutes=11), None, ago(), MAX_GAP)


def test_nulls_are_counted_only_of_a_pod_that_has_run() -> None:
    history = watched(*every_minute(Phase.NO_RUNTIME, ago(minutes=10), ago()))

    assert (history.nulls, history.nulls_since) == (0, None)


def test_nulls_count_from_the_first_one_that_counts() -> None:
    blind = every_minute(Phase.NO_RUNTIME, ago(minutes=9), ago(minutes=8), counts=False)
    nulls = every_minute(Phase.NO_RUNTIME, ago(minutes=7), ago(minutes=3))

    history = watched(look(ago(minutes=10), Phase.RUNNING), *blind, *nulls)

    assert (history.nulls, history.nulls_since) == (5, ago(minutes=7))


@pytest.mark.parametrize("phase", [Phase.RUNNING, Phase.EXITED, Phase.ERROR])
def test_nulls_begin_anew_after_anything_else(phase: Phase) -> None:
    nulls = every_minute(Phase.NO_RUNTIME, ago(minutes=9), ago(minutes=3))

    history = watched(look(ago(minutes=10), Phase.RUNNING), *nulls, look(ago(minutes=2), phase))

    assert (history.nulls, history.nulls_since) == (0, None)


def test_nulls_begin_anew_after_a_gap() -> None:
    nulls = every_minute(Phase.NO_RUNTIME, ago(minutes=40), ago(minutes=20))

    history = watched(look(ago(minutes=41), Phase.RUNNING), *nulls, look(ago(minutes=1), Phase.NO_RUNTIME))

    assert (history.nulls, history.nulls_since) == (1, ago(minutes=1))


@pytest.mark.parametrize(
    ("phase", "complete", "doubtful", "out", "expected"),
    [
        (Phase.NO_RUNTIME, True, False, False, True),
        (Phase.NO_RUNTIME, True, False, True, False),
        (Phase.RUNNING, True, False, True, True),
        (Phase.EXITED, True, False, True, True),
        (Phase.RUNNING, False, False, False, False),
        (Phase.RUNNING, True, True, False, False),
    ],
)
def test_which_looks_count(phase: Phase, complete: bool, doubtful: bool, out: bool, expected: bool) -> None:
    assert counts(phase, complete=complete, clock_doubtful=doubtful, witness_out=out) is expected


def test_a_first_look_that_does_not_count_starts_no_exit_clock() -> None:
    history = first(look(ago(hours=1), Phase.EXITED, counts=False), at_first_listing=True)

    assert history.exited_since is None
    assert history.counting == 0
    assert history.started_at == START
