"""I1: a pod that never ran and that every code path left alone, because it was kept.

Here the judgement alone: minute by minute, as the watcher sees it.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from pods.ids import PodId, ProvisionId, UserId
from pods.keeps import KeepTag
from pods.ownership import LedgerRecord
from pods.plan import Plan
from pods.verdict import Ask, Reap, Reason, Verdict
from tests.incidents.replay import (
    BEGIN,
    MINUTE,
    PREPARES,
    RUNS,
    SHOWS_NOTHING,
    Life,
    Pod,
    Shown,
    each_minute,
    passes,
)

ALICE = UserId("UALICE")
HOUR = timedelta(hours=1)


def ledger(pod_id: str) -> LedgerRecord:
    return LedgerRecord(PodId(pod_id), ProvisionId("ab12cd34"), ALICE, BEGIN - timedelta(seconds=2))


def keep(pod_id: str, **different: Any) -> KeepTag:
    facts = {"given_at": BEGIN, "until": BEGIN + timedelta(days=7), "told_never_ran_at": None}
    return KeepTag(pod_id=PodId(pod_id), by=ALICE, **{**facts, **different})


def ours(life: Life, pod_id: str = "pod-1947", **different: Any) -> Pod:
    """A pod of ours, created at `BEGIN`, as the task's keep tag covers it."""
    facts = {
        "record": ledger(pod_id),
        "keeps": (keep(pod_id),),
    }
    return Pod(pod_id=pod_id, life=life, **{**facts, **different})


def always(shown: Shown) -> Life:
    return lambda _: shown


def at_minute(minute: int, shown: Shown, otherwise: Shown) -> Life:
    return lambda now: shown if now == BEGIN + minute * MINUTE else otherwise


def verdicts(plans: list[Plan], pod_id: str = "pod-1947") -> list[Verdict]:
    return [judged.verdict for plan in plans for judged in plan.judged if judged.facts.pod_id == pod_id]


def watch(*pods: Pod, minutes: int = 180, since: int = 0) -> list[Plan]:
    return list(passes(pods, each_minute(BEGIN + since * MINUTE, minutes)))


def ended(plans: list[Plan]) -> set[str]:
    return {pod_id for plan in plans for pod_id in plan.ends}


def test_a_kept_pod_that_never_ran_is_ended_after_the_grace_and_not_a_minute_before() -> None:
    plans = watch(ours(always(SHOWS_NOTHING)))

    first = next(plan for plan in plans if plan.ends)
    assert first.at - BEGIN == timedelta(minutes=21)
    assert verdicts([first]) == [Reap(Reason.NEVER_RAN_KEPT, 13, None)]


def test_a_pod_that_is_still_being_prepared_is_caught_as_well() -> None:
    assert ended(watch(ours(always(PREPARES)))) == {"pod-1947"}


def test_the_sibling_of_the_same_task_that_works_is_not_touched() -> None:
    sibling = ours(always(RUNS), "pod-1947-loc")

    assert ended(watch(ours(always(SHOWS_NOTHING)), sibling)) == {"pod-1947"}


@pytest.mark.parametrize("minute", [0, 1, 10, 20])
def test_a_pod_that_showed_a_runtime_for_one_minute_is_never_ended(minute: int) -> None:
    assert ended(watch(ours(at_minute(minute, RUNS, SHOWS_NOTHING)))) == set()


def test_a_pod_that_somebody_logged_into_or_that_wrote_a_log_line_is_never_ended() -> None:
    pod = ours(always(SHOWS_NOTHING))

    assert ended(watch(replace(pod, ran=True))) == set()


def test_a_pod_that_we_did_not_watch_from_its_birth_is_asked_about() -> None:
    plans = watch(ours(always(SHOWS_NOTHING)), since=6)

    assert ended(plans) == set()
    assert verdicts(plans)[-1] == Ask(Reason.NEVER_RAN_UNWATCHED, 11)


def test_a_pod_of_which_we_lost_sight_for_longer_than_a_gap_is_asked_about() -> None:
    moments = each_minute(BEGIN, 10) + each_minute(BEGIN + 16 * MINUTE, 100)

    plans = list(passes([ours(always(SHOWS_NOTHING))], moments))

    assert ended(plans) == set()
    assert isinstance(verdicts(plans)[-1], Ask)


def test_one_null_in_between_means_nothing() -> None:
    plans = watch(ours(at_minute(30, SHOWS_NOTHING, RUNS), keeps=()))

    assert {type(verdict).__name__ for verdict in verdicts(plans)} == {"Keep"}


def test_a_data_centre_full_of_nulls_ends_nothing_and_asks_nothing_at_once() -> None:
    """Five pods work, one has just been rented; then RunPod shows nothing of any, for fifty minutes."""

    def outage(now: datetime) -> Shown:
        return SHOWS_NOTHING if BEGIN + 3 * MINUTE <= now < BEGIN + 53 * MINUTE else RUNS

    workers = [ours(outage, f"worker{n}", keeps=()) for n in range(5)]
    newcomer = ours(always(SHOWS_NOTHING), created_at=BEGIN, keeps=())

    plans = watch(*workers, newcomer, minutes=52)

    assert ended(plans) == set()
    assert all(not plan.questions for plan in plans)
    assert verdicts(plans)[-1].reason == "witness_out"


def test_the_flag_keeps_a_failed_pod_and_asks_at_the_hard_cap() -> None:
    flagged = ours(always(SHOWS_NOTHING), keeps=(), keep_on_failure=True)

    plans = watch(flagged)

    asked = next(plan for plan in plans if plan.questions)
    assert ended(plans) == set()
    assert asked.at - BEGIN == HOUR


def test_a_keep_given_knowingly_is_respected_and_asked_about_when_it_is_over() -> None:
    knowing = keep(
        "pod-1947",
        given_at=BEGIN + 15 * MINUTE,
        until=BEGIN + 2 * HOUR,
        told_never_ran_at=BEGIN + 14 * MINUTE,
    )

    plans = watch(ours(always(SHOWS_NOTHING), keeps=(knowing,)))

    asked = next(plan for plan in plans if plan.questions)
    assert ended(plans) == set()
    assert asked.at == BEGIN + 2 * HOUR


def test_a_pod_that_we_did_not_make_is_asked_about_and_never_ended() -> None:
    stranger = Pod(pod_id="pod-1947", life=always(SHOWS_NOTHING), created_at=BEGIN + MINUTE)

    plans = watch(stranger)

    assert ended(plans) == set()
    assert verdicts(plans)[-1] == Ask(Reason.NEVER_RAN_UNPROVED, 11)
