"""One pod's facts, put together from the columns of our tables and what people said of it."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from jobs.judgement.loading import facts_of
from jobs.judgement.records import Records
from pods.facts import PodFacts, Sight
from pods.has_run import Sign
from pods.ids import ProvisionId
from pods.keeps import KeepTag
from pods.ownership import Grade
from pods.phase import Phase
from pods.policy import Policy
from storage.fleet import FleetPod
from tests.pods.samples import ALICE, NOW, POD, ago, ahead

STOPPED = FleetPod(
    pod_id=POD,
    sight=Sight.SEEN,
    phase=Phase.EXITED,
    created_at=ago(days=2),
    cluster_member=False,
    locked=False,
    progress_at=None,
    gone_at=None,
    first_seen_at=ago(minutes=61),
    at_first_listing=False,
    last_counting_at=NOW,
    gapless=True,
    counting=62,
    has_run=Sign.RUNTIME,
    started_at=ago(days=2),
    nulls=0,
    nulls_since=None,
    last_unexited_at=ago(minutes=61),
    exited_since=ago(hours=1),
    open_phase=Phase.EXITED,
    error_since=None,
    provision_id=ProvisionId("ab12cd34"),
    called_at=ago(days=2),
    made_for=ALICE,
    agent=None,
    stage="ready",
    deadline_at=None,
    outcome="ready",
    keep_on_failure=False,
    fence_at=ahead(hours=9),
    decided_at=None,
)
UNWATCHED: dict[str, Any] = {
    **dict.fromkeys(("first_seen_at", "at_first_listing", "last_counting_at", "gapless", "counting")),
    **dict.fromkeys(("has_run", "started_at", "nulls", "nulls_since", "last_unexited_at", "exited_since")),
    "open_phase": None,
}
NOTHING_SAID = Records(
    statements={},
    keeps={},
    heartbeats={},
    texts={},
    ran=frozenset(),
    ending=frozenset(),
    acted=frozenset(),
    notices={},
    noticed={},
)


def facts(pod: FleetPod, **said: Any) -> PodFacts:
    return facts_of(pod, replace(NOTHING_SAID, **said), NOW, Policy())


def test_a_pod_that_cannot_be_read_has_no_phase() -> None:
    found = facts(STOPPED._replace(sight=Sight.UNREADABLE))

    assert (found.sight, found.phase) == (Sight.UNREADABLE, None)


def test_a_pod_that_is_missing_has_no_phase_unless_that_is_explained() -> None:
    missing = facts(STOPPED._replace(sight=Sight.MISSING))
    gone = facts(STOPPED._replace(sight=Sight.MISSING, gone_at=ago(hours=1)))

    assert (missing.sight, missing.phase) == (Sight.MISSING, None)
    assert (gone.sight, gone.phase) == (Sight.SEEN, Phase.GONE)


def test_one_sign_of_having_run_is_enough_wherever_it_was_seen() -> None:
    silent = STOPPED._replace(phase=Phase.NO_RUNTIME, has_run=None)

    assert not facts(silent).has_run
    assert facts(silent._replace(has_run=Sign.EXITED)).has_run
    assert facts(silent, ran=frozenset({POD})).has_run


def test_the_history_tells_since_when_it_is_exited_and_how_often_it_was_looked_at() -> None:
    found = facts(STOPPED)

    assert (found.exited_since, found.first_seen_exited) == (ago(hours=1), False)
    assert (found.first_seen_at, found.counting) == (ago(minutes=61), 62)


def test_a_pod_without_a_history_is_neither_watched_nor_exited_since_any_time() -> None:
    found = facts(STOPPED._replace(**UNWATCHED))

    assert (found.watched_from_birth, found.exited_since, found.first_seen_at) == (False, None, None)


def test_ownership_keeps_fence_and_deeds_are_taken_over_as_they_are() -> None:
    keep = KeepTag(POD, ALICE, ago(hours=1), ahead(hours=1), None)

    found = facts(STOPPED, keeps={POD: [keep]}, ending=frozenset({POD}), acted=frozenset({POD}))

    assert (found.grade, found.owner, found.in_ledger) == (Grade.PROVED, ALICE, True)
    assert (found.kept_until, found.keep_unreadable) == (ahead(hours=1), False)
    assert (found.fence_at, found.ending, found.deed_in_episode) == (ahead(hours=9), True, True)


def test_a_failed_provision_counts_until_somebody_has_decided() -> None:
    failed = STOPPED._replace(phase=Phase.RUNNING, stage="failed", outcome="bootstrap_failed")

    assert facts(failed).failed_alive
    assert not facts(failed._replace(decided_at=NOW - timedelta(minutes=1))).failed_alive
