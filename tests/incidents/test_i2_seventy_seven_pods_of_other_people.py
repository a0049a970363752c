"""I2: an audit that ended 77 pods of other people, because it read its own report as proof of ownership
and counted from creation instead of from the exit.

Here the judgement alone, with every limit off and every notice delivered, so that nothing but whose a pod
is and when it exited stands between it and its end. The two faults are kept as mutants: they must be seen.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import chain

import pytest

from pods.facts import PodFacts
from pods.ids import PodId, ProvisionId, UserId
from pods.ownership import Claim, ClaimSource, LedgerRecord
from pods.policy import Policy
from tests.incidents.replay import (
    BEGIN,
    RUNS,
    STOPPED,
    Pod,
    as_it_is,
    each_minute,
    noticed,
    passes,
)

NO_LIMITS = Policy(
    max_gap=timedelta(hours=8),
    max_reaps_per_pass=10_000,
    max_reaps_per_owner=10_000,
    max_reaps_per_day=10_000,
    max_reaps_share=1.0,
    max_reaps_share_floor=10_000,
)
ALICE, BOB = UserId("UALICE"), UserId("UBOB")
HOUR = timedelta(hours=1)
OUR_NAME, OUR_ID = "pod-1947", "5xpma5eg46tqjq"


def teammates(count: int = 77) -> list[Pod]:
    """Stopped for weeks; their names and ids contain ours, are contained in ours, or look like them."""
    names = [OUR_NAME, f"{OUR_NAME}-loc", f"my-{OUR_NAME}", "alice", "podkeeper", "work"]
    ids = [f"{OUR_ID}{n}" if n % 2 else f"{n}{OUR_ID}" for n in range(count)]
    return [
        noticed(
            Pod(
                pod_id=pod_id,
                name=names[n % len(names)],
                life=lambda _: STOPPED,
                created_at=BEGIN - timedelta(days=20),
                text="Exited by user: Thu Jul 02 2026 16:32:26 GMT+0000 (Coordinated Universal Time)",
            ),
            BEGIN,
        )
        for n, pod_id in enumerate(ids)
    ]


def thirty_days() -> list[datetime]:
    """An armed audit every four hours, harsher than the daily one."""
    return [BEGIN + 4 * n * HOUR for n in range(30 * 6)]


def report(pods: list[Pod]) -> str:
    """What the audit wrote into the tasks' logs, notes and threads."""
    return "\n".join(f"{pod.name} {pod.pod_id}: NOT OURS, left alone" for pod in pods)


def substring_mutant(pod: Pod, everything_ever_written: str) -> Pod:
    """The first fault: a pod is ours if its name or id appears in anything that was ever written."""
    mentioned = pod.pod_id in everything_ever_written or pod.name in everything_ever_written
    record = LedgerRecord(PodId(pod.pod_id), ProvisionId("ab12cd34"), ALICE, BEGIN)
    return replace(pod, record=record if mentioned else None)


def creation_clock_mutant(facts: PodFacts) -> PodFacts:
    """The second fault: a pod has been stopped for as long as it exists."""
    return facts._replace(exited_since=facts.created_at) if facts.exited_since else facts


def ended_in(
    pods: list[Pod],
    moments: list[datetime],
    *,
    distort: Callable[[PodFacts], PodFacts] = as_it_is,
) -> list[str]:
    plans = passes(pods, moments, policy=NO_LIMITS, distort=distort)
    return list(chain.from_iterable(plan.ends for plan in plans))


def ours_stopped_an_hour_ago() -> Pod:
    """Created a hundred hours before `BEGIN`, working until an hour after it, then stopped."""
    record = LedgerRecord(PodId(OUR_ID), ProvisionId("ab12cd34"), ALICE, BEGIN - timedelta(hours=100))
    return Pod(
        pod_id=OUR_ID,
        life=lambda now: RUNS if now < BEGIN + HOUR else STOPPED,
        created_at=BEGIN - timedelta(hours=100),
        record=record,
    )


def test_thirty_days_of_audits_end_none_of_seventy_seven_pods_of_other_people() -> None:
    assert ended_in(teammates(), thirty_days()) == []


def test_nor_do_they_ask_anybody_about_them() -> None:
    plans = passes(teammates(), thirty_days()[:20], policy=NO_LIMITS)

    assert all(not plan.questions and not plan.stale_notices for plan in plans)


def test_ownership_by_substring_is_caught() -> None:
    written = report(teammates(5))

    ended = ended_in([substring_mutant(pod, written) for pod in teammates(5)], thirty_days()[:20])

    assert len(ended) == 5


def test_created_a_hundred_hours_ago_and_stopped_an_hour_ago_is_kept() -> None:
    moments = each_minute(BEGIN, 121)

    assert ended_in([noticed(ours_stopped_an_hour_ago(), BEGIN + HOUR)], moments) == []


def test_the_clock_from_creation_is_caught() -> None:
    pod = noticed(ours_stopped_an_hour_ago(), BEGIN - timedelta(hours=24))

    assert ended_in([pod], each_minute(BEGIN, 121), distort=creation_clock_mutant) == [OUR_ID]


def test_our_own_pod_is_ended_a_day_after_its_exit_and_its_notice_and_not_a_minute_before() -> None:
    pod = noticed(ours_stopped_an_hour_ago(), BEGIN + HOUR)
    moments = each_minute(BEGIN, 26 * 60)

    first = next(plan for plan in passes([pod], moments, policy=NO_LIMITS) if plan.ends)

    assert first.at == BEGIN + timedelta(hours=25)


@pytest.mark.parametrize("claimed_by", [ALICE, BOB])
def test_a_pod_that_somebody_merely_claims_is_asked_about_and_never_ended(claimed_by: UserId) -> None:
    pod = teammates(1)[0]
    claim = Claim(PodId(pod.pod_id), claimed_by, BEGIN, ClaimSource.PERSON)

    plans = list(passes([replace(pod, statements=(claim,))], thirty_days()[:20], policy=NO_LIMITS))

    assert all(not plan.ends for plan in plans)
    assert plans[-1].questions == (PodId(pod.pod_id),)
