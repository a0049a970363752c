"""The moments at which a verdict turns, to the second."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pods.facts import PodFacts
from pods.judge import judge
from pods.phase import Phase
from pods.verdict import Ask, Held, Keep, Reap, Reason, Verdict
from tests.pods.samples import NOW, a_pass, ago, ahead, exited, never_ran, running

SECOND = timedelta(seconds=1)


def of(pod: PodFacts, **different: Any) -> Verdict:
    return judge(pod, a_pass(**different))


def reason(pod: PodFacts, **different: Any) -> Reason:
    return of(pod, **different).reason


def test_a_pod_stopped_a_second_before_midnight_is_due_a_second_before_the_next_midnight() -> None:
    stopped_at = datetime(2026, 11, 29, 23, 59, tzinfo=UTC)
    pod = exited(exited_since=stopped_at)
    minutes = [stopped_at + timedelta(minutes=n) for n in range(26 * 60)]

    due = [minute for minute in minutes if reason(pod, now=minute) is Reason.STALE]

    assert due[0] == datetime(2026, 11, 30, 23, 59, tzinfo=UTC)


def test_stale_means_at_least_stale_after_ago() -> None:
    assert reason(exited(exited_since=ago(hours=24))) is Reason.STALE
    assert reason(exited(exited_since=ago(hours=24) + SECOND)) is Reason.EXITED_RECENTLY


def test_created_ninety_days_ago_and_exited_an_hour_ago_is_not_stale() -> None:
    assert reason(exited(created_at=ago(days=90), exited_since=ago(hours=1))) is Reason.EXITED_RECENTLY


def test_a_pod_without_a_creation_time_is_stale_all_the_same() -> None:
    assert reason(exited(created_at=None)) is Reason.STALE


def test_an_exited_pod_without_any_exit_time_is_kept_however_old_it_is() -> None:
    verdict = of(exited(exited_since=None, created_at=ago(days=90)))

    assert verdict == Keep(Reason.EXIT_TIME_UNKNOWN, 21)


def test_the_text_of_runpod_can_ask_and_never_ends() -> None:
    pod = exited(exited_since=ago(hours=1), first_seen_exited=True, provider_exited_at=ago(hours=30))

    assert of(pod) == Ask(Reason.STALE, 21, ahead(hours=23))


def test_the_text_of_runpod_asks_at_stale_after_to_the_second() -> None:
    pod = exited(exited_since=ago(hours=1), first_seen_exited=True)

    assert isinstance(of(pod._replace(provider_exited_at=ago(hours=24))), Ask)
    assert isinstance(of(pod._replace(provider_exited_at=ago(hours=24) + SECOND)), Keep)


def test_age_must_exceed_the_grace() -> None:
    assert reason(never_ran(created_at=ago(minutes=20))) is Reason.STARTING
    assert reason(never_ran(created_at=ago(minutes=20) - SECOND)) is Reason.NEVER_RAN


def test_five_counting_looks_are_enough_and_four_are_not() -> None:
    assert reason(never_ran(counting=4)) is Reason.STARTING
    assert reason(never_ran(counting=5)) is Reason.NEVER_RAN


@pytest.mark.parametrize(
    ("progress_ago", "age", "expected"),
    [
        (timedelta(minutes=5), timedelta(minutes=59), Reason.STARTING),
        (timedelta(minutes=5, seconds=1), timedelta(minutes=59), Reason.NEVER_RAN),
        (timedelta(minutes=1), timedelta(minutes=60), Reason.STARTING),
        (timedelta(minutes=1), timedelta(minutes=60, seconds=1), Reason.NEVER_RAN),
    ],
)
def test_progress_extends_the_grace_up_to_the_hard_cap(
    progress_ago: timedelta, age: timedelta, expected: Reason
) -> None:
    assert reason(never_ran(created_at=NOW - age, progress_at=NOW - progress_ago)) is expected


def test_a_provision_is_left_to_itself_until_two_minutes_after_its_deadline() -> None:
    young = never_ran(created_at=ago(minutes=30))

    assert reason(young._replace(provision_deadline=ago(minutes=2))) is Reason.BOOTSTRAPPING
    assert reason(young._replace(provision_deadline=ago(minutes=2) - SECOND)) is Reason.NEVER_RAN


def test_a_heartbeat_is_fresh_for_less_than_its_time_to_live() -> None:
    young = never_ran(created_at=ago(minutes=30))

    assert reason(young._replace(heartbeat_at=ago(minutes=15) + SECOND)) is Reason.OWNER_ALIVE
    assert reason(young._replace(heartbeat_at=ago(minutes=15))) is Reason.NEVER_RAN


def test_a_living_owner_is_left_alone_below_the_hard_cap_and_asked_from_it_on() -> None:
    alive = never_ran(heartbeat_at=ago(minutes=1))

    assert reason(alive._replace(created_at=ago(minutes=60) + SECOND)) is Reason.OWNER_ALIVE
    assert of(alive._replace(created_at=ago(minutes=60))) == Ask(Reason.NEVER_RAN, 12)


def test_the_flag_keeps_below_the_hard_cap_and_asks_from_it_on() -> None:
    flagged = never_ran(keep_on_failure=True)

    assert reason(flagged._replace(created_at=ago(minutes=60) + SECOND)) is Reason.KEPT
    assert of(flagged._replace(created_at=ago(minutes=60))) == Ask(Reason.NEVER_RAN, 12)


def test_keeping_a_pod_knowingly_answers_the_question_about_its_living_owner() -> None:
    pod = never_ran(heartbeat_at=ago(minutes=1), knowing_until=ahead(hours=3), kept_until=ahead(hours=3))

    assert of(pod) == Keep(Reason.KEPT, 12, ahead(hours=3))


@pytest.mark.parametrize("created_at", [None, ahead(minutes=2) + SECOND])
def test_a_creation_time_that_cannot_be_believed_leaves_a_provision_to_itself_by_our_own_call(
    created_at: datetime | None,
) -> None:
    under_way = never_ran(created_at=created_at, provision_deadline=ahead(minutes=5))

    assert reason(under_way._replace(create_called_at=ago(minutes=59))) is Reason.BOOTSTRAPPING
    assert reason(under_way._replace(create_called_at=ago(minutes=60))) is Reason.CLOCK_DOUBTFUL


def test_two_clocks_may_differ_by_two_minutes_before_a_creation_is_in_the_future() -> None:
    assert reason(never_ran(created_at=ahead(minutes=2))) is Reason.STARTING
    assert reason(never_ran(created_at=ahead(minutes=2) + SECOND)) is Reason.CLOCK_DOUBTFUL


def test_a_keep_until_now_is_over() -> None:
    assert reason(exited(kept_until=NOW + SECOND)) is Reason.KEPT
    assert reason(exited(kept_until=NOW)) is Reason.STALE


@pytest.mark.parametrize(
    ("nulls", "since", "asked"),
    [
        (5, ago(minutes=30), True),
        (4, ago(minutes=30), False),
        (5, ago(minutes=30) + SECOND, False),
        (99, None, False),
    ],
)
def test_a_lost_runtime_is_asked_about_after_five_nulls_over_thirty_minutes(
    nulls: int, since: datetime | None, asked: bool
) -> None:
    pod = running(phase=Phase.NO_RUNTIME, nulls=nulls, nulls_since=since)

    assert isinstance(of(pod), Ask) is asked


def test_a_fence_ends_at_its_time_and_not_a_second_before() -> None:
    pod = running(fence_at=NOW, fence_notice_at=ago(minutes=30))

    assert of(pod) == Reap(Reason.FENCE_PASSED, 6, None)
    assert of(pod, now=NOW - SECOND) == Keep(Reason.RUNNING, 18, NOW)


def test_a_fence_whose_notice_was_not_delivered_is_held() -> None:
    assert of(running(fence_at=NOW)) == Reap(Reason.FENCE_PASSED, 6, Held.NOTICE)


def test_a_fence_nearer_than_its_notice_still_ends_on_time() -> None:
    pod = running(fence_at=NOW, fence_notice_at=ago(minutes=3))

    assert of(pod) == Reap(Reason.FENCE_PASSED, 6, None)


def test_a_notice_that_came_after_the_fence_leaves_its_whole_time() -> None:
    pod = running(fence_at=ago(hours=2), fence_notice_at=ago(minutes=29))

    assert of(pod) == Reap(Reason.FENCE_PASSED, 6, Held.NOTICE, ahead(minutes=1))
    assert of(pod, now=ahead(minutes=1)) == Reap(Reason.FENCE_PASSED, 6, None)


def test_a_late_notice_does_not_prolong_a_life_that_was_ordered_shorter_than_the_notice() -> None:
    born = {"created_at": ago(seconds=117), "create_called_at": ago(seconds=117)}
    pod = running(fence_at=ago(seconds=27), fence_notice_at=NOW, **born)

    assert of(pod) == Reap(Reason.FENCE_PASSED, 6, None)


def test_a_keep_moves_the_fence_later_and_never_earlier() -> None:
    later = running(fence_at=ahead(hours=1), kept_until=ahead(hours=2))
    earlier = running(fence_at=ahead(hours=2), kept_until=ago(hours=1))

    assert isinstance(of(later, now=ahead(hours=1, minutes=59)), Keep)
    assert isinstance(of(later, now=ahead(hours=2)), Reap)
    assert isinstance(of(earlier, now=ahead(hours=1)), Keep)


def test_a_stale_pod_waits_out_its_whole_notice() -> None:
    assert of(exited(stale_notice_at=None)) == Reap(Reason.STALE, 22, Held.NOTICE)
    assert of(exited(stale_notice_at=ago(hours=24) + SECOND)) == Reap(
        Reason.STALE, 22, Held.NOTICE, NOW + SECOND
    )
    assert of(exited(stale_notice_at=ago(hours=24))) == Reap(Reason.STALE, 22, None)


def test_a_notice_about_an_earlier_exit_is_void() -> None:
    pod = exited(exited_since=ago(hours=30), stale_notice_at=ago(hours=31))

    assert of(pod) == Reap(Reason.STALE, 22, Held.NOTICE)


@pytest.mark.parametrize(
    ("different", "held"),
    [
        ({}, Held.NOTICE),
        ({"armed_stale": False}, Held.DISARMED),
        ({"paused": True}, Held.PAUSED),
        ({"paused": True, "armed_stale": False}, Held.PAUSED),
        ({"armed_never_ran": False}, Held.NOTICE),
    ],
)
def test_what_holds_a_reap_is_the_widest_obstacle(different: dict[str, bool], held: Held) -> None:
    verdict = of(exited(stale_notice_at=None), **different)

    assert verdict == Reap(Reason.STALE, 22, held)


@pytest.mark.parametrize(
    ("different", "held"),
    [
        ({}, None),
        ({"armed_never_ran": False}, Held.DISARMED),
        ({"armed_stale": False}, None),
        ({"paused": True}, Held.PAUSED),
    ],
)
def test_each_job_is_armed_by_itself(different: dict[str, bool], held: Held | None) -> None:
    assert of(never_ran(), **different) == Reap(Reason.NEVER_RAN, 13, held)


def test_a_fence_needs_no_arming() -> None:
    pod = running(fence_at=NOW, fence_notice_at=ago(hours=1))

    assert of(pod, armed_stale=False, armed_never_ran=False) == Reap(Reason.FENCE_PASSED, 6, None)


@pytest.mark.parametrize(
    "pod",
    [
        exited(exited_since=ago(hours=1)),
        exited(exited_since=ago(hours=1), first_seen_exited=True),
        exited(exited_since=ago(hours=1), first_seen_exited=True, provider_exited_at=ago(hours=20)),
        exited(kept_until=ahead(hours=3)),
        never_ran(created_at=ago(minutes=3)),
        never_ran(created_at=ago(minutes=30), progress_at=ago(minutes=2)),
        never_ran(created_at=ago(minutes=30), heartbeat_at=ago(minutes=4)),
        never_ran(created_at=ago(minutes=30), provision_deadline=ahead(minutes=4)),
        never_ran(created_at=ago(minutes=30), keep_on_failure=True),
        never_ran(knowing_until=ahead(hours=3), kept_until=ahead(hours=3)),
        running(phase=Phase.ERROR, error_since=ago(minutes=3)),
        running(phase=Phase.NO_RUNTIME, nulls=7, nulls_since=ago(minutes=3)),
        running(fence_at=ahead(hours=2), fence_notice_at=NOW),
        exited(stale_notice_at=ago(hours=2)),
    ],
)
def test_a_verdict_stays_until_it_says_that_it_could_change_and_changes_then(pod: PodFacts) -> None:
    now = of(pod)
    assert now.changes_at is not None

    before = of(pod, now=now.changes_at - SECOND)
    after = of(pod, now=now.changes_at + SECOND)

    assert (type(before), before.reason) == (type(now), now.reason)
    assert after != before
